// Report renders a recorded dataset as static HTML: no network, no server, no
// script that is needed to read it, and the same bytes from the same data.
package main

import (
	"os"
	"time"

	"aircheck/internal/kit/about"
	"aircheck/internal/kit/cli"
	_ "aircheck/internal/kit/store/s3" // datasets in buckets
)

func main() { os.Exit(cli.Main(program())) }

func program() *cli.Program {
	return &cli.Program{
		Name:     "report",
		Parts:    about.Parts,
		Grace:    5 * time.Second, // as analyze has it
		Short:    "render a recorded dataset as static HTML",
		Default:  command(),
		Commands: []*cli.Command{checkCommand()},
	}
}

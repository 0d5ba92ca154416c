// Record captures what LLM APIs really stream, with the arrival time of every
// frame, and keeps it as a dataset of plain Parquet files.
package main

import (
	"io"
	"log"
	"os"

	"aircheck/internal/kit/about"
	"aircheck/internal/kit/cli"
	_ "aircheck/internal/kit/store/s3" // datasets in buckets
)

func main() { os.Exit(record()) }

func record() int {
	// net/http logs what a server sends unasked, with its bytes; what matters
	// of it ends up in the dataset.
	log.SetOutput(io.Discard)
	return cli.Main(program())
}

func program() *cli.Program {
	return &cli.Program{
		Name:  "record",
		Parts: about.Parts,
		Short: "record what LLM APIs really stream, with the arrival time of every frame",
		Commands: []*cli.Command{
			runCommand(),
			planCommand(),
			importCommand(),
			scrubCommand(),
			simulateCommand(),
			recoverCommand(),
			proxyCommand(),
			verifyCommand(),
			pushCommand(),
		},
	}
}

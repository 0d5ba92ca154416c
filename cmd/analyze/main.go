// Analyze turns recorded frames into numbers: it decodes what is new, derives
// tables and views by the SQL files of queries, and answers questions over them.
package main

import (
	"os"
	"time"

	"aircheck/internal/kit/about"
	"aircheck/internal/kit/cli"
	_ "aircheck/internal/kit/store/s3" // datasets in buckets
)

// grace is how long the engine may take to notice an interrupt: one call of it,
// such as repeat('x', 4e9), looks for none.
const grace = 5 * time.Second

func main() { os.Exit(cli.Main(program())) }

func program() *cli.Program {
	return &cli.Program{
		Name:  "analyze",
		Parts: about.Parts,
		Grace: grace,
		Short: "compute every number from the recorded frames, with SQL that can be read",
		Commands: []*cli.Command{
			buildCommand(),
			sqlCommand(),
			compareCommand(),
			robustCommand(),
			projectCommand(),
			switchCommand(),
			listCommand(),
			showCommand(),
			pricesConvertCommand(),
			decodeCommand(),
			exportCommand(),
		},
	}
}

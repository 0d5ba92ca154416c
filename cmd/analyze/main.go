// Analyze turns recorded frames into numbers: it decodes what is new, derives
// tables and views by the SQL files of queries, and answers questions over them.
package main

import (
	"os"

	"aircheck/internal/kit/about"
	"aircheck/internal/kit/cli"
)

func main() { os.Exit(cli.Main(program())) }

func program() *cli.Program {
	return &cli.Program{
		Name:  "analyze",
		Parts: about.Parts,
		Short: "compute every number from the recorded frames, with SQL that can be read",
		Commands: []*cli.Command{
			buildCommand(),
			sqlCommand(),
			compareCommand(),
			robustCommand(),
			listCommand(),
			showCommand(),
			decodeCommand(),
			exportCommand(),
		},
	}
}

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
	"aircheck/internal/report/words"
)

func exportCommand() *cli.Command {
	var o build.Options
	var to string
	var views []string
	return &cli.Command{
		Name:  "export",
		Args:  "DIR --to OUT [flags]",
		Short: "write the public views for other tools: Parquet, CSV, DuckDB",
		Long: `
Into a directory OUT: each view as Parquet and CSV, and views.sql, which defines
them with their comments in any DuckDB shell, from any folder:

    duckdb -init OUT/views.sql

Its first line says where OUT is: change that line when OUT moves.

If OUT ends in .duckdb: one database with all of them. An earlier export is
replaced as a whole. CSV of the view chunks is many times larger than the
recording; --view leaves out what is not needed.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&to, "to", "", "`OUT`: a directory, or a file that ends in .duckdb (must be given)")
			f.StringSliceVar(&views, "view", nil, "only the `VIEW` of this name; may be repeated")
			addOptions(f, &o)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			switch {
			case len(args) != 1:
				return cli.Usagef("want one dataset: analyze export DIR --to OUT")
			case to == "":
				return cli.Usagef("--to is missing: want a directory, or a file that ends in .duckdb")
			}
			o.Dir, o.Progress = args[0], progress(env.Stderr)
			if err := inForce(env, &o); err != nil {
				return err
			}
			e, err := build.Export(ctx, o, to, views...)
			var unknown *build.UnknownViewError
			switch {
			case errors.As(err, &unknown):
				return noView(unknown)
			case errors.Is(err, build.ErrOccupied):
				return cli.Fail(cli.Usage, cli.Hint(err, "name another path, or remove it"))
			case err != nil:
				return explained(err)
			}
			fmt.Fprintf(env.Stdout, "%s: %s\n", e.Path, words.Count(int64(len(e.Views)), "view"))
			return nil
		},
	}
}

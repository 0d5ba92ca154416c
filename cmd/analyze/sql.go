package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/analysis"
	"aircheck/internal/cli"
	"aircheck/internal/duck"
)

func sqlCommand() *cli.Command {
	var o analysis.Options
	var format string
	var attach []string
	var failIfRows bool
	return &cli.Command{
		Name:  "sql",
		Args:  "DIR 'SELECT ...' [flags]",
		Short: "answer one SELECT over the public views",
		Long: `
'analyze list' names the views and 'analyze show VIEW' their columns. Derived
files are brought up to date first. The query can read the views and attached
files, and nothing else: no other file, no network, no setting. Times are UTC.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&format, "format", "table", strings.Join(formats, ", "))
			f.StringArrayVar(&attach, "attach", nil, "CSV or Parquet `FILE` to query as well, under its name without the ending; may be repeated")
			f.BoolVar(&failIfRows, "fail-if-rows", false, "exit with status 3 if the query gives any row")
			addOptions(f, &o)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 2 {
				return cli.Usagef("want a dataset and one query: analyze sql DIR 'SELECT ...'")
			}
			if !slices.Contains(formats, format) {
				return cli.Usagef("format %q: want one of %s", format, strings.Join(formats, ", "))
			}
			o.Dir, o.Progress = args[0], progress(env.Stderr)
			r, err := analysis.OpenForSelect(ctx, o)
			clearProgress(env.Stderr)
			if err != nil {
				return explain(err)
			}
			defer r.Close()
			for _, file := range attach {
				if err := r.Attach(ctx, file); err != nil {
					return cli.Fail(cli.Usage, err)
				}
			}
			n, err := answer(ctx, env.Stdout, r, args[1], format)
			var refused *analysis.RefusedError
			var faulty *duck.Error
			switch {
			case errors.As(err, &refused):
				return cli.Fail(cli.Usage, cli.Hint(err, "the query is one SELECT over the views that 'analyze list' names"))
			case errors.As(err, &faulty) && faulty.Asked():
				return cli.Fail(cli.Usage, err)
			case err != nil:
				return err
			case failIfRows && n > 0:
				return cli.Fail(cli.Gate, fmt.Errorf("the query gave %s", plural(n, "row")))
			}
			return nil
		},
	}
}

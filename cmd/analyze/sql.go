package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/duck"
	"aircheck/internal/report/words"
)

func sqlCommand() *cli.Command {
	var o build.Options
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
files, and nothing else: no other file, no network, no setting. Times are UTC.
--format vertical writes a line a value, for views that are wider than a screen.

The column window is a word of SQL as well, and stands in double quotes:
'SELECT "window" FROM results'. A query that begins with a comment stands after
a --, or it is taken for a flag.`,
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
			r, err := build.Open(ctx, o)
			if err != nil {
				return explained(err)
			}
			defer r.Close()
			for _, file := range attach {
				if err := r.Attach(ctx, file); err != nil {
					return cli.Fail(cli.Usage, err)
				}
			}
			n, err := answer(ctx, env.Stdout, r, args[1], format)
			var refused *build.RefusedError
			var faulty *duck.Error
			switch {
			case errors.As(err, &refused):
				hint := "the query is one SELECT over the views that 'analyze list' names"
				if word := unquoted(args[1]); word != "" && strings.Contains(err.Error(), "syntax error") {
					hint = fmt.Sprintf("%s is a word of SQL: the column stands in double quotes, \"%s\"", word, word)
				}
				return cli.Fail(cli.Usage, cli.Hint(err, "%s", hint))
			case errors.As(err, &faulty) && faulty.Asked():
				return cli.Fail(cli.Usage, err)
			case err != nil:
				return explained(err)
			case failIfRows && n > 0:
				return cli.Fail(cli.Gate, fmt.Errorf("the query gave %s", words.Count(n, "row")))
			}
			return nil
		},
	}
}

// reserved are the columns of public views whose names are words of SQL, but for
// limit: it stands in most queries as such.
var reserved = []string{"window"}

var quoted = regexp.MustCompile(`"[^"]*"|'[^']*'|--[^\n]*`)

// unquoted gives a reserved column that a query names without quotes, "" for
// none.
func unquoted(query string) string {
	bare := strings.FieldsFunc(strings.ToLower(quoted.ReplaceAllString(query, " ")), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range reserved {
		if slices.Contains(bare, word) {
			return word
		}
	}
	return ""
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/duck"
	"aircheck/internal/report/table"
	"aircheck/internal/report/words"
)

// question is what the sql command is asked, and how the answer is wanted.
type question struct {
	options    build.Options
	format     string
	file, out  string
	width      int
	attach     []string
	failIfRows bool
	explain    bool
}

func sqlCommand() *cli.Command {
	var q question
	return &cli.Command{
		Name:  "sql",
		Args:  "DIR 'SELECT ...' [flags]",
		Short: "answer one SELECT over the public views",
		Long: `
'analyze list' names the views and 'analyze show VIEW' their columns. Derived
files are brought up to date first. The query can read the views and attached
files, and nothing else: no other file, no network, no setting. Times are UTC.
The query - is read from standard input, and --file names a file that holds it.

On a terminal the rows are fitted to its width and numbers are rounded to four
figures; what is left out is said. Elsewhere, and in every other format than
table and vertical, values are exact. --format vertical writes a line a value.

A query that begins with a comment stands after a --, or it is taken for a
flag.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&q.format, "format", "", strings.Join(formats, ", ")+" (default by the ending of --out, else table)")
			f.StringVar(&q.file, "file", "", "read the query from `FILE`")
			f.StringVar(&q.out, "out", "", "write the rows to `FILE`, which is replaced when all are there")
			f.IntVar(&q.width, "width", 0, "fit rows to this many `characters` (default the terminal's width, and exact off a terminal)")
			f.StringArrayVar(&q.attach, "attach", nil, "CSV or Parquet `FILE` to query as well, under its name without the ending; may be repeated")
			f.BoolVar(&q.explain, "explain", false, "run the query and show where its time goes, instead of its rows")
			f.BoolVar(&q.failIfRows, "fail-if-rows", false, "exit with status 3 if the query gives any row")
			addOptions(f, &q.options)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error { return q.run(ctx, env, args) },
	}
}

func (q *question) run(ctx context.Context, env *cli.Env, args []string) error {
	query, err := q.query(env.Stdin, args)
	if err != nil {
		return err
	}
	if err := q.form(env.Stdout); err != nil {
		return err
	}
	o := q.options
	o.Dir, o.Progress = args[0], progress(env.Stderr)
	if err := inForce(env, &o); err != nil {
		return err
	}
	r, err := build.Open(ctx, o)
	if err != nil {
		return explained(err)
	}
	defer r.Close()
	for _, file := range q.attach {
		if err := r.Attach(ctx, file); err != nil {
			return cli.Fail(cli.Usage, err)
		}
	}
	n, err := q.answer(ctx, env.Stdout, r, query)
	var refused *build.RefusedError
	var faulty *duck.Error
	switch {
	case errors.As(err, &refused):
		hint := "the query is one SELECT over the views that 'analyze list' names"
		if bareWindow.MatchString(quoted.ReplaceAllString(query, " ")) && strings.Contains(err.Error(), "syntax error") {
			hint = "window is a word of SQL: the column of the views is window_name"
		}
		return cli.Fail(cli.Usage, cli.Hint(err, "%s", hint))
	case errors.As(err, &faulty) && faulty.Asked():
		return cli.Fail(cli.Usage, err)
	case err != nil:
		return explained(err)
	case q.failIfRows && n > 0:
		return cli.Fail(cli.Gate, fmt.Errorf("the query gave %s", words.Count(n, "row")))
	}
	return nil
}

// query is the text that was asked: an operand, a file, or standard input.
func (q *question) query(stdin io.Reader, args []string) (string, error) {
	switch {
	case len(args) == 1 && q.file != "":
		text, err := os.ReadFile(q.file)
		return string(text), cli.Fail(cli.Usage, err)
	case len(args) != 2 || q.file != "":
		return "", cli.Usagef("want a dataset and one query: analyze sql DIR 'SELECT ...', or --file FILE, or - for standard input")
	case args[1] == "-":
		text, err := io.ReadAll(stdin)
		return string(text), err
	}
	return args[1], nil
}

// form settles the format, and whether the rows are fitted.
func (q *question) form(stdout io.Writer) error {
	if q.format == "" {
		q.format = "table"
		ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(q.out)), ".")
		if slices.Contains(formats, ending) {
			q.format = ending
		} else if ending == "md" {
			q.format = "markdown"
		}
	}
	switch {
	case !slices.Contains(formats, q.format):
		return cli.Usagef("format %q: want one of %s", q.format, strings.Join(formats, ", "))
	case q.format == "parquet" && q.out == "" && cli.IsTerminal(stdout):
		return cli.Hint(cli.Usagef("a terminal cannot show Parquet"), "--out FILE.parquet writes it to a file")
	case q.width < 0:
		return cli.Usagef("--width %d: want a number of characters", q.width)
	}
	if q.width == 0 && q.out == "" {
		q.width = cli.Width(stdout)
	}
	return nil
}

// answer writes the rows of a query and gives their number.
func (q *question) answer(ctx context.Context, stdout io.Writer, r *build.Reader, query string) (n int64, err error) {
	if q.out == "" {
		return q.write(ctx, stdout, r, query)
	}
	tmp, err := derived.TempFile(q.out)
	if err != nil {
		return 0, err
	}
	defer os.Remove(tmp)
	f, err := os.OpenFile(tmp, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	n, err = q.write(ctx, f, r, query)
	if err = errors.Join(err, f.Close()); err != nil {
		return n, err
	}
	return n, os.Rename(tmp, q.out)
}

func (q *question) write(ctx context.Context, w io.Writer, r *build.Reader, query string) (int64, error) {
	switch {
	case q.explain:
		text, err := r.Explain(ctx, query)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		return 0, err
	case q.format == "parquet":
		return r.Parquet(ctx, query, w)
	}
	rows, err := r.Stream(ctx, query)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	return table.Write(w, table.Head{Columns: rows.Columns, Types: rows.Types}, rows, q.format, q.width)
}

var formats = append(slices.Clone(table.Formats), "parquet")

var quoted = regexp.MustCompile(`"[^"]*"|'[^']*'|--[^\n]*`)

var bareWindow = regexp.MustCompile(`(?i)\bwindow\b`)

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/nearest"
	"aircheck/internal/report/table"
	"aircheck/queries"
)

func listCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Args:  "",
		Short: "name the public views by the question that they answer",
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) > 0 {
				return cli.Usagef("list takes no arguments: 'analyze show VIEW' tells of one view")
			}
			files, err := publicFiles()
			if err != nil {
				return err
			}
			catalogue(env.Stdout, files)
			return nil
		},
	}
}

// catalogue lists the views by question, and says what their words mean.
func catalogue(w io.Writer, files []queries.File) {
	width := 0
	for _, f := range files {
		width = max(width, len(f.Name))
	}
	folder := ""
	for _, f := range files {
		if f.Folder != folder {
			if folder != "" {
				fmt.Fprintln(w)
			}
			folder = f.Folder
			fmt.Fprintf(w, "%s: %s\n", folder, queries.Folders[f.Place()].Title)
		}
		wrapped(w, fmt.Sprintf("  %-*s  ", width, f.Name), strings.Repeat(" ", width+4), f.Tells+calls(f))
	}
	fmt.Fprint(w, glossary)
}

const glossary = `
A target is a provider and a model. A cell is a target in one scenario, at one
concurrency, from one vantage, with one set of params; most views have a row a
cell and are joined by those columns. A contest is the cells of one model,
scenario, concurrency and vantage: its providers are ranked. A window is one
round of a plan: its requests share conditions, so windows, not requests, are
what comparisons count. request_id joins requests, results, answers, events and
chunks.

'analyze show VIEW [DIR]' tells of a view's columns, with an example.
`

// calls tells of a file's macros, "" where it has none.
func calls(f queries.File) string {
	if list := f.Calls(); len(list) > 0 {
		return " (also " + strings.Join(list, ", ") + ")"
	}
	return ""
}

// publicFiles are the SQL files of the public views and macros, in the order of
// the catalogue.
func publicFiles() ([]queries.File, error) {
	files, err := queries.Files()
	return slices.DeleteFunc(files, func(f queries.File) bool { return !f.Public() }), err
}

func showCommand() *cli.Command {
	return &cli.Command{
		Name:  "show",
		Args:  "VIEW [DIR]",
		Short: "tell a view's grain, its columns with units and meaning, an example, and its SQL",
		Long: `
With a dataset, the example is run on it.`,
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return cli.Usagef("want one view: analyze show VIEW [DIR]")
			}
			files, err := publicFiles()
			if err != nil {
				return err
			}
			var names []string
			for _, f := range files {
				if f.Name != args[0] {
					names = append(names, f.Name)
					continue
				}
				s, err := build.LoadSchema(ctx, f.Name)
				if err != nil {
					return err
				}
				describe(env.Stdout, s, f.Name)
				if len(args) == 2 {
					if err := runExample(ctx, env, f.Query, args[1]); err != nil {
						return explained(err)
					}
				}
				fmt.Fprintf(env.Stdout, "\nqueries/%s\n\n%s", f.Path, f.SQL)
				return nil
			}
			return noView(&build.UnknownViewError{Name: args[0], Views: names})
		},
	}
}

// exampleWidth is where the result of an example is fitted to, off a terminal.
const exampleWidth = 100

func runExample(ctx context.Context, env *cli.Env, query, dir string) error {
	r, err := build.Open(ctx, build.Options{Dir: dir, Progress: progress(env.Stderr), LeftOut: leftOut(env, dir)})
	if err != nil {
		return err
	}
	defer r.Close()
	rows, err := r.Stream(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	fmt.Fprintln(env.Stdout)
	_, err = table.Write(env.Stdout, table.Head{Columns: rows.Columns, Types: rows.Types}, rows, "table", cmp.Or(cli.Width(env.Stdout), exampleWidth))
	return err
}

// noView is the usage error for a view that there is not.
func noView(unknown *build.UnknownViewError) error {
	err := cli.Fail(cli.Usage, unknown)
	if near := nearest.Likely(unknown.Name, unknown.Views); near != "" {
		return cli.Hint(err, "did you mean %s?", near)
	}
	return cli.Hint(err, "'analyze list' names them")
}

// longestType is where the type of a column, such as that of a nested one, is cut.
const longestType = 24

// wrapped writes text after a head, over as many lines as it takes; later lines
// begin with an indent.
func wrapped(w io.Writer, head, indent, text string) {
	line, bare := head, true
	for word := range strings.FieldsSeq(text) {
		switch {
		case bare:
			line += word
		case utf8.RuneCountInString(strings.TrimLeft(line, "\n"))+1+utf8.RuneCountInString(word) > exampleWidth:
			fmt.Fprintln(w, line)
			line = indent + word
		default:
			line += " " + word
		}
		bare = false
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

func describe(w io.Writer, s *build.Schema, view string) {
	f := s.File(view)
	wrapped(w, "", "  ", fmt.Sprintf("%s: %s%s", view, f.Grain, calls(*f)))
	wrapped(w, "tells ", "  ", f.Tells)
	if len(f.Key) > 0 {
		wrapped(w, "key: ", "  ", strings.Join(f.Key, ", "))
	}
	doc := s.Doc(view)
	if doc.Comment != "" {
		wrapped(w, "\n", "", doc.Comment)
	}
	name, typ := 0, 0
	for _, c := range s.Columns(view) {
		name, typ = max(name, len(c.Name)), max(typ, len(c.Type))
	}
	if name > 0 {
		fmt.Fprintln(w)
	}
	for _, c := range s.Columns(view) {
		typed := []rune(c.Type)
		if len(typed) > longestType {
			typed = append(typed[:longestType-1], '…')
		}
		head := fmt.Sprintf("  %-*s  %-*s  ", name, c.Name, min(typ, longestType), string(typed))
		wrapped(w, head, strings.Repeat(" ", utf8.RuneCountInString(head)), doc.Columns[c.Name])
	}
	wrapped(w, "\nexample: ", "  ", f.Query)
}

package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/nearest"
	"aircheck/queries"
)

func listCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Args:  "",
		Short: "name the public views and what a row of each is",
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) > 0 {
				return cli.Usagef("list takes no arguments: 'analyze show VIEW' tells of one view")
			}
			files, err := publicFiles()
			if err != nil {
				return err
			}
			width := 0
			for _, f := range files {
				width = max(width, len(f.Name))
			}
			for _, f := range files {
				fmt.Fprintf(env.Stdout, "%-*s  %s%s\n", width, f.Name, f.Grain, calls(f))
			}
			return nil
		},
	}
}

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
		Args:  "VIEW",
		Short: "tell a view's grain, its columns with units and meaning, and its SQL",
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("want one view: analyze show VIEW")
			}
			files, err := publicFiles()
			if err != nil {
				return err
			}
			var names []string
			for _, f := range files {
				if f.Name == args[0] {
					s, err := build.LoadSchema(ctx, f.Name)
					if err != nil {
						return err
					}
					show(env.Stdout, s, f.Name)
					return nil
				}
				names = append(names, f.Name)
			}
			return noView(&build.UnknownViewError{Name: args[0], Views: names})
		},
	}
}

// noView is the usage error for a view that there is not.
func noView(unknown *build.UnknownViewError) error {
	err := cli.Fail(cli.Usage, unknown)
	if near := nearest.Likely(unknown.Name, unknown.Views); near != "" {
		return cli.Hint(err, "did you mean %s?", near)
	}
	return cli.Hint(err, "'analyze list' names them")
}

func show(w io.Writer, s *build.Schema, view string) {
	f := s.File(view)
	fmt.Fprintf(w, "%s: %s%s\n", view, f.Grain, calls(*f))
	if len(f.Key) > 0 {
		fmt.Fprintf(w, "key: %s\n", strings.Join(f.Key, ", "))
	}
	doc := s.Doc(view)
	if doc.Comment != "" {
		fmt.Fprintf(w, "\n%s\n", doc.Comment)
	}
	name, typ := 0, 0
	for _, c := range s.Columns(view) {
		name, typ = max(name, len(c.Name)), max(typ, len(c.Type))
	}
	if name > 0 {
		fmt.Fprintln(w)
	}
	for _, c := range s.Columns(view) {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("  %-*s  %-*s  %s", name, c.Name, typ, c.Type, doc.Columns[c.Name]), " "))
	}
	fmt.Fprintf(w, "\nqueries/%s\n\n%s", f.Path, f.SQL)
}

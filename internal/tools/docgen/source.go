package main

import (
	"context"
	"regexp"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/queries"
)

// source is what pages are made of.
type source struct {
	root   string
	schema *build.Schema
	db     *duck.DB // empty: for views that read no data
}

func openSource(ctx context.Context, root string) (*source, error) { return sourceOf(ctx, root, nil) }

// sourceOf is openSource for other SQL files than those of package queries.
func sourceOf(ctx context.Context, root string, files []queries.File) (*source, error) {
	schema, err := build.SchemaOf(ctx, files)
	if err != nil {
		return nil, err
	}
	db, err := duck.Open(ctx, duck.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	return &source{root, schema, db}, nil
}

func (s *source) close() { s.db.Close() }

// registry gives the rows of a view that holds its own data, as text by column.
func (s *source) registry(ctx context.Context, view, order string) ([]map[string]string, error) {
	if err := duck.Exec(ctx, s.db, view, s.schema.File(view).SQL); err != nil {
		return nil, err
	}
	t, err := duck.Query(ctx, s.db, view, "SELECT * FROM "+view+" "+order)
	if err != nil {
		return nil, err
	}
	var out []map[string]string
	for _, row := range t.Rows {
		m := map[string]string{}
		for i, c := range t.Columns {
			m[c] = duck.Text(row[i], t.Types[i])
		}
		out = append(out, m)
	}
	return out, nil
}

// prose is what a file's header says beside its directives.
func prose(f *queries.File) string {
	var lines []string
	for line := range strings.Lines(f.SQL) {
		text, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "--")
		if !ok {
			break
		}
		text = strings.TrimPrefix(text, " ")
		if directive.MatchString(text) {
			continue
		}
		lines = append(lines, text)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

var directive = regexp.MustCompile(`^[a-z0-9_]+: `)

// row writes one row of a Markdown table.
func row(w *strings.Builder, cells ...string) {
	w.WriteString("|")
	for _, c := range cells {
		w.WriteString(" " + cell.Replace(c) + " |")
	}
	w.WriteString("\n")
}

var cell = strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;")

// head writes the head of a Markdown table.
func head(w *strings.Builder, cells ...string) {
	row(w, cells...)
	w.WriteString(strings.Repeat("|---", len(cells)) + "|\n")
}

// code writes a name as code.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func codes(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, code(n))
	}
	return strings.Join(out, ", ")
}

package main

import (
	"context"
	"fmt"
	"strings"

	"aircheck/queries"
)

// viewsPage documents every public view from its SQL file and comments.
func viewsPage(_ context.Context, s *source, w *strings.Builder) error {
	w.WriteString(`# Views

What ` + "`analyze sql`" + ` can read, and ` + "`analyze export`" + ` writes. Each view is one SQL file under
[queries](../queries); ` + "`analyze show VIEW`" + ` prints the same with the SQL. Durations are milliseconds,
money is US dollars, rates are per second, shares are 0 to 1, times are UTC. NULL says that there is no
value. A cell is (provider, model, scenario, concurrency, vantage, params), a contest (model, scenario,
concurrency, vantage).

`)
	head(w, "view", "tells", "one row per")
	for _, f := range s.schema.Public() {
		row(w, fmt.Sprintf("[`%s`](#%s)", f.Name, f.Name), f.Tells, strings.TrimPrefix(f.Grain, "one row per "))
	}
	for _, f := range s.schema.Public() {
		s.view(w, &f)
	}
	return nil
}

func (s *source) view(w *strings.Builder, f *queries.File) {
	doc := s.schema.Doc(f.Name)
	fmt.Fprintf(w, "\n## %s\n\n", f.Name)
	text := doc.Comment
	if text == "" {
		text = f.Grain
	}
	fmt.Fprintf(w, "%s. [SQL](../queries/%s)\n", capital(text), f.Path)
	if len(f.Key) > 0 {
		fmt.Fprintf(w, "\nKey: %s\n", codes(f.Key))
	}
	if calls := f.Calls(); len(calls) > 0 {
		fmt.Fprintf(w, "\nMacros: %s\n", codes(calls))
	}
	if p := prose(f); p != "" {
		fmt.Fprintf(w, "\n%s\n", p)
	}
	fmt.Fprintf(w, "\n```sql\n%s\n```\n", f.Query)
	columns := s.schema.Columns(f.Name)
	if len(columns) == 0 {
		return
	}
	w.WriteString("\n")
	head(w, "column", "type", "meaning")
	for _, c := range columns {
		row(w, code(c.Name), c.Type, doc.Columns[c.Name])
	}
}

// capital begins a sentence.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".")
}

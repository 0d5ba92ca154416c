package page

import (
	"fmt"
	"html/template"
	"strings"

	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// figure is a chart with all that stands around it: the finding as its title,
// what is plotted, a key, the drawings, notes, and its numbers and query.
type figure struct {
	ID    string
	Title string // the finding, with numbers
	Sub   string // what is plotted, unit, scale, order
	Key   template.HTML
	Note  string
	About string // how many requests, from where, when, what was left out
	Table table
	SQL   string
	Drawn chart.Figure

	chart chart.Chart
}

// narrowed is a query of this package, cut down to a contest, as a reader can
// run it in any DuckDB shell.
func (c *contest) narrowed(name string, metric bool) string {
	where := c.is()
	if metric {
		where += " AND metric = " + literal(c.metric)
	}
	return fmt.Sprintf("FROM (\n%s\n)\nWHERE %s\nORDER BY ALL;", query(name), where)
}

// is narrows rows to the contest.
func (c *contest) is() string {
	s := "model = " + literal(c.model)
	where := func(column string, valid bool, value string) {
		if valid {
			s += " AND " + column + " = " + value
		} else {
			s += " AND " + column + " IS NULL"
		}
	}
	where("scenario", c.scenario.Valid, literal(c.scenario.String))
	where("concurrency", c.concurrency.Valid, fmt.Sprint(c.concurrency.Int64))
	where("vantage", c.vantage.Valid, literal(c.vantage.String))
	return s
}

// literal is a text in SQL. A character that would act in a page or a terminal
// stands as its number, so that the query can be shown, copied and run.
func literal(s string) string {
	var b strings.Builder
	split := false
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch seen := string(r); {
		case r == '\'':
			b.WriteString("''")
		case words.Visible(seen) != seen:
			split = true
			fmt.Fprintf(&b, "' || chr(%d) || '", r)
		default:
			b.WriteString(seen)
		}
	}
	if split {
		return "('" + b.String() + "')"
	}
	return "'" + b.String() + "'"
}

// where names a contest in running text: "tern-r1, short-chat".
func (c *contest) where() string {
	if c.label == "" {
		return c.lang.Name(c.model)
	}
	return c.lang.SayAs("place", "%s, %s", c.lang.Name(c.model), c.label)
}

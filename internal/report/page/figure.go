package page

import (
	"fmt"
	"html/template"
	"strings"

	"aircheck/internal/report/chart"
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

func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// where names a contest in running text: "tern-r1, short-chat".
func (c *contest) where() string {
	if c.label == "" {
		return c.lang.Name(c.model)
	}
	return c.lang.SayAs("place", "%s, %s", c.lang.Name(c.model), c.label)
}

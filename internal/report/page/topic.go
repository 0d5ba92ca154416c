package page

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// topic is a page that answers one question with tables: each is one file
// sql/pages/SLUG.N.NAME.sql, whose header says its title, what is plotted, and
// what stands in its place where it has no rows.
type topic struct {
	Slug, Nav, H1 string
}

// topics lists the pages in the order of reading.
var topics = []topic{
	{"flips", words.Later("Flips"), words.Later("Does the ranking hold from model to model?")},
	{"speed", words.Later("Speed"), words.Later("How long does one wait, and how fast do answers stream?")},
	{"cost", words.Later("Cost"), words.Later("What does a useful answer cost?")},
	{"reliability", words.Later("Reliability"), words.Later("Which requests are answered?")},
	{"load", words.Later("Load"), words.Later("What do concurrency, long prompts, silence and bursts change?")},
	{"fidelity", words.Later("Fidelity"), words.Later("Are answers whole, right and as asked?")},
	{"changes", words.Later("Changes"), words.Later("What changed over time?")},
	{"fit", words.Later("Fit"), words.Later("Who meets the limits of a workload?")},
	{"tools", words.Later("Tools"), words.Later("Why do other tools report other numbers?")},
	{"method", words.Later("Method"), words.Later("How was this measured, and what is wrong with it?")},
}

// rowsShown is how many rows of a table stand on a page; the data have all.
const rowsShown = 200

// topicFigures draws what a page of tables has to show.
func topicFigures(ctx context.Context, src Source, slug string, d *data) ([]*figure, error) {
	switch slug {
	case "load":
		return loadFigures(ctx, src, d)
	case "fidelity":
		f, err := agreementFigure(ctx, src, d)
		if f == nil {
			return nil, err
		}
		return []*figure{f}, nil
	}
	return nil, nil
}

// topicTables reads the tables of a page.
func topicTables(ctx context.Context, src Source, slug string, l *words.Language) ([]detail, error) {
	entries, err := queries.ReadDir("sql/pages")
	if err != nil {
		return nil, err
	}
	var out []detail
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".sql")
		if part := strings.Split(name, "."); part[0] != slug {
			continue
		}
		d, err := topicTable(ctx, src, name, l)
		if err != nil {
			return nil, err
		}
		out = append(out, *d)
	}
	return out, nil
}

var topicHeader = regexp.MustCompile(`(?m)^-- (title|sub|empty): (.*)$`)

// topicTable runs one query. A column "Name [unit]" is a number in that unit;
// "[lo]" and "[hi]" after it are the ends of its interval.
func topicTable(ctx context.Context, src Source, name string, l *words.Language) (*detail, error) {
	text := query("pages/" + name)
	d := &detail{ID: "t-" + slug(strings.ReplaceAll(name, ".", " "))}
	for _, m := range topicHeader.FindAllStringSubmatch(text, -1) {
		switch m[1] {
		case "title":
			d.Title = l.Term(m[2])
		case "sub":
			d.Sub = l.Term(m[2])
		case "empty":
			d.Empty = l.Term(m[2])
		}
	}
	d.SQL = strings.TrimSpace(topicHeader.ReplaceAllString(text, "")) + ";"
	d.Table.Caption = d.Title
	rows, err := src.QueryContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("%s.sql: %w", name, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	columns := columnsOf(names)
	for _, c := range columns {
		if c.unit == "lo" || c.unit == "hi" {
			continue
		}
		d.Table.Head = append(d.Table.Head, l.Term(c.name))
		if c.unit == "" || c.unit == "word" {
			d.Table.Words = append(d.Table.Words, len(d.Table.Head)-1)
		}
	}
	values, pointers := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		pointers[i] = &values[i]
	}
	n := 0
	for rows.Next() {
		if err := rows.Scan(pointers...); err != nil {
			return nil, fmt.Errorf("%s.sql: %w", name, err)
		}
		if n++; n <= rowsShown {
			d.Table.Rows = append(d.Table.Rows, row{Cells: cellsOf(l, columns, values)})
		}
	}
	if n > rowsShown {
		d.Table.Notes = append(d.Table.Notes, l.Say("the first %d of %s rows; the data have all", rowsShown, human.Count(int64(n))))
	}
	d.Table.drop(l)
	return d, rows.Err()
}

// column is a column of a query: its heading, and the unit of its numbers.
type column struct{ name, unit string }

var unitOf = regexp.MustCompile(`^(.*?) ?\[(\w+)\]$`)

func columnsOf(names []string) []column {
	out := make([]column, len(names))
	for i, n := range names {
		out[i].name = n
		if m := unitOf.FindStringSubmatch(strings.TrimRight(n, "_0123456789:")); m != nil { // the engine numbers equal names
			out[i] = column{m[1], m[2]}
		}
	}
	return out
}

// cellsOf turns a row of values into cells, each with its interval.
func cellsOf(l *words.Language, columns []column, values []any) (out []value) {
	for i := 0; i < len(columns); i++ {
		c := columns[i]
		var ends [2]any
		j := i
		for ; j+1 < len(columns) && (columns[j+1].unit == "lo" || columns[j+1].unit == "hi"); j++ {
			ends[pick(columns[j+1].unit == "lo", 0, 1)] = values[j+1]
		}
		out = append(out, cellOf(l, c.unit, values[i], ends))
		i = j
	}
	return out
}

func cellOf(l *words.Language, unit string, v any, ends [2]any) value {
	if v == nil {
		return value{Text: human.None}
	}
	if t, ok := v.(time.Time); ok {
		return text(l.Date(t, "2 Jan 2006 15:04"))
	}
	if unit == "word" {
		return text(l.Term(fmt.Sprint(v)))
	}
	switch unit {
	case "verdict":
		return text(l.Term(words.Verdict(fmt.Sprint(v))))
	case "":
		return nameOf(l, fmt.Sprint(v))
	}
	n, ok := float(v)
	if !ok {
		return nameOf(l, fmt.Sprint(v))
	}
	format := unitFormat(l, unit)
	switch unit {
	case "n":
		format = func(v float64) string { return human.Count(int64(math.Round(v))) }
	case "num":
		format = human.Number
	}
	lo, hasLo := float(ends[0])
	hi, hasHi := float(ends[1])
	if !hasLo && !hasHi {
		return text(format(n))
	}
	end := func(v float64, ok bool) string { return pick(ok, format(v), "?") }
	return text(l.Say("%s (%s to %s)", format(n), end(lo, hasLo), end(hi, hasHi)))
}

func float(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	case float32:
		return float64(v), true
	case int64:
		return float64(v), true
	case int32:
		return float64(v), true
	case int16:
		return float64(v), true
	case int8:
		return float64(v), true
	case *big.Int:
		f, _ := new(big.Float).SetInt(v).Float64()
		return f, true
	case interface{ Float64() float64 }: // a decimal
		return v.Float64(), true
	}
	return 0, false
}

// drop leaves out columns without a value, and says which.
func (t *table) drop(l *words.Language) {
	if len(t.Rows) == 0 {
		return
	}
	var gone []int
	for j := range t.Head {
		if !slices.ContainsFunc(t.Rows, func(r row) bool { return r.Cells[j].Text != human.None && r.Cells[j].Text != "" }) {
			gone = append(gone, j)
		}
	}
	if len(gone) == 0 {
		return
	}
	var names []string
	kept := func(list []string) (out []string) {
		for j, v := range list {
			if !slices.Contains(gone, j) {
				out = append(out, v)
			} else {
				names = append(names, v)
			}
		}
		return out
	}
	head := kept(t.Head)
	var words []int
	for j, at := 0, 0; j < len(t.Head); j++ {
		if slices.Contains(gone, j) {
			continue
		}
		if slices.Contains(t.Words, j) {
			words = append(words, at)
		}
		at++
	}
	t.Head, t.Words = head, words
	for i, r := range t.Rows {
		var cells []value
		for j, c := range r.Cells {
			if !slices.Contains(gone, j) {
				cells = append(cells, c)
			}
		}
		t.Rows[i].Cells = cells
	}
	if names = slices.DeleteFunc(names, func(n string) bool { return n == l.Term("Note") }); len(names) > 0 {
		t.Notes = append(t.Notes, l.Say("Nothing is known of: %s", l.Commas(names)))
	}
}

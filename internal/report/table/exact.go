// Package table writes the rows of a query: exact for machines, fitted to a
// terminal for people.
package table

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"aircheck/internal/kit/duck"
)

// Formats are the forms that [Write] knows.
var Formats = []string{"table", "json", "csv", "markdown", "vertical"}

// Rows are rows to write; Next gives nil after the last.
type Rows interface {
	Next() ([]any, error)
}

// Head names the columns of rows and their types, as DuckDB has them.
type Head struct{ Columns, Types []string }

// peek is how many rows decide how wide columns are: what follows is not held.
const peek = 10_000

// Write writes all rows and gives their number. In the forms table and vertical
// a width above 0 fits them to that many characters, with numbers rounded to
// what can be read; all else is exact.
func Write(to io.Writer, h Head, rows Rows, format string, width int) (int64, error) {
	p := &printer{Head: h, w: bufio.NewWriter(to), rows: rows}
	var err error
	switch {
	case format == "json":
		err = p.json()
	case format == "csv":
		err = p.csv()
	case format == "markdown":
		err = p.markdown()
	case format == "vertical":
		err = p.vertical(width)
	case width > 0:
		err = p.fitted(width)
	default:
		err = p.table()
	}
	if err != nil {
		return p.n, err
	}
	return p.n, p.w.Flush()
}

// printer writes rows as they come.
type printer struct {
	Head
	w    *bufio.Writer
	rows Rows
	n    int64 // rows read
}

// next reads a row, nil after the last.
func (p *printer) next() ([]any, error) {
	row, err := p.rows.Next()
	if row != nil {
		p.n++
	}
	return row, err
}

// each calls f with every row that is left.
func (p *printer) each(f func(row []any) error) error {
	for {
		row, err := p.next()
		if row == nil || err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
}

// first reads up to peek rows.
func (p *printer) first() (rows [][]any, err error) {
	for len(rows) < peek {
		row, err := p.next()
		if row == nil || err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// json writes an array of objects, a line each, keys in the query's order.
func (p *printer) json() error {
	var keys [][]byte
	for _, c := range p.Columns {
		key, err := json.Marshal(c)
		if err != nil {
			return err
		}
		keys = append(keys, key)
	}
	p.w.WriteString("[")
	err := p.each(func(row []any) error {
		if p.n > 1 {
			p.w.WriteString(",")
		}
		p.w.WriteString("\n{")
		for j, v := range row {
			if j > 0 {
				p.w.WriteString(",")
			}
			value, err := json.Marshal(duck.JSON(v, p.Types[j]))
			if err != nil {
				return err
			}
			p.w.Write(keys[j])
			p.w.WriteString(":")
			p.w.Write(value)
		}
		p.w.WriteString("}")
		return nil
	})
	if p.n > 0 {
		p.w.WriteString("\n")
	}
	p.w.WriteString("]\n")
	return err
}

func (p *printer) csv() error {
	c := csv.NewWriter(p.w)
	if err := c.Write(p.Columns); err != nil {
		return err
	}
	err := p.each(func(row []any) error { return c.Write(p.texts(row, "")) })
	c.Flush()
	return errors.Join(err, c.Error())
}

// texts writes the values of a row as text.
func (h *Head) texts(row []any, null string) []string {
	line := make([]string, len(row))
	for j, v := range row {
		if line[j] = null; v != nil {
			line[j] = duck.Text(v, h.Types[j])
		}
	}
	return line
}

// shown writes the values of a row as a terminal can show them.
func (h *Head) shown(row []any) []string {
	line := h.texts(row, "NULL")
	for j := range line {
		line[j] = Printable(line[j])
	}
	return line
}

func (p *printer) table() error {
	head, err := p.first()
	if err != nil {
		return err
	}
	g := grid{p.w, p.Head, nil}
	lines := make([][]string, len(head))
	for i, row := range head {
		lines[i] = p.shown(row)
	}
	g.begin(lines)
	return p.each(func(row []any) error { g.line(p.shown(row)); return nil })
}

// grid writes rows in columns, numbers to the right.
type grid struct {
	w *bufio.Writer
	Head
	width []int
}

// begin writes the names and the first rows, which say how wide columns are.
func (g *grid) begin(rows [][]string) {
	g.width = Widths(g.Columns, rows)
	g.line(g.Columns)
	rule := make([]string, len(g.width))
	for j, n := range g.width {
		rule[j] = strings.Repeat("-", n)
	}
	g.w.WriteString(strings.Join(rule, "  ") + "\n")
	for _, row := range rows {
		g.line(row)
	}
}

func (g *grid) line(row []string) {
	for j, v := range row {
		pad := strings.Repeat(" ", max(g.width[j]-utf8.RuneCountInString(v), 0))
		switch {
		case numeric(g.Types[j]):
			g.w.WriteString(pad + v)
		case j == len(row)-1:
			g.w.WriteString(v)
		default:
			g.w.WriteString(v + pad)
		}
		if j < len(row)-1 {
			g.w.WriteString("  ")
		}
	}
	g.w.WriteString("\n")
}

// vertical writes a line a value, for rows that are wider than a screen.
func (p *printer) vertical(width int) error {
	names := Widths(p.Columns, nil)
	widest := 0
	for _, n := range names {
		widest = max(widest, n)
	}
	err := p.each(func(row []any) error {
		if p.n > 1 {
			p.w.WriteString("\n")
		}
		line := p.shown(row)
		if width > 0 {
			line = p.readable(row)
		}
		for j, v := range line {
			if width > 0 {
				v = clip(v, max(width-widest-gap, shortest))
			}
			p.w.WriteString(p.Columns[j] + strings.Repeat(" ", widest-names[j]+gap) + v + "\n")
		}
		return nil
	})
	if width > 0 {
		p.count()
	}
	return err
}

func (p *printer) markdown() error {
	escape := strings.NewReplacer("|", `\|`, "\n", "<br>", "\r", "", "<", "&lt;")
	line := func(row []string) { p.w.WriteString("| " + strings.Join(row, " | ") + " |\n") }
	head, rule := make([]string, len(p.Columns)), make([]string, len(p.Columns))
	for j, c := range p.Columns {
		head[j], rule[j] = escape.Replace(c), "---"
		if numeric(p.Types[j]) {
			rule[j] = "---:"
		}
	}
	line(head)
	line(rule)
	return p.each(func(row []any) error {
		cells := p.texts(row, "")
		for j := range cells {
			cells[j] = escape.Replace(cells[j])
		}
		line(cells)
		return nil
	})
}

func Widths(head []string, rows [][]string) []int {
	out := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for j, v := range row {
			out[j] = max(out[j], utf8.RuneCountInString(v))
		}
	}
	return out
}

// Printable keeps what a model or a provider wrote from moving the cursor.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return '⏎'
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, s)
}

func numeric(typ string) bool {
	switch {
	case strings.HasPrefix(typ, "DECIMAL"):
		return true
	}
	switch typ {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE":
		return true
	}
	return false
}

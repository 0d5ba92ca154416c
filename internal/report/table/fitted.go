package table

import (
	"bufio"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/human"
)

const (
	gap       = 2  // between columns
	longest   = 40 // characters of a text before it is cut, where rows stand in columns
	shortest  = 10 // characters that a text keeps
	fewBlocks = 6  // rows that are shown as blocks rather than with columns left out
)

// columns are the values of a result as a person reads them, by column.
type columns struct {
	Head
	rows [][]string
}

// readable is a row as a person reads it.
func (h *Head) readable(row []any) []string {
	line := make([]string, len(row))
	for j, v := range row {
		line[j] = readable(v, h.Types[j])
	}
	return line
}

// readable writes a value with four significant figures and times to the
// millisecond; no figure left of the point is cut.
func readable(v any, typ string) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case float64:
		return figures(v)
	case float32:
		return figures(float64(v))
	case time.Time:
		if typ != "DATE" && typ != "TIME" {
			v = v.Round(time.Millisecond)
		}
		return duck.Text(v, typ)
	}
	return Printable(duck.Text(v, typ))
}

func figures(v float64) string {
	switch a := math.Abs(v); {
	case v == 0, math.IsNaN(v), math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', -1, 64)
	case a < 1e-5:
		return strconv.FormatFloat(v, 'e', 1, 64)
	default:
		decimals := max(3-int(math.Floor(math.Log10(a))), 0)
		s := strconv.FormatFloat(v, 'f', decimals, 64)
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	}
}

// fitted writes rows within width. What does not fit is, in this order: a value
// that all rows share, told once below; the end of a long text; then, of few
// rows, the columns themselves, which become lines of a block; of many, the
// last columns, whose names are told.
func (p *printer) fitted(width int) error {
	head, err := p.first()
	if err != nil {
		return err
	}
	all := columns{Head: p.Head, rows: make([][]string, len(head))}
	for i, row := range head {
		all.rows[i] = p.readable(row)
	}
	shown := make([]int, len(p.Columns))
	for j := range shown {
		shown[j] = j
	}
	limits := make([]int, len(p.Columns))
	for j := range limits {
		limits[j] = longest
	}
	var shared, left []int
	if all.limited(limits).width(shown) > width && len(head) > 1 && len(head) < peek {
		shown, shared = all.apart()
	}
	all.shrink(limits, shown, width)
	cut := all.limited(limits)
	if cut.width(shown) > width && len(head) <= fewBlocks {
		p.rows, p.n = &list{rows: head}, 0
		return p.vertical(width)
	}
	for len(shown) > 1 && cut.width(shown) > width {
		at := len(shown) - 1
		if i := slices.IndexFunc(shown, func(j int) bool { return key(p.Columns[j]) }); i >= 0 {
			at = i
		}
		left, shown = append(left, shown[at]), slices.Delete(slices.Clone(shown), at, at+1)
	}
	slices.Sort(left)
	sub := cut.only(shown)
	g := grid{p.w, sub.Head, nil}
	g.begin(sub.rows)
	err = p.each(func(row []any) error {
		one := columns{Head: p.Head, rows: [][]string{p.readable(row)}}
		g.line(one.limited(limits).only(shown).rows[0])
		return nil
	})
	if err != nil {
		return err
	}
	p.count()
	if len(shared) > 0 {
		var list []string
		for _, j := range shared {
			list = append(list, p.Columns[j]+" "+clip(all.rows[0][j], longest))
		}
		paragraph(p.w, "the same in all rows: ", list, width)
	}
	if len(left) > 0 {
		var list []string
		for _, j := range left {
			list = append(list, p.Columns[j])
		}
		paragraph(p.w, "left out, since they do not fit (--format vertical or csv has them): ", list, width)
	}
	return nil
}

// list is rows that are held.
type list struct {
	rows [][]any
	next int
}

func (l *list) Next() ([]any, error) {
	if l.next == len(l.rows) {
		return nil, nil
	}
	l.next++
	return l.rows[l.next-1], nil
}

func (p *printer) count() {
	rows := "rows"
	if p.n == 1 {
		rows = "row"
	}
	fmt.Fprintf(p.w, "(%s %s)\n", human.Count(p.n), rows)
}

// paragraph writes a list over as many lines as it takes.
func paragraph(w *bufio.Writer, head string, list []string, width int) {
	line := ""
	for word := range strings.FieldsSeq(head + strings.Join(list, ", ")) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width:
			w.WriteString(line + "\n")
			line = "  " + word
		default:
			line += " " + word
		}
	}
	w.WriteString(line + "\n")
}

// width is what the columns take beside each other.
func (c columns) width(which []int) int {
	all := Widths(c.Columns, c.rows)
	sum := gap * max(len(which)-1, 0)
	for _, j := range which {
		sum += all[j]
	}
	return sum
}

func (c columns) only(which []int) columns {
	out := columns{rows: make([][]string, len(c.rows))}
	for _, j := range which {
		out.Columns, out.Types = append(out.Columns, c.Columns[j]), append(out.Types, c.Types[j])
		for i := range c.rows {
			out.rows[i] = append(out.rows[i], c.rows[i][j])
		}
	}
	return out
}

// apart tells columns that differ between rows from those that do not. One
// column stays, whatever it holds.
func (c columns) apart() (differ, same []int) {
	for j := range c.Columns {
		equal := true
		for i := range c.rows {
			equal = equal && c.rows[i][j] == c.rows[0][j]
		}
		if equal {
			same = append(same, j)
		} else {
			differ = append(differ, j)
		}
	}
	if len(differ) == 0 {
		differ, same = same[:1], same[1:]
	}
	return differ, same
}

// limited ends texts after the characters that their columns have.
func (c columns) limited(limits []int) columns {
	out := columns{Head: c.Head, rows: make([][]string, len(c.rows))}
	for i, row := range c.rows {
		out.rows[i] = make([]string, len(row))
		for j, v := range row {
			if !whole(c.Types[j]) {
				v = clip(v, limits[j])
			}
			out.rows[i][j] = v
		}
	}
	return out
}

// shrink lowers the limits of the widest texts until the columns fit, or none
// can give more.
func (c columns) shrink(limits, which []int, width int) {
	cut := c.limited(limits)
	values := Widths(make([]string, len(c.Columns)), cut.rows)
	for sum := cut.width(which); sum > width; sum-- {
		widest := -1
		for _, j := range which {
			floor := max(shortest, utf8.RuneCountInString(c.Columns[j]))
			if !whole(c.Types[j]) && values[j] > floor && (widest < 0 || values[j] > values[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			return
		}
		values[widest]--
		limits[widest] = values[widest]
	}
}

// key reports whether a column joins views, and tells a person nothing.
func key(column string) bool {
	return column == "cell_id" || column == "contest_id" || column == "params"
}

// whole reports whether a value of the type says nothing once it is cut.
func whole(typ string) bool {
	return numeric(typ) || strings.HasPrefix(typ, "TIMESTAMP") || typ == "DATE" || typ == "BOOLEAN"
}

func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:max(n-1, 0)]) + "…"
}

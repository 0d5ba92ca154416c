package page

import (
	"fmt"
	"slices"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// table is a plain table of values.
type table struct {
	Caption string
	Head    []string
	Left    int   // leading columns of text; the others are numbers
	Words   []int // further columns of text
	Rows    []row
	Notes   []string // what the marks in it mean
}

type row struct {
	ID    string // its anchor; "" for none
	Cells []value
}

// value is a cell: a text, or "–" with the reason why there is none.
type value struct {
	Text string
	Why  string // reason of a missing value
	Best bool   // the best of its column
	Few  bool   // from under 25 requests
	Note bool   // a note below the table says what it leaves out
	Open bool   // not bounded by the sample
}

func text(s string) value { return value{Text: s} }

// nameOf is a cell with a name out of the recording.
func nameOf(l *words.Language, s string) value { return text(l.Name(s)) }

// Reasons for a missing value that stand wherever there are tables; the page
// says them in its language.
var (
	whyP99      = words.Later("not shown under 100 requests")
	whyPrice    = words.Later("no price is known")
	whyNotRated = words.Later("not ranked")
	whyUnknown  = words.Later("not known")
)

// show formats v, or gives the reason why there is no value.
func show(v *float64, format func(float64) string, why string) value {
	if v == nil {
		return value{Text: human.None, Why: why}
	}
	return value{Text: format(*v)}
}

func showCount(v *int64) value {
	if v == nil {
		return value{Text: human.None, Why: whyUnknown}
	}
	return value{Text: human.Count(*v)}
}

// few is the number of requests below which a cell is marked.
const few = 25

func isFew(n *int64) bool { return n != nil && *n < few }

// interval writes a value with the interval that the sample allows: an end
// that it cannot bound is left open.
func interval(l *words.Language, v, lo, hi *float64, format func(float64) string, why string) value {
	if v == nil {
		return value{Text: human.None, Why: why}
	}
	if lo == nil && hi == nil {
		return value{Text: format(*v)}
	}
	return value{Text: l.Say("%s (%s to %s)", format(*v), open(lo, format), open(hi, format))}
}

func open(v *float64, format func(float64) string) string {
	if v == nil {
		return "?"
	}
	return format(*v)
}

// note collects what the marks of a table mean: "– rank, p50: no answer arrived".
func (t *table) note(l *words.Language) {
	var reasons []string
	columns := map[string][]string{}
	marked, opened := false, false
	for _, r := range t.Rows {
		for i, c := range r.Cells {
			if c.Why != "" {
				if columns[c.Why] == nil {
					reasons = append(reasons, c.Why)
				}
				if !slices.Contains(columns[c.Why], t.Head[i]) {
					columns[c.Why] = append(columns[c.Why], t.Head[i])
				}
			}
			marked, opened = marked || c.Few, opened || c.Open
		}
	}
	for _, why := range reasons {
		t.Notes = append(t.Notes, l.Say("– %s: %s", l.Commas(columns[why]), l.Term(why)))
	}
	if opened {
		t.Notes = append(t.Notes, l.Say("Grey: too few requests to bound it"))
	}
	if marked {
		t.Notes = append(t.Notes, l.Say("* fewer than %d requests", few))
	}
}

// rank writes the ranks that a provider cannot be told apart from: "1", "1–3".
func rank(lo, hi *int64) value {
	switch {
	case lo == nil || hi == nil:
		return value{Text: human.None, Why: whyNotRated}
	case *lo == *hi:
		return text(fmt.Sprint(*lo))
	}
	return text(fmt.Sprintf("%d–%d", *lo, *hi))
}

// unitFormat formats a metric's values by its unit.
func unitFormat(l *words.Language, unit string) func(float64) string {
	return func(v float64) string { return l.Value(v, unit) }
}

func cells(values ...value) row { return row{Cells: values} }

// Num says whether a column holds numbers.
func (t table) Num(i int) bool { return i >= t.Left && !slices.Contains(t.Words, i) }

// Package words states findings in words, once for the closing screen, the
// report and the comparisons. A sentence says what the numbers say and no more:
// a tie is called a tie, a tendency a tendency. Sentences begin as they stand in
// running text and have no full stop.
package words

import (
	"fmt"
	"math"
	"strings"

	"aircheck/internal/kit/human"
)

// Metric is a row of the view metrics: what sentences need of it.
type Metric struct {
	Name, Unit             string
	Higher                 bool
	MarginRatio, MarginAbs *float64
	Words
	Language *Language // nil is English on a terminal
}

// Words are those of a metric.
type Words struct {
	Heading string // name of the quantity
	Does    string // what one provider does: "starts"
	Do      string // the same, of several
	Within  string // what happens within a time: "first tokens arrive"; "" where the metric is no time
	Best    string // how the best does it: "first"
	Better  string // the better of two: "faster"
	Worse   string // the other
}

// MetricColumns are the columns of the view metrics that [Metric.Into] takes.
const MetricColumns = "metric, unit, better = 'higher', margin_ratio, margin_abs, heading, verb, verb_plural, coalesce(event, ''), superlative, comparative, opposite"

// Into are the fields that a row of [MetricColumns] is scanned into.
func (m *Metric) Into() []any {
	return []any{&m.Name, &m.Unit, &m.Higher, &m.MarginRatio, &m.MarginAbs, &m.Heading, &m.Does, &m.Do, &m.Within, &m.Best, &m.Better, &m.Worse}
}

// share reports whether values are shares: percentages are told, not times.
func (m Metric) share() bool { return m.Unit == "share" }

// within says by which margin two values are too near to be told apart, however
// sure they are: "less than 50 ms apart"; "" where they lie further apart.
func (m Metric) within(a, b float64) string {
	switch {
	case m.MarginAbs != nil && math.Abs(a-b) < *m.MarginAbs && m.share():
		return m.Language.Say("less than %s apart", m.Language.Count(int64(math.Round(100**m.MarginAbs)), "point"))
	case m.MarginAbs != nil && math.Abs(a-b) < *m.MarginAbs:
		return m.Language.Say("less than %s apart", m.Language.Value(*m.MarginAbs, m.Unit))
	case m.MarginRatio != nil && max(a, b) < (1+*m.MarginRatio)*min(a, b):
		return m.Language.Say("less than %s apart", fmt.Sprintf("%.3g%%", 100**m.MarginRatio))
	}
	return ""
}

// Below is the level that lies under another by the margin, for a metric of which
// less is better.
func (m Metric) Below(v float64) float64 {
	below := v
	if m.MarginRatio != nil {
		below = min(below, v/(1+*m.MarginRatio))
	}
	if m.MarginAbs != nil {
		below = min(below, v-*m.MarginAbs)
	}
	return max(below, 0)
}

// Margin says what two values must differ by at least: "10% and 50 ms", "" for a
// metric without a margin.
func (m Metric) Margin() string {
	var parts []string
	if m.MarginRatio != nil {
		parts = append(parts, fmt.Sprintf("%.3g%%", 100**m.MarginRatio))
	}
	if m.MarginAbs != nil {
		parts = append(parts, m.Language.Value(*m.MarginAbs, m.Unit))
	}
	return m.Language.List(parts)
}

// Value writes a value in its unit, as the registry names it.
func Value(v float64, unit string) string { return (*Language)(nil).Value(v, unit) }

// List writes "A", "A and B", "A, B and C".
func List(names []string) string { return (*Language)(nil).List(names) }

// Capital begins a sentence. A name that begins it keeps its own first letter,
// so only the openings that this package writes itself are raised.
func Capital(s string) string {
	for _, opening := range []string{"no ", "half ", "both ", "cannot tell ", "the ", "a tendency"} {
		if strings.HasPrefix(s, opening) {
			return strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return s
}

// Count writes "1 window", "12 windows".
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return human.Count(n) + " " + noun + "s"
}

package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"aircheck/internal/human"
)

// The report's sentences. Each says what the numbers say and no more: a tie is
// called a tie, a tendency a tendency.

// words of a time metric.
type words struct {
	name   string // of the quantity, as a heading
	does   string // what a fast provider does first: "starts"
	plural string
	within string // what happens within a time: "begin"
}

var metricWords = map[string]words{
	"ttft_net_ms": {"Time to first token", "starts", "start", "begin"},
	"ttft_ms":     {"Time to first token", "starts", "start", "begin"},
	"e2e_ms":      {"Time to the whole answer", "finishes", "finish", "are complete"},
}

func (c *contest) words() words {
	if w, ok := metricWords[c.metric]; ok {
		return w
	}
	return words{"Time", "answers", "answer", "arrive"}
}

// timed are the cells that have a time, the smallest median first.
func (c *contest) timed() []cell {
	var cells []cell
	for _, x := range c.cells {
		if x.p50 != nil {
			cells = append(cells, x)
		}
	}
	slices.SortStableFunc(cells, func(a, b cell) int { return cmp.Compare(*a.p50, *b.p50) })
	return cells
}

// leaders are the providers that no other is shown to beat.
func (c *contest) leaders() []cell {
	var lead []cell
	for _, x := range c.timed() {
		if x.rankLo != nil && *x.rankLo == 1 {
			lead = append(lead, x)
		}
	}
	return lead
}

// finding is the contest in one sentence, without a full stop.
func (c *contest) finding() string {
	w, timed, lead := c.words(), c.timed(), c.leaders()
	switch {
	case len(timed) == 0:
		return "No answer arrived from any provider"
	case len(timed) == 1:
		return fmt.Sprintf("%s: half of its answers %s within %s", timed[0].provider, w.within, human.Millis(*timed[0].p50))
	case len(lead) == 1:
		next := timed[0]
		if next.provider == lead[0].provider {
			next = timed[1]
		}
		return fmt.Sprintf("%s %s first, %s faster than %s", lead[0].provider, w.does, human.Ratio(*next.p50 / *lead[0].p50), next.provider)
	case len(lead) == 2 || len(lead) == 3:
		return fmt.Sprintf("%s %s first; the data cannot tell them apart", list(providers(lead)), w.plural)
	case len(lead) > 3:
		return fmt.Sprintf("No clear leader: %d of %d providers cannot be told apart", len(lead), len(timed))
	}
	return fmt.Sprintf("%s has the smallest median, %s; no rank is known", timed[0].provider, human.Millis(*timed[0].p50))
}

func providers(cells []cell) []string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.provider
	}
	return names
}

// list writes "A", "A and B", "A, B and C".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// side is a flip seen from the provider that is faster on the first model.
type side struct {
	fast, slow string // on model1; the other way round on model2
	model1     string
	model2     string
	times1     float64 // how many times faster on model1, above 1
	times2     float64 // how many times slower on model2, above 1
	lo1, hi1   *float64
	lo2, hi2   *float64
	supported  bool
	evidence   string
	n1, n2     *int64
}

// sides turns flips of one metric into sentences' parts, the strongest first:
// supported before tendencies, then by the smaller of the two ratios.
func sides(flips []flip, metric string) []side {
	var all []side
	for _, f := range flips {
		if f.metric != metric || f.ratio1 == nil || f.ratio2 == nil {
			continue
		}
		s := side{fast: f.b, slow: f.a, model1: f.at1, model2: f.at2, times1: *f.ratio1, times2: 1 / *f.ratio2,
			lo1: f.ratio1Lo, hi1: f.ratio1Hi, lo2: inverse(f.ratio2Hi), hi2: inverse(f.ratio2Lo),
			supported: f.verdict.String == "supported", evidence: f.evidence.String, n1: f.n1, n2: f.n2}
		if *f.ratio1 < 1 {
			s.fast, s.slow, s.times1, s.times2 = f.a, f.b, 1 / *f.ratio1, *f.ratio2
			s.lo1, s.hi1, s.lo2, s.hi2 = inverse(f.ratio1Hi), inverse(f.ratio1Lo), f.ratio2Lo, f.ratio2Hi
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b side) int {
		if a.supported != b.supported {
			if a.supported {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(math.Min(b.times1, b.times2), math.Min(a.times1, a.times2)),
			cmp.Compare(a.fast, b.fast), cmp.Compare(a.slow, b.slow), cmp.Compare(a.model1, b.model1), cmp.Compare(a.model2, b.model2))
	})
	return all
}

func inverse(v *float64) *float64 {
	if v == nil || *v == 0 {
		return nil
	}
	return new(1 / *v)
}

// headline is a flip in one sentence, without a full stop.
func (s side) headline(w words) string {
	return fmt.Sprintf("%s %s %s faster than %s on %s, and %s slower on %s",
		s.fast, w.does, human.Ratio(s.times1), s.slow, s.model1, human.Ratio(s.times2), s.model2)
}

// strength says how far a flip can be relied on.
func (s side) strength() string {
	if s.supported {
		return "Both differences hold up in the test across windows."
	}
	return "That is a tendency, not a finding: the data are too few, or the difference too small, to rule out chance."
}

// dates writes a span of time: "2–8 March 2026", "28 February – 3 March 2026".
func dates(from, to time.Time) string {
	from, to = from.UTC(), to.UTC()
	switch {
	case from.Format("20060102") == to.Format("20060102"):
		return to.Format("2 January 2006")
	case from.Format("200601") == to.Format("200601"):
		return from.Format("2") + "–" + to.Format("2 January 2006")
	case from.Year() == to.Year():
		return from.Format("2 January") + " – " + to.Format("2 January 2006")
	}
	return from.Format("2 January 2006") + " – " + to.Format("2 January 2006")
}

// plural writes "1 provider", "12 providers".
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return human.Count(n) + " " + noun + "s"
}

// lower is a heading in running text.
func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

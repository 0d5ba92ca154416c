package page

import (
	"cmp"
	"fmt"
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
	do     string // the same, of several
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

// finding is the contest in one sentence, to follow the model's name: without a
// full stop, and with a capital only where a name has one.
func (c *contest) finding() string {
	w, timed, lead := c.words(), c.timed(), c.leaders()
	switch {
	case len(timed) == 0:
		return "no answer arrived from any provider"
	case len(timed) == 1:
		return fmt.Sprintf("half of %s’s answers %s within %s", timed[0].provider, w.within, human.Millis(*timed[0].p50))
	case len(lead) > 1 && !decided(timed):
		return fmt.Sprintf("%s tends to %s first, %s faster than %s by the median", timed[0].provider, w.do, human.Ratio(*timed[1].p50 / *timed[0].p50), timed[1].provider)
	case len(lead) == 1:
		next := timed[0]
		if next.provider == lead[0].provider {
			next = timed[1]
		}
		return fmt.Sprintf("%s %s first, %s faster than %s", lead[0].provider, w.does, human.Ratio(*next.p50 / *lead[0].p50), next.provider)
	case len(lead) == 2 || len(lead) == 3:
		return fmt.Sprintf("%s %s first, too close to rank", list(providers(lead)), w.do)
	case len(lead) > 3:
		return fmt.Sprintf("no clear leader: %d of %d providers are too close to rank", len(lead), len(timed))
	}
	return fmt.Sprintf("%s has the smallest median, %s; no rank is known", timed[0].provider, human.Millis(*timed[0].p50))
}

// decided says whether the test tells any two providers apart.
func decided(timed []cell) bool {
	return slices.ContainsFunc(timed, func(x cell) bool {
		return x.rankLo != nil && int(*x.rankHi-*x.rankLo)+1 < len(timed)
	})
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

// strongest sorts the flips of one metric: supported before tendencies, those in
// the setting before others, then by the smaller of the two ratios.
func strongest(flips []flip, metric string, setting key) []flip {
	var all []flip
	for _, f := range flips {
		if f.metric == metric && f.times1 != nil && f.times2 != nil {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b flip) int {
		return cmp.Or(first(a.supported(), b.supported()), first(a.setting() == setting, b.setting() == setting),
			cmp.Compare(min(*b.times1, *b.times2), min(*a.times1, *a.times2)),
			cmp.Compare(a.leader1, b.leader1), cmp.Compare(a.leader2, b.leader2), cmp.Compare(a.model, b.model), cmp.Compare(a.model2, b.model2))
	})
	return all
}

// first sorts what is true before what is not.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// headline is a flip in one sentence, without a full stop.
func (f *flip) headline(w words) string {
	return fmt.Sprintf("%s %s %s faster than %s on %s, and %s slower on %s",
		f.leader1, pick(f.supported(), w.does, "tends to "+w.do), human.Ratio(*f.times1), f.leader2, f.model, human.Ratio(*f.times2), f.model2)
}

// strength says how far a flip can be relied on.
func (f *flip) strength() string {
	if f.supported() {
		return "Both differences hold up in the test across windows."
	}
	return "That is a tendency, not a finding: chance is not ruled out."
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

// capital begins a sentence. A name that begins it keeps its own first letter,
// so only the openings that this package writes itself are raised.
func capital(s string) string {
	for _, opening := range []string{"no ", "half "} {
		if strings.HasPrefix(s, opening) {
			return strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return s
}

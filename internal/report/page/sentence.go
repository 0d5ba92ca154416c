package page

import (
	"cmp"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"aircheck/internal/report/words"
)

// What the sentences of the report are made of; package sentence words them.

func (c *contest) words() words.Words {
	if c.metric == "" {
		return c.lang.Metric(words.Metric{Name: "any time", Words: words.Words{Heading: "Time", Does: "answers", Do: "answer", Within: "answers arrive", Best: "first", Better: "faster", Worse: "slower"}}).Words
	}
	return c.metrics[c.metric].Words
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
	var all []words.Standing
	for _, x := range c.timed() {
		all = append(all, words.Standing{Provider: x.provider, Value: *x.p50, RankLo: x.rankLo, RankHi: x.rankHi})
	}
	if len(all) == 0 && slices.ContainsFunc(c.cells, func(x cell) bool { return orZero(x.answered) > 0 }) {
		return c.lang.Say("no times are known")
	}
	return words.Contest(c.metrics[c.metric], all)
}

// dearness says who costs least per 1,000 useful answers, by the ranks of that
// metric; "" where fewer than two providers have a price.
func (c *contest) dearness() string {
	var all []words.Standing
	for _, x := range c.cells {
		if x.cost != nil {
			all = append(all, words.Standing{Provider: x.provider, Value: 1000 * *x.cost, RankLo: x.costRankLo, RankHi: x.costRankHi})
		}
	}
	if len(all) < 2 {
		return ""
	}
	finding := words.Contest(c.metrics["cost_per_useful_usd"], all)
	return pick(c.checked(), c.lang.Say("Per 1,000 useful answers, %s.", finding), c.lang.Say("Per 1,000 completed answers, %s.", finding))
}

// strongest sorts the flips of one metric: supported before tendencies, those in
// the setting before others, then by the smaller of the two ratios.
func strongest(flips []flip, metric string, setting key) []flip {
	var all []flip
	for _, f := range flips {
		if f.metric.Name == metric && f.times1 != nil && f.times2 != nil {
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

// strength says how far a flip can be relied on.
func (f *flip) strength(l *words.Language) string {
	if f.supported() {
		return l.Sentence(words.Capital(f.words().Hold()))
	}
	return l.Say("That is a tendency, not a finding: chance is not ruled out.")
}

// dates writes a span of time: "2–8 March 2026", "28 February – 3 March 2026".
func dates(l *words.Language, from, to time.Time) string {
	from, to = from.UTC(), to.UTC()
	switch {
	case from.Format("20060102") == to.Format("20060102"):
		return l.Date(to, "2 January 2006")
	case from.Format("200601") == to.Format("200601"):
		return l.SayAs("within a month", "%s–%s", l.Date(from, "2"), l.Date(to, "2 January 2006"))
	case from.Year() == to.Year():
		return l.SayAs("within a year", "%s – %s", l.Date(from, "2 January"), l.Date(to, "2 January 2006"))
	}
	return l.Say("%s – %s", l.Date(from, "2 January 2006"), l.Date(to, "2 January 2006"))
}

// lower is a heading in running text.
func lower(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(first)) + s[n:]
}

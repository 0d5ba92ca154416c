package page

import (
	"maps"
	"math"
	"slices"
	"strings"

	"aircheck/internal/report/words"
)

// headline is the first page's answer in one sentence: what is decided, the
// widest first, before what is open.
func headline(main []*contest, flips []flip, best []champion) string {
	l := main[0].lang
	open := champions(best, main[0].metric, main)
	switch decided := mostEvident(main, (*contest).decided); {
	case len(main) == 1:
		return l.Say("On %s, %s", l.Name(main[0].model), main[0].finding())
	case len(flips) > 0 && flips[0].supported():
		if s, weight := leader(main); weight > weightOf(flips, main) {
			return s
		}
		return flips[0].claimed(main)
	case open != nil && open.Claim != "":
		return words.Capital(open.Text())
	case decided != nil:
		return l.Say("On %s, %s", decided.where(), decided.finding())
	case len(flips) > 0:
		return flips[0].claimed(main)
	case open != nil:
		return words.Capital(open.Text())
	}
	if c := mostEvident(main, (*contest).contested); c != nil {
		return l.Say("On %s, %s", c.where(), c.finding())
	}
	return l.Say("%d models were measured, none on more than one provider", len(main))
}

// claimed is the flip's claim with what both of its contests have in common, where
// the dataset has others: what holds from one place must not read as holding from
// all.
func (f *flip) claimed(main []*contest) string {
	for _, c := range main {
		if c.key == f.key && c.label != "" {
			return c.lang.Say("%s (%s)", f.words().Claim(), c.label)
		}
	}
	return f.words().Claim()
}

// Findings about the market compete by size of effect (doublings) times the share
// of the market that they tell of.

// leader says that one provider is clearly first on several models, and by how
// much it typically leads the next; "" where none is.
func leader(main []*contest) (sentence string, weight float64) {
	wins, contested := map[string][]float64{}, 0
	for _, c := range main {
		if !c.contested() {
			continue
		}
		contested++
		if lead, timed := c.leaders(), c.timed(); len(lead) == 1 && timed[0].provider == lead[0].provider && *timed[0].p50 > 0 {
			wins[lead[0].provider] = append(wins[lead[0].provider], *timed[1].p50 / *timed[0].p50)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(wins)) {
		ratios := slices.Sorted(slices.Values(wins[p]))
		typical := ratios[(len(ratios)-1)/2]
		if w := math.Log2(typical) * float64(len(ratios)) / float64(contested); len(ratios) > 1 && w > weight {
			l, by := main[0].lang, main[0].words()
			sentence, weight = l.Say("%s %s %s on %d of %d models, typically %s %s than the next", l.Name(p), by.Does, by.Best, len(ratios), contested, l.Ratio(typical), by.Better), w
		}
	}
	return sentence, weight
}

// weightOf is that of the strongest flip: its smaller ratio, and the share of the
// pairs of providers that trade places at all.
func weightOf(flips []flip, main []*contest) float64 {
	pairs, names := map[[2]string]bool{}, map[string]bool{}
	for _, f := range flips {
		if f.supported() {
			pairs[[2]string{min(f.leader1, f.leader2), max(f.leader1, f.leader2)}] = true
		}
	}
	for _, c := range main {
		for _, x := range c.timed() {
			names[x.provider] = true
		}
	}
	n := float64(len(names))
	return math.Log2(min(*flips[0].times1, *flips[0].times2)) * float64(len(pairs)) / max(n*(n-1)/2, 1)
}

// event says what happened to the provider of a log in which none are compared:
// the longest outage of ten minutes or more, and the largest change of its times.
func event(main []*contest, d *data) (sentence string) {
	if slices.ContainsFunc(main, (*contest).contested) {
		return ""
	}
	l := d.lang
	var parts []string
	if f := longestOutage(d.facts); f != nil && *f.a >= 600_000 {
		parts = append(parts, l.Say("%s answered nothing on %s for at least %s", l.Name(f.provider.String), l.Name(f.model.String), longTime(l, *f.a)))
	}
	if f := largestMove(d.facts); f != nil {
		parts = append(parts, moved(l, d.metrics, *f))
	}
	return strings.TrimRight(l.Clauses(parts), ".。")
}

// nobody says who was asked and why none answered; "" where one did.
func nobody(all []*contest, d *data) string {
	l := d.lang
	var asked []string
	for _, c := range all {
		for _, x := range c.cells {
			if orZero(x.answered) > 0 {
				return ""
			}
			if !slices.Contains(asked, x.provider) {
				asked = append(asked, x.provider)
			}
		}
	}
	slices.Sort(asked)
	most := map[string]failure{}
	for _, f := range d.failures {
		if f.n > most[f.provider].n {
			most[f.provider] = f
		}
	}
	var why []string
	for _, p := range asked[:min(len(asked), 5)] {
		f, ok := most[p]
		switch {
		case !ok:
		case f.status != nil && *f.status >= 400:
			why = append(why, l.Say("%d at %s", *f.status, l.Name(p)))
		default:
			why = append(why, l.Say("%s at %s", l.Term(strings.ReplaceAll(f.outcome, "_", " ")), l.Name(p)))
		}
	}
	s := l.Say("Asked %s, none answered", l.Count(int64(len(asked)), "provider"))
	if len(asked) == 1 {
		s = l.Say("Asked %s, which did not answer", l.Name(asked[0]))
	}
	if len(why) > 0 {
		s = l.Say("%s: %s", s, l.Commas(why))
	}
	return s
}

func (c *contest) contested() bool { return len(c.timed()) > 1 }

func (c *contest) decided() bool { return c.contested() && len(c.leaders()) == 1 }

// mostEvident is the contest with the most evidence of those that fit; nil
// without any.
func mostEvident(main []*contest, fits func(*contest) bool) *contest {
	some := slices.DeleteFunc(slices.Clone(main), func(c *contest) bool { return !fits(c) })
	if len(some) == 0 {
		return nil
	}
	return slices.MinFunc(some, func(a, b *contest) int {
		var x, y words.Evidence
		a.evidence(&x)
		b.evidence(&y)
		return x.Compare(y)
	})
}

// champions is the answer for a metric in the scenario that the pages show
// first; nil where fewer than two models are contested in it.
func champions(all []champion, metric string, main []*contest) *words.Champion {
	for _, c := range all {
		if c.Metric.Name == metric && c.scenario == main[0].scenario.String {
			if c.unbeaten != "" {
				c.Unbeaten = strings.Split(c.unbeaten, ", ")
			}
			if slices.ContainsFunc(all, func(o champion) bool { return o.scenario != c.scenario }) {
				c.In = c.scenario
			}
			return &c.Champion
		}
	}
	return nil
}

// lead is the paragraph below the headline: what is sure, what it costs, how to
// read the ranks.
func lead(main []*contest, flips []flip, best []champion) []string {
	l := main[0].lang
	var out []string
	h := headline(main, flips, best)
	if len(flips) > 0 && h == flips[0].claimed(main) {
		out = append(out, flips[0].strength(l))
	} else if c := champions(best, main[0].metric, main); c != nil && h != words.Capital(c.Text()) {
		out = append(out, l.Sentence(words.Capital(c.Text())))
	}
	if c := champions(best, "cost_per_useful_usd", main); c != nil {
		out = append(out, l.Sentence(words.Capital(c.Text())))
	} else if s := main[0].dearness(); s != "" && len(main) == 1 {
		out = append(out, s)
	}
	for _, c := range main {
		for _, x := range c.cells {
			if x.rankLo != nil && *x.rankHi > *x.rankLo {
				return append(out, l.Say("Ranks such as 1–3 are shared: within the margin (%s), or too close to tell apart.", c.metrics[c.metric].Margin()))
			}
		}
	}
	return out
}

// modelLead is the paragraph below a model's headline.
func modelLead(c *contest, flips []flip) []string {
	l := c.lang
	var out []string
	if timed := c.timed(); len(timed) > 0 {
		x, w := timed[0], c.words()
		half := l.Say("Half of %s’s %s within %s.", l.Name(x.provider), w.Within, l.Millis(*x.p50))
		if x.p95Hi != nil {
			half = l.Say("Half of %s’s %s within %s, 95 of 100 within %s.", l.Name(x.provider), w.Within, l.Millis(*x.p50), l.Millis(*x.p95))
		}
		out = append(out, half)
		if at := c.afterThinking(x.provider); at != nil {
			out = append(out, l.Say("They are thinking: half of its answers begin within %s.", l.Millis(*at)))
		}
	}
	if s := c.dearness(); s != "" {
		out = append(out, s)
	}
	for _, f := range flips {
		if f.setting() != c.setting() {
			continue
		}
		doubt := pick(f.supported(), "", l.Say(" (a tendency)"))
		if f.model == c.model {
			return append(out, l.Say("%s is %s faster than %s here, but %s slower on %s%s.",
				l.Name(f.leader1), l.Ratio(*f.times1), l.Name(f.leader2), l.Ratio(*f.times2), l.Name(f.model2), doubt))
		}
		if f.model2 == c.model {
			return append(out, l.Say("%s is %s faster than %s here, but %s slower on %s%s.",
				l.Name(f.leader2), l.Ratio(*f.times2), l.Name(f.leader1), l.Ratio(*f.times1), l.Name(f.model), doubt))
		}
	}
	return out
}

// afterThinking is the median time at which a provider's answers begin, where
// its first tokens are thinking; else nil.
func (c *contest) afterThinking(provider string) *float64 {
	visible := slices.ContainsFunc(c.thoughts, func(t thought) bool { return t.provider == provider && t.ofTime != nil && *t.ofTime > 0 })
	i := slices.IndexFunc(c.measures, func(m measure) bool { return m.provider == provider && m.metric == "ttfat_ms" })
	if !visible || i < 0 || !strings.HasPrefix(c.metric, "ttft_") {
		return nil
	}
	return c.measures[i].p50
}

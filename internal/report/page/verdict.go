package page

import (
	"html/template"
	"slices"
	"strings"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// verdict is the table that a reader came for: one line a provider, its times
// on a shared axis, its cost, its availability.
type verdict struct {
	ID        string
	Caption   string // for screen readers
	What      string // the quantity of the range column
	Axis      template.HTML
	Legend    bool // whether to say what the marks are: once a page
	CostHead  string
	Answered  string // head of the last column
	Useful    string // head of the share of useful results; "" where it is that of answers
	Fit       string // head of the column of advice; "" where there is none
	Whole     string // head of the time of whole answers; "" where no other time ranks
	Speed     string // head of the output speed; "" where none is known
	HasCost   bool
	HasUptime bool
	Rows      []verdictRow
	Notes     []string
}

type verdictRow struct {
	ID                string
	Provider          string
	Rank, P50, P95, N value
	Fit               fitCell
	Whole, Speed      value
	Range             template.HTML
	Cost              value
	CostBar           template.HTML
	Uptime            template.HTML
	Share, Useful     value
}

// scaleOf is an axis on which all times of the contests have room.
func scaleOf(all ...*contest) chart.Scale {
	var times []float64
	for _, c := range all {
		for _, x := range c.cells {
			for _, q := range []*float64{x.p50, x.p95, x.p99} {
				if positive(q) {
					times = append(times, *q)
				}
			}
		}
	}
	return chart.LogScale(times)
}

// checked says whether answers were checked; else complete ones must do.
func (c *contest) checked() bool {
	return slices.ContainsFunc(c.cells, func(x cell) bool { return x.basis.String == "useful" })
}

// verdict builds the table of a contest; prefix keeps its ids apart from those
// of the same contest on another page.
func (c *contest) verdict(prefix string, scale chart.Scale) verdict {
	l := c.lang
	v := verdict{ID: prefix + c.id, Caption: words.Capital(c.finding()), What: c.words().Heading,
		CostHead: pick(c.checked(), l.Say("Cost per 1,000 useful answers"), l.Say("Cost per 1,000 completed answers")),
		Answered: l.Say("Answered")}
	var dearest float64
	for _, x := range c.cells {
		switch {
		case x.cost != nil && x.costHi != nil:
			v.HasCost, dearest = true, max(dearest, *x.costHi)
		case x.cost != nil:
			v.HasCost, dearest = true, max(dearest, *x.cost)
		case positive(x.wasted):
			v.HasCost = true
		}
		if x.usefulShare != nil && (c.checked() || x.share == nil || *x.usefulShare != *x.share) {
			v.Useful = pick(c.checked(), l.Say("Useful"), l.Say("Completed"))
		}
	}
	if len(c.slots) > 1 {
		v.Answered = pick(len(c.slots) > 48, l.Say("Answered, over time"), l.Say("Answered, by window"))
		v.HasUptime = true
	}
	whole, speed := c.typical("e2e_ms"), c.typical("tokens_per_s")
	if len(whole) > 0 && c.metric != "e2e_ms" {
		v.Whole = l.Say("Whole answer")
	}
	if len(speed) > 0 {
		v.Speed = l.Say("Tokens/s")
	}
	v.Axis = chart.RangeAxis(scale)
	ids := map[string]bool{}
	for _, x := range c.cells {
		r := verdictRow{ID: unique(ids, v.ID+"-"+slug(x.provider)), Provider: x.provider, Rank: rank(x.rankLo, x.rankHi),
			P50: show(x.p50, l.Millis, x.whyNoTime()), P95: show(x.p95, l.Millis, x.whyNoTime()), N: showCount(x.n),
			Share: show(x.share, human.Share, x.whyNoShare()), Useful: show(x.usefulShare, human.Share, l.Say("nothing was attempted"))}
		if x.share == nil && x.servable != "servable" {
			r.Share = text(l.Term(strings.ReplaceAll(x.servable, "-", " "))) // it cannot be called at all, which is no failure
		}
		r.P95.Open = x.p95 != nil && x.p95Hi == nil
		if x.n == nil {
			r.N = text("0")
		}
		if x.p50 == nil {
			r.Rank.Why = x.whyNoTime()
		}
		r.N.Few = x.p50 != nil && isFew(x.n)
		if positive(x.p50) && positive(x.p95) {
			r.Range = chart.RangeStrip(scale, x.p50, x.p95, x.p99)
		} else {
			r.Range = chart.RangeStrip(scale, nil, nil, nil)
		}
		r.Whole, r.Speed = show(whole[x.provider], l.Millis, x.whyNoTime()), show(speed[x.provider], human.Number, l.Say("answers are too short or not streamed"))
		if x.cost != nil {
			r.Cost, r.CostBar = text(human.USD(1000**x.cost)), chart.BarStrip(dearest, *x.cost, x.costLo, x.costHi)
			r.Cost.Open = x.costHi == nil
		} else {
			r.Cost = value{Text: human.None, Why: x.whyNoCost()}
		}
		notes := c.leavesOut(x)
		r.Share.Note = len(notes) > 0
		v.Notes = append(v.Notes, notes...)
		if v.HasUptime && c.counts[x.provider] != nil && x.share != nil {
			r.Uptime = chart.UptimeStrip(c.counts[x.provider])
		}
		v.Rows = append(v.Rows, r)
	}
	v.markBest(c)
	v.note(l)
	return v
}

// whyNoShare: a benchmark's results may tell of answers and not of failures.
func (c *cell) whyNoShare() string {
	return pick(orZero(c.attempts) > 0, c.lang.Say("the source does not state it"), c.lang.Say("nothing was attempted"))
}

func (c *cell) whyNoCost() string {
	if c.useful == nil || *c.useful != 0 {
		return whyPrice
	}
	return pick(c.basis.String == "useful", c.lang.Say("no answer was useful"), c.lang.Say("no answer was completed"))
}

// leavesOut says what a provider's share answered does not tell: requests that
// are no attempts, and answers that were cut short without a word.
func (c *contest) leavesOut(x cell) []string {
	n := func(kind string) (sum int64) {
		for _, o := range c.outcomes {
			if o.provider == x.provider && o.outcome == kind {
				sum += o.n
			}
		}
		return sum
	}
	l := c.lang
	var notes []string
	if cut := n(cutShort); cut > 0 {
		notes = append(notes, l.Say("† %s: of %s, %s said to be whole and cut short", l.Name(x.provider), l.Count(orZero(x.answered), "answer"), pick(cut == 1, l.Say("1 is"), l.Say("%s are", human.Count(cut)))))
	}
	if left := orZero(x.requests) - orZero(x.attempts); left > 0 && x.share != nil {
		var kinds []string
		for _, kind := range []string{"unavailable", "rejected", "account", "cancelled", "client_error"} {
			if k := n(kind); k > 0 && k <= left {
				kinds = append(kinds, l.Say("%s %s", l.Term(strings.ReplaceAll(kind, "_", " ")), human.Count(k)))
			}
		}
		notes = append(notes, l.Say("† %s: %s of %s count as no attempts: %s", l.Name(x.provider), human.Count(left), l.Count(orZero(x.requests), "request"), l.Commas(kinds)))
	}
	return notes
}

// typical is the median of a measure, by provider.
func (c *contest) typical(metric string) map[string]*float64 {
	out := map[string]*float64{}
	for _, m := range c.measures {
		if m.metric == metric && m.p50 != nil {
			out[m.provider] = m.p50
		}
	}
	return out
}

// alone says whether a provider is decidedly first by a metric.
func (c *contest) alone(metric, provider string) bool {
	p, ok := c.places[[2]string{metric, provider}]
	return ok && p.hi != nil && *p.hi == 1
}

func positive(v *float64) bool { return v != nil && *v > 0 }

// markBest marks the median and the cost of who is decidedly first by it.
func (v *verdict) markBest(c *contest) {
	if len(c.cells) < 2 {
		return
	}
	for i, x := range c.cells {
		v.Rows[i].P50.Best = x.p50 != nil && x.rankHi != nil && *x.rankHi == 1
		v.Rows[i].Whole.Best = v.Rows[i].Whole.Why == "" && c.alone("e2e_ms", x.provider)
		v.Rows[i].Speed.Best = v.Rows[i].Speed.Why == "" && c.alone("tokens_per_s", x.provider)
		v.Rows[i].Cost.Best = x.cost != nil && x.costRankHi != nil && *x.costRankHi == 1
	}
}

// note says below the table what its marks mean, each once.
func (v *verdict) note(l *words.Language) {
	t := table{Head: []string{l.Say("rank"), l.Say("p50"), l.Say("p95"), l.Say("n"), l.Say("whole answer"), l.Say("tokens/s"), l.Say("cost"), l.Say("answered"), l.Say("useful")}}
	for _, r := range v.Rows {
		t.Rows = append(t.Rows, row{Cells: []value{r.Rank, r.P50, r.P95, r.N, pick(v.Whole != "", r.Whole, value{}), pick(v.Speed != "", r.Speed, value{}), pick(v.HasCost, r.Cost, value{}), r.Share, pick(v.Useful != "", r.Useful, value{})}})
	}
	t.note(l)
	v.Notes = append(v.Notes, t.Notes...)
}

// pick is a when yes, else b.
func pick[T any](yes bool, a, b T) T {
	if yes {
		return a
	}
	return b
}

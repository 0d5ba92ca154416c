package page

import (
	"html/template"
	"slices"
	"strings"

	"aircheck/chart"
	"aircheck/internal/human"
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
	HasCost   bool
	HasUptime bool
	Rows      []verdictRow
	Notes     []string
}

type verdictRow struct {
	ID                string
	Provider          string
	Rank, P50, P95, N value
	Range             template.HTML
	Cost              value
	CostBar           template.HTML
	Uptime            template.HTML
	Share             value
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
	v := verdict{ID: prefix + c.id, Caption: capital(c.finding()), What: c.words().Name,
		CostHead: pick(c.checked(), "Cost per 1,000 useful answers", "Cost per 1,000 completed answers"),
		Answered: "Answered"}
	var dearest float64
	for _, x := range c.cells {
		if x.cost != nil {
			v.HasCost, dearest = true, max(dearest, *x.cost)
		}
	}
	if len(c.slots) > 1 {
		v.Answered = pick(len(c.slots) > 48, "Answered, over time", "Answered, by window")
		v.HasUptime = true
	}
	v.Axis = chart.RangeAxis(scale)
	ids := map[string]bool{}
	for _, x := range c.cells {
		r := verdictRow{ID: unique(ids, v.ID+"-"+slug(x.provider)), Provider: x.provider, Rank: rank(x.rankLo, x.rankHi),
			P50: show(x.p50, human.Millis, whyNothing), P95: show(x.p95, human.Millis, whyNothing), N: showCount(x.n),
			Share: show(x.share, human.Share, "nothing was attempted")}
		if x.share == nil && x.servable != "servable" {
			r.Share = text(strings.ReplaceAll(x.servable, "-", " ")) // it cannot be called at all, which is no failure
		}
		r.P95.Open = x.p95 != nil && x.p95Hi == nil
		if x.n == nil {
			r.N = text("0")
		}
		if x.p50 == nil {
			r.Rank.Why = whyNothing
		}
		r.N.Few = x.p50 != nil && isFew(x.n)
		if positive(x.p50) && positive(x.p95) {
			r.Range = chart.RangeStrip(scale, x.p50, x.p95, x.p99)
		} else {
			r.Range = chart.RangeStrip(scale, nil, nil, nil)
		}
		if x.cost != nil {
			r.Cost, r.CostBar = text(human.USD(1000**x.cost)), chart.BarStrip(*x.cost/dearest)
		} else {
			r.Cost = value{Text: human.None, Why: pick(x.useful != nil && *x.useful == 0, "no answer was "+x.basis.String, whyPrice)}
		}
		if v.HasUptime && c.counts[x.provider] != nil && x.share != nil {
			r.Uptime = chart.UptimeStrip(c.counts[x.provider])
		}
		v.Rows = append(v.Rows, r)
	}
	v.markBest(c)
	v.note()
	return v
}

func positive(v *float64) bool { return v != nil && *v > 0 }

// markBest marks the best value of each column, where one is best.
func (v *verdict) markBest(c *contest) {
	if len(c.cells) < 2 {
		return
	}
	best := func(get func(cell) *float64, better func(a, b float64) bool, at func(*verdictRow) *value) {
		first, ties := -1, 0
		for i, x := range c.cells {
			p := get(x)
			switch {
			case p == nil:
			case first < 0 || better(*p, *get(c.cells[first])):
				first, ties = i, 0
			case *p == *get(c.cells[first]):
				ties++
			}
		}
		if first >= 0 && ties == 0 {
			at(&v.Rows[first]).Best = true
		}
	}
	less := func(a, b float64) bool { return a < b }
	more := func(a, b float64) bool { return a > b }
	best(func(x cell) *float64 { return x.p50 }, less, func(r *verdictRow) *value { return &r.P50 })
	if c.tailBy == "p95" {
		best(func(x cell) *float64 { return x.p95 }, less, func(r *verdictRow) *value { return &r.P95 })
	}
	best(func(x cell) *float64 { return x.cost }, less, func(r *verdictRow) *value { return &r.Cost })
	best(func(x cell) *float64 { return x.share }, more, func(r *verdictRow) *value { return &r.Share })
}

// note says below the table what its marks mean, each once.
func (v *verdict) note() {
	t := table{Head: []string{"rank", "p50", "p95", "n", "cost", "answered"}}
	for _, r := range v.Rows {
		cost := r.Cost
		if !v.HasCost {
			cost = value{}
		}
		t.Rows = append(t.Rows, row{Cells: []value{r.Rank, r.P50, r.P95, r.N, cost, r.Share}})
	}
	t.note()
	v.Notes = t.Notes
}

// pick is a when yes, else b.
func pick[T any](yes bool, a, b T) T {
	if yes {
		return a
	}
	return b
}

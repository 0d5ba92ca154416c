package page

import (
	"context"
	"fmt"
	"slices"
	"time"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// proof leads from a sentence about two providers down to the bytes that it rests
// on: the comparison, its windows, two requests, their frames. Each step has its
// query.
type proof struct {
	a, b     string // a is the better one
	contest  *contest
	Compared detail
	Windows  *figure
	Requests *figure
	Frames   *detail
	Bytes    string // what arrived with the first token; "" where it is not shown
	first    int64  // its frame
	requests []int64
}

// pairWindow is one window of both providers: medians (ms) and how many.
type pairWindow struct {
	at     time.Time
	a, b   *float64
	na, nb int64
	key    string
}

const windowsSQL = `SELECT min(started_at) AS at, median(%[1]s) FILTER (provider = %[2]s) AS a, median(%[1]s) FILTER (provider = %[3]s) AS b,
       count(%[1]s) FILTER (provider = %[2]s) AS n_a, count(%[1]s) FILTER (provider = %[3]s) AS n_b, window_key
FROM results
WHERE measured AND %[4]s
GROUP BY window_key
HAVING a IS NOT NULL AND b IS NOT NULL
ORDER BY 1, 6`

// headlinePair is the pair that the first page's sentence rests on: the first side
// of its strongest supported flip, else the first two of the contest with the most
// evidence that has one leader; nil where nothing is decided.
func headlinePair(all []*contest, flips []flip) (c *contest, a, b string) {
	for _, f := range flips[:min(len(flips), 1)] {
		for _, c := range all {
			if f.supported() && c.key == f.key {
				return c, f.leader1, f.leader2
			}
		}
	}
	if c := mostEvident(mains(all), (*contest).decided); c != nil {
		lead := c.leaders()[0].provider
		for _, x := range c.timed() {
			if x.provider != lead {
				return c, lead, x.provider
			}
		}
	}
	return nil, "", ""
}

// newProof reads what a sentence rests on; nil where there is nothing to prove.
func newProof(ctx context.Context, src Source, l *words.Language, c *contest, a, b string, raw bool) (*proof, error) {
	if c == nil || !slices.Contains([]string{"ttft_net_ms", "e2e_ms"}, c.metric) {
		return nil, nil
	}
	p := &proof{a: a, b: b, contest: c}
	sql := fmt.Sprintf(windowsSQL, c.metric, literal(a), literal(b), c.is())
	windows, err := loadText(ctx, src, "proof: windows", sql, func(w *pairWindow) []any { return []any{&w.at, &w.a, &w.b, &w.na, &w.nb, &w.key} })
	// A log scale has no zero, and a ratio needs none.
	windows = slices.DeleteFunc(windows, func(w pairWindow) bool { return *w.a <= 0 || *w.b <= 0 })
	if err != nil || len(windows) < 2 {
		return nil, err
	}
	if err := p.compare(ctx, src, l); err != nil {
		return nil, err
	}
	p.Windows = windowsFigure(l, c, a, b, windows)
	p.Windows.SQL = sql + ";"
	return p, p.two(ctx, src, l, windows, raw)
}

// sentence is what the page proves.
func (p *proof) sentence(l *words.Language) string {
	w := p.contest.words()
	return l.Say("%s %s %s than %s on %s", l.Name(p.a), w.Does, w.Better, l.Name(p.b), p.contest.where())
}

// compare is the first step: what each part of the sentence stands for.
func (p *proof) compare(ctx context.Context, src Source, l *words.Language) error {
	first, second := min(p.a, p.b), max(p.a, p.b)
	sql := fmt.Sprintf(`SELECT level_a, level_b, ratio, ratio_lo, ratio_hi, n_a, n_b, n_windows, n_effective, q, decided, coalesce(lasting, false)
FROM pairs
WHERE metric = %s AND %s AND provider_a = %s AND provider_b = %s`, literal(p.contest.metric), p.contest.is(), literal(first), literal(second))
	type sideRow struct {
		a, b, ratio, lo, hi, effective, q *float64
		na, nb, windows                   *int64
		decided, lasting                  bool
	}
	rows, err := loadText(ctx, src, "proof: pair", sql, func(r *sideRow) []any {
		return []any{&r.a, &r.b, &r.ratio, &r.lo, &r.hi, &r.na, &r.nb, &r.windows, &r.effective, &r.q, &r.decided, &r.lasting}
	})
	if err != nil {
		return err
	}
	w := p.contest.words()
	t := table{Caption: l.Say("The sentence, part by part"), Left: 2, Words: []int{2}, Head: []string{l.Say("It says"), l.Say("which is"), l.Say("Value")}}
	add := func(what, is, v string) { t.Rows = append(t.Rows, cells(text(what), text(is), text(v))) }
	for _, r := range rows {
		if p.a != first {
			r.a, r.b, r.na, r.nb = r.b, r.a, r.nb, r.na
		} else if r.ratio != nil {
			ratio := 1 / *r.ratio
			r.ratio, r.lo, r.hi = &ratio, inverse(r.hi), inverse(r.lo)
		}
		add(w.Does, l.Say("%s, of all measured requests in the windows that both have; a failed one is slower than any answer", w.Heading),
			l.Say("%s and %s", l.Count(orZero(r.na), "request"), l.Count(orZero(r.nb), "request")))
		if r.a != nil && r.b != nil {
			add(l.Say("%s before %s", l.Name(p.a), l.Name(p.b)), l.Say("geometric means over windows of their medians"), l.Say("%s and %s", l.Millis(*r.a), l.Millis(*r.b)))
		}
		if r.ratio != nil {
			add(l.Ratio(*r.ratio), l.Say("the ratio of the two, with its 95%% interval"), interval(l, r.ratio, r.lo, r.hi, l.Ratio, whyUnknown).Text)
		}
		if m := p.contest.metrics[p.contest.metric].Margin(); m != "" {
			add(w.Better, l.Say("beyond the margin, and not by chance: the share of such findings that are wrong is at most q"), l.Say("%s; q = %s", m, scientific(r.q)))
		}
		worth := ""
		if r.effective != nil {
			worth = human.Number(*r.effective)
		}
		add(p.contest.where(), l.Say("asked of both in the same windows, which are worth as many independent ones as stand here"), l.Say("%s, worth %s", l.Count(orZero(r.windows), "window"), worth))
		last := l.Say("no: these windows only")
		if r.lasting {
			last = l.Say("yes")
		}
		add(l.Say("at every hour"), l.Say("each quarter of the day was seen on two days or more"), last)
	}
	p.Compared = detail{ID: "proof-1", Title: l.Say("The sentence, part by part"), Sub: l.Say("What each part stands for, and the number behind it."), Table: t, SQL: sql + ";"}
	return nil
}

func inverse(v *float64) *float64 {
	if v == nil || *v == 0 {
		return nil
	}
	return new(1 / *v)
}

// scientific writes a small probability.
func scientific(v *float64) string {
	if v == nil {
		return human.None
	}
	if *v >= 0.001 {
		return human.Number(*v)
	}
	return fmt.Sprintf("%.1g", *v)
}

// windowsFigure is the second step: both providers in every window that they share.
func windowsFigure(l *words.Language, c *contest, a, b string, windows []pairWindow) *figure {
	f := &figure{ID: "f-windows"}
	var dots []chart.Dot
	var ties []chart.Segment
	var values []float64
	better := 0
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Window"), l.Name(a), l.Name(b), l.Say("Ratio"), l.Say("n")}}
	for _, w := range windows {
		x := float64(w.at.Unix())
		if *w.a < *w.b {
			better++
		}
		when := l.Date(w.at, "2 Jan 2006, 15:04")
		dots = append(dots, chart.Dot{X: x, Y: *w.a, Colour: chart.Blue, Tip: l.Say("%s: %s %s", when, l.Name(a), l.Millis(*w.a))},
			chart.Dot{X: x, Y: *w.b, Colour: chart.Ochre, Hollow: true, Tip: l.Say("%s: %s %s", when, l.Name(b), l.Millis(*w.b))})
		ties = append(ties, chart.Segment{X1: x, Y1: *w.a, X2: x, Y2: *w.b, Colour: chart.Grey, Width: 1})
		values = append(values, *w.a, *w.b)
		f.Table.Rows = append(f.Table.Rows, cells(text(when), text(l.Millis(*w.a)), text(l.Millis(*w.b)), text(l.Ratio(*w.b / *w.a)), text(human.Count(w.na)+" / "+human.Count(w.nb))))
	}
	first, last := float64(windows[0].at.Unix()), float64(windows[len(windows)-1].at.Unix())
	air := max((last-first)*0.02, 30)
	end := windows[len(windows)-1]
	f.chart = chart.Plot{ID: f.ID, X: chart.TimeAxis(first-air, last+air), Y: chart.LogAxis(values, 220, "ms"), Left: 58, Right: chart.Width([]string{a, b}, 130), Tall: 280, Narrow: 260,
		Marks: []chart.Mark{chart.Segments(ties...), chart.Dots(dots...),
			chart.Note(last, *end.a, words.Visible(a), chart.Blue, 1, 0), chart.Note(last, *end.b, words.Visible(b), chart.Ochre, 1, 0)}}
	f.Title = l.Say("%s is ahead in %d of %d windows", l.Name(a), better, len(windows))
	f.Sub = l.Say("Typical %s of both in each window that they share, %s. Log scale.", lower(c.words().Heading), c.where())
	return f
}

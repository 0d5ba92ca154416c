package page

import (
	"html/template"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// standing says how a provider stands on two measures at once.
type standing int

const (
	front   standing = iota // nobody is better on both
	unclear                 // somebody may be
	beaten                  // somebody is clearly better on both: the intervals lie apart
)

// costFigure shows what a useful answer costs against how long its first token
// takes; nil where fewer than three providers have both.
func (c *contest) costFigure() *figure {
	l := c.lang
	w := c.words()
	var rows []cell
	for _, x := range c.timed() {
		if positive(x.cost) && positive(x.p50) {
			rows = append(rows, x)
		}
	}
	if len(rows) < 3 {
		return nil
	}
	f := &figure{ID: "f-cost-" + c.id, SQL: c.narrowed("verdict", true), Key: costKey(l)}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Words: []int{4}, Head: []string{l.Say("Provider"), pick(c.checked(), l.Say("Cost per 1,000 useful answers"), l.Say("Cost per 1,000 completed answers")), w.Heading, l.Say("n"), l.Say("Both together")}}
	var dots []chart.Dot
	var notes []chart.Mark
	var costs, times []float64
	count := map[standing]int{}
	for _, x := range rows {
		at := stands(x, rows)
		count[at]++
		d := chart.Dot{X: 1000 * *x.cost, Y: *x.p50, XLo: times1000(x.costLo), XHi: times1000(x.costHi), YLo: x.p50Lo, YHi: x.p50Hi,
			Tip: l.Say("%s: %s, %s", l.Name(x.provider), human.USD(1000**x.cost), l.Millis(*x.p50))}
		word := l.Say("nobody is better on both")
		switch at {
		case front:
			d.Colour = chart.Blue
		case unclear:
			d.Colour, d.Hollow, word = chart.Mid, true, l.Say("cannot tell")
		case beaten:
			d.Colour, word = chart.Mid, l.Say("clearly beaten on both")
		}
		dots = append(dots, d)
		notes = append(notes, chart.Note(d.X, d.Y, words.Visible(x.provider), pick(at == front, chart.Blue, chart.Mid), 1, -9))
		for _, v := range []*float64{&d.X, d.XLo, d.XHi} {
			if positive(v) {
				costs = append(costs, *v)
			}
		}
		for _, v := range []*float64{&d.Y, d.YLo, d.YHi} {
			if positive(v) {
				times = append(times, *v)
			}
		}
		f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, x.provider), interval(l, times1000(x.cost), times1000(x.costLo), times1000(x.costHi), human.USD, whyPrice),
			interval(l, x.p50, x.p50Lo, x.p50Hi, l.Millis, whyUnknown), showCount(x.n), text(word)))
	}
	f.Table.note(l)
	f.chart = chart.Plot{ID: f.ID, X: chart.LogAxis(costs, 850, "usd"), Y: chart.LogAxis(times, 280, "ms"), Left: 60, Right: 96, Tall: 360, Narrow: 320,
		Marks: append([]chart.Mark{chart.Dots(dots...)}, notes...)}
	f.Title = l.Say("%s: %d of %d providers are clearly beaten on both cost and waiting; nobody is better on both than %d", l.Name(c.model), count[beaten], len(rows), count[front])
	f.Sub = l.Say("%s (across) against typical %s (up), %s. Both axes logarithmic; crosses are 95%% intervals. Lower left is better.", f.Table.Head[1], lower(w.Heading), c.where())
	return f
}

// paretoOnce is the figure of a model's main contest; that of the first contest
// stands on the first page.
func (c *contest) paretoOnce(main bool, first *contest) *figure {
	if !main || c == first {
		return nil
	}
	return c.costFigure()
}

// stands compares a provider with all others on cost and time.
func stands(x cell, all []cell) standing {
	at := front
	for _, o := range all {
		if o.provider == x.provider {
			continue
		}
		if *o.cost <= *x.cost && *o.p50 <= *x.p50 {
			at = max(at, unclear)
		}
		if o.costHi != nil && x.costLo != nil && o.p50Hi != nil && x.p50Lo != nil && *o.costHi < *x.costLo && *o.p50Hi < *x.p50Lo {
			return beaten
		}
	}
	return at
}

func costKey(l *words.Language) template.HTML {
	return dotKey("var(--s1)", "var(--s1)", l.Say("nobody is better on both")) + dotKey("var(--mid)", "var(--mid)", l.Say("clearly beaten on both")) + dotKey("var(--card)", "var(--mid)", l.Say("cannot tell"))
}

// dotKey is an entry of a key: a dot and what it means.
func dotKey(fill, stroke, text string) template.HTML {
	return template.HTML(`<span class="keyitem"><svg class="keymark" width="12" height="12" aria-hidden="true" focusable="false"><circle cx="6" cy="6" r="4.5" fill="` +
		fill + `" stroke="` + stroke + `"/></svg> ` + template.HTMLEscapeString(text) + `</span> `)
}

package page

import (
	"cmp"
	"context"
	"slices"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// rowsDrawn is how many rows a chart of dots has; its page's table has all.
const rowsDrawn = 16

// coldStart is a row of cold.sql.
type coldStart struct {
	subject
	starts               int64
	cold, coldLo, coldHi *float64
	warm, warmLo, warmHi *float64
	ratio                *float64
	pays                 bool
}

func (c *coldStart) scan() []any {
	return append(c.subject.fields(), &c.starts, &c.cold, &c.coldLo, &c.coldHi, &c.warm, &c.warmLo, &c.warmHi, &c.ratio, &c.pays)
}

// coldFigure sets the first request after silence beside a warm one; nil without
// any.
func coldFigure(d *data, rows []coldStart) *figure {
	if len(rows) == 0 {
		return nil
	}
	l := d.lang
	total := len(rows)
	paying := 0
	for _, r := range rows {
		if r.pays {
			paying++
		}
	}
	slices.SortStableFunc(rows, func(a, b coldStart) int {
		return cmp.Or(first(a.pays, b.pays), -cmp.Compare(*a.cold / *a.warm, *b.cold / *b.warm))
	})
	rows = rows[:min(total, rowsDrawn)]
	f := &figure{ID: "f-cold", SQL: query("cold") + ";", About: d.about(sum(rows, func(c coldStart) int64 { return c.starts })),
		Key: dotKey("var(--s1)", "var(--s1)", l.Say("after silence, clearly longer")) + dotKey("var(--card)", "var(--s1)", l.Say("after silence, not decided")) + dotKey("var(--mid)", "var(--mid)", l.Say("warm"))}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 2, Head: []string{l.Say("Model"), l.Say("Provider"), l.Say("After silence"), l.Say("Warm"), l.Say("Times slower"), l.Say("n")}}
	var names []string
	var dots []chart.Dot
	var values []float64
	for i, r := range rows {
		names = append(names, words.Visible(r.model+" · "+r.provider))
		y := float64(i)
		dots = append(dots, chart.Dot{X: *r.warm, Y: y, XLo: r.warmLo, XHi: r.warmHi, Colour: chart.Mid, Tip: l.Say("%s at %s, warm: %s", l.Name(r.model), l.Name(r.provider), l.Millis(*r.warm))},
			chart.Dot{X: *r.cold, Y: y, XLo: r.coldLo, XHi: r.coldHi, Colour: chart.Blue, Hollow: !r.pays, Tip: l.Say("%s at %s, after silence: %s", l.Name(r.model), l.Name(r.provider), l.Millis(*r.cold))})
		for _, v := range []*float64{r.cold, r.coldLo, r.coldHi, r.warm, r.warmLo, r.warmHi} {
			if positive(v) {
				values = append(values, *v)
			}
		}
		f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, r.model), nameOf(l, r.provider), interval(l, r.cold, r.coldLo, r.coldHi, l.Millis, whyUnknown),
			interval(l, r.warm, r.warmLo, r.warmHi, l.Millis, whyUnknown), show(r.ratio, l.Ratio, whyUnknown), text(human.Count(r.starts))))
	}
	f.Table.note(l)
	height := 48 + 24*len(rows)
	x := chart.LogAxis(values, 700, "ms")
	x.Grid = true
	f.chart = chart.Plot{ID: f.ID, X: x, Y: chart.Axis{Rows: names}, Left: chart.Width(names, 230), Right: 24, Tall: height, Narrow: height, Marks: []chart.Mark{chart.Dots(dots...)}}
	f.Title = l.Say("Nobody is shown to wait longer after silence")
	if top := rows[0]; top.pays && top.ratio != nil {
		f.Title = l.Say("%s at %s: the first token after silence takes %s, a warm one %s (%s)", l.Name(top.model), l.Name(top.provider), l.Millis(*top.cold), l.Millis(*top.warm), l.Ratio(*top.ratio))
		if paying > 1 {
			f.Title = l.Say("%s; %d more are clearly slower", f.Title, paying-1)
		}
	}
	f.Sub = l.Say("Typical time to first token after silence and warm, those that pay most on top. Log scale; lines are 95%% intervals.")
	if total > len(rows) {
		f.Note = l.Say("Shown: %d of %d.", len(rows), total)
	}
	return f
}

// alike is a row of alike.sql: how many prompts two providers answer differently.
type alike struct {
	model, scenario     string
	a, b                string
	testable, differing int64
	chance              float64
	differs             bool
}

func (a *alike) scan() []any {
	return []any{&a.model, &a.scenario, &a.a, &a.b, &a.testable, &a.differing, &a.chance, &a.differs}
}

// agreementFigure shows on how many prompts pairs of providers answer differently,
// beside what chance would give; nil where none could be told.
func agreementFigure(ctx context.Context, src Source, d *data) (*figure, error) {
	rows, err := load(ctx, src, "alike", (*alike).scan)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	l := d.lang
	total := len(rows)
	differing := 0
	for _, r := range rows {
		if r.differs {
			differing++
		}
	}
	share := func(a alike) float64 { return float64(a.differing) / float64(a.testable) }
	slices.SortStableFunc(rows, func(a, b alike) int {
		return cmp.Or(first(a.differs, b.differs), -cmp.Compare(share(a), share(b)), -cmp.Compare(a.testable, b.testable))
	})
	rows = rows[:min(total, rowsDrawn)]
	f := &figure{ID: "f-agreement", SQL: query("alike") + ";", About: d.about(d.scope.measured),
		Key: dotKey("var(--s1)", "var(--s1)", l.Say("answered differently, decided")) + dotKey("var(--card)", "var(--s1)", l.Say("answered differently, not decided")) + dotKey("var(--mid)", "var(--mid)", l.Say("by chance"))}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 3, Head: []string{l.Say("Model"), l.Say("Provider"), l.Say("And"), l.Say("Prompts"), l.Say("Differ"), l.Say("By chance")}}
	var names []string
	var dots []chart.Dot
	for i, r := range rows {
		names = append(names, words.Visible(r.model+" · "+r.a+" – "+r.b))
		y := float64(i)
		tip := l.Say("%s, %s and %s: %d of %d prompts, by chance %s", l.Name(r.model), l.Name(r.a), l.Name(r.b), r.differing, r.testable, human.Number(r.chance))
		dots = append(dots, chart.Dot{X: min(r.chance/float64(r.testable), 1), Y: y, Colour: chart.Mid, Tip: tip}, chart.Dot{X: share(r), Y: y, Colour: chart.Blue, Hollow: !r.differs, Tip: tip})
		f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, r.model), nameOf(l, r.a), nameOf(l, r.b), text(human.Count(r.testable)), text(human.Count(r.differing)), text(human.Number(r.chance))))
	}
	height := 48 + 24*len(rows)
	f.chart = chart.Plot{ID: f.ID, X: chart.Axis{Hi: 1, Ticks: []float64{0, 0.25, 0.5, 0.75, 1}, Format: "percent", Grid: true}, Y: chart.Axis{Rows: names},
		Left: chart.Width(names, 300), Right: 24, Tall: height, Narrow: height, Marks: []chart.Mark{chart.Dots(dots...)}}
	f.Title = l.Say("No two providers of a model are shown to answer differently")
	if top := rows[0]; top.differs {
		f.Title = l.Say("%s: %s and %s answer %d of %d prompts differently; chance alone would say so of %s", l.Name(top.model), l.Name(top.a), l.Name(top.b), top.differing, top.testable, human.Number(top.chance))
		if differing > 1 {
			f.Title = l.Say("%s; %d more pairs differ", f.Title, differing-1)
		}
	}
	f.Sub = l.Say("Share of prompts that a pair answers differently, by more than each varies by itself, beside what chance gives.")
	if total > len(rows) {
		f.Note = l.Say("Shown: %d of %d.", len(rows), total)
	}
	return f, nil
}

package page

import (
	"cmp"
	"html/template"
	"slices"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// thinkersShown is how many rows the figure has at most.
const thinkersShown = 24

// thinkingFigure shows which share of the output is thinking, in the main contest
// of each model that thinks, and how many answers are nothing else; nil without
// such a model.
func thinkingFigure(all []*contest, l *words.Language) *figure {
	type thinker struct {
		model string
		thought
	}
	var rows []thinker
	var first *contest
	for _, c := range mains(all) {
		for _, t := range c.thoughts {
			if t.ofOutput != nil && *t.ofOutput > 0 && t.n > 0 {
				rows = append(rows, thinker{c.model, t})
				if first == nil {
					first = c
				}
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	total := len(rows)
	slices.SortFunc(rows, func(a, b thinker) int {
		return cmp.Or(cmp.Compare(*b.ofOutput, *a.ofOutput), cmp.Compare(a.model, b.model), cmp.Compare(a.provider, b.provider))
	})
	lo, hi := *rows[total-1].ofOutput, *rows[0].ofOutput
	worst := slices.MaxFunc(rows, func(a, b thinker) int {
		return cmp.Or(cmp.Compare(orZero(a.starved), orZero(b.starved)), cmp.Compare(b.provider, a.provider))
	})
	rows = rows[:min(total, thinkersShown)]
	f := &figure{ID: "f-thinking", SQL: query("thinking") + ";"}
	f.Key = template.HTML(`<span class="keyitem"><svg class="keymark" width="14" height="12" aria-hidden="true" focusable="false"><rect width="14" height="12" fill="var(--s4)"/></svg> ` + template.HTMLEscapeString(l.Say("thinking")) +
		`</span> <span class="keyitem"><svg class="keymark" width="14" height="12" aria-hidden="true" focusable="false"><rect width="14" height="12" fill="var(--s1)"/></svg> ` + template.HTMLEscapeString(l.Say("answer")) + `</span>`)
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 2, Head: []string{l.Say("Model"), l.Say("Provider"), l.Say("Of output"), l.Say("Of cost"), l.Say("Starved answers"), l.Say("n")}}
	var names []string
	var bars []chart.Bar
	var notes []chart.Mark
	for i, t := range rows {
		names = append(names, words.Visible(t.model+" · "+t.provider))
		tip := l.Say("%s at %s: %s of the output is thinking", l.Name(t.model), l.Name(t.provider), human.Share(*t.ofOutput))
		bars = append(bars, chart.Bar{Row: i, From: 0, To: *t.ofOutput, Colour: chart.Purple, Tip: tip}, chart.Bar{Row: i, From: *t.ofOutput, To: 1, Colour: chart.Blue, Tip: tip})
		note := human.Share(*t.ofOutput)
		if orZero(t.starved) > 0 {
			note = l.Say("%s of %s empty", human.Count(*t.starved), human.Count(t.n))
		}
		notes = append(notes, chart.Note(1, float64(i), note, pick(orZero(t.starved) > 0, chart.Bad, chart.Mid), 1, 0))
		f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, t.model), nameOf(l, t.provider), text(human.Share(*t.ofOutput)),
			show(t.ofCost, human.Share, l.Say("the cost of thinking is not known")), showCount(t.starved), text(human.Count(t.n))))
	}
	f.Table.note(l)
	height := 40 + 23*len(rows)
	f.chart = chart.Plot{ID: f.ID, X: chart.Axis{Hi: 1, Ticks: []float64{0, 0.25, 0.5, 0.75, 1}, Format: "percent", On: "top"}, Y: chart.Axis{Rows: names},
		Left: chart.Width(names, 230), Right: 130, Tall: height, Narrow: height, Marks: append([]chart.Mark{chart.Bars(bars...)}, notes...)}
	switch starved := orZero(worst.starved); {
	case starved > 0 && human.Share(lo) != human.Share(hi):
		f.Title = l.Say("%s to %s of what models that think put out is thinking; %s at %s thought and said nothing in %s of %s", human.Share(lo), human.Share(hi),
			l.Name(worst.model), l.Name(worst.provider), human.Count(starved), l.Count(worst.n, "answer"))
	case human.Share(lo) != human.Share(hi):
		f.Title = l.Say("%s to %s of what models that think put out is thinking", human.Share(lo), human.Share(hi))
	default:
		f.Title = l.Say("%s of what %s puts out is thinking", human.Share(hi), l.Name(rows[0].model))
	}
	f.Sub = l.Say("Share of billed output tokens that is thinking, the most first. At the end of a row: answers that are nothing else, and are billed.")
	if first.label != "" {
		f.Note = l.Say("Each model in its main setting: %s.", first.label)
	}
	if total > len(rows) {
		f.Note = l.Sentences([]string{f.Note, l.Say("Shown: %d of %d.", len(rows), total)})
	}
	return f
}

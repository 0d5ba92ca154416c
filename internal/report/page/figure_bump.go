package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// bumpKey says what the lines and discs are.
func bumpKey(l *words.Language) template.HTML {
	mark := func(width, height int, shape, text string) string {
		return fmt.Sprintf(`<span class="keyitem"><svg class="keymark" width="%d" height="%d" aria-hidden="true" focusable="false">%s</svg> %s</span> `,
			width, height, shape, template.HTMLEscapeString(text))
	}
	return template.HTML(mark(34, 10, `<line x1="0" x2="34" y1="5" y2="5" stroke="var(--ink2)" stroke-width="2.5"/>`, l.Say("moved beyond noise")) +
		mark(34, 10, `<line x1="0" x2="34" y1="5" y2="5" stroke="var(--ink2)" stroke-width="2.5" stroke-dasharray="6 4"/>`, l.Say("may be noise")) +
		mark(18, 18, `<rect width="18" height="18" rx="9" fill="var(--s1)" fill-opacity=".16"/>`, l.Say("ranks that cannot be told apart")))
}

// columns is how many models the chart of ranks has room for, on a phone too.
const columns = 6

// bumpFigure shows who trades places between models, by the setting that most
// models share; nil where fewer than two models can be compared.
func bumpFigure(all []*contest, l *words.Language) *figure {
	var cols []*contest
	for _, c := range mains(all) {
		if len(c.timed()) > 1 && (len(cols) == 0 || c.setting() == cols[0].setting() && c.metric == cols[0].metric) {
			cols = append(cols, c)
		}
	}
	if len(cols) < 2 {
		return nil
	}
	// The models with the most providers, in their own order.
	if len(cols) > columns {
		most := slices.Clone(cols)
		slices.SortStableFunc(most, func(a, b *contest) int { return cmp.Compare(len(b.timed()), len(a.timed())) })
		cols = slices.DeleteFunc(cols, func(c *contest) bool { return !slices.Contains(most[:columns], c) })
	}
	f := &figure{ID: "f-ranks", SQL: query("verdict") + ";", Key: bumpKey(l)}
	data := chart.Bump{ID: f.ID}
	places := map[string][]*chart.BumpPlace{}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Provider")}}
	for i, c := range cols {
		data.Columns = append(data.Columns, c.model)
		f.Table.Head = append(f.Table.Head, l.Name(c.model))
		timed := c.timed()
		for n, x := range timed {
			p := &chart.BumpPlace{Pos: n + 1, Lo: 1, Hi: len(timed)}
			if x.rankLo != nil && x.rankHi != nil {
				p.Lo, p.Hi = int(*x.rankLo), int(*x.rankHi)
			}
			if places[x.provider] == nil {
				places[x.provider] = make([]*chart.BumpPlace, len(cols))
			}
			places[x.provider][i] = p
		}
	}
	for provider, p := range places {
		line := chart.BumpLine{Name: provider, Places: p}
		for i, at := range p {
			tip := ""
			if at != nil {
				tip = l.Say("%s on %s: place %d by the median, rank %s", l.Name(provider), l.Name(data.Columns[i]), at.Pos, rank(new(int64(at.Lo)), new(int64(at.Hi))).Text)
			}
			line.Tips = append(line.Tips, tip)
		}
		data.Lines = append(data.Lines, line)
	}
	slices.SortFunc(data.Lines, func(a, b chart.BumpLine) int { return cmp.Compare(a.Name, b.Name) })
	var names []string
	for _, l := range movers(data.Lines) {
		names = append(names, l.Name)
	}
	accent(names, 3, func(name string, a chart.Accent) {
		for i := range data.Lines {
			if data.Lines[i].Name == name {
				data.Lines[i].Accent = a
			}
		}
	})
	for _, line := range data.Lines {
		r := cells(nameOf(l, line.Name))
		for _, p := range line.Places {
			if p == nil {
				r.Cells = append(r.Cells, value{Text: "–", Why: l.Say("not measured, or no time known")})
			} else {
				r.Cells = append(r.Cells, rank(new(int64(p.Lo)), new(int64(p.Hi))))
			}
		}
		f.Table.Rows = append(f.Table.Rows, r)
	}
	f.Table.note(l)
	f.chart = data
	f.Title = bumpTitle(data, l)
	f.Sub = l.Say("Place by median %s, one column a model; 1 is fastest.", lower(cols[0].words().Heading))
	if len(names) > 0 {
		f.Sub = l.Sentences([]string{f.Sub, l.Say("Coloured: who moves most.")})
	}
	if n := len(mains(all)); n > len(cols) {
		f.Note = l.Say("%d of %d models: those with the most providers in the same setting.", len(cols), n)
	}
	return f
}

// mains are the first contest of each model.
func mains(all []*contest) []*contest {
	var out []*contest
	for _, c := range all {
		if len(out) == 0 || out[len(out)-1].model != c.model {
			out = append(out, c)
		}
	}
	return out
}

// moved is how many places a line spans, and between which columns.
func moved(l chart.BumpLine) (places, top, bottom int) {
	top, bottom = -1, -1
	for i, p := range l.Places {
		if p == nil {
			continue
		}
		if top < 0 || p.Pos < l.Places[top].Pos {
			top = i
		}
		if bottom < 0 || p.Pos > l.Places[bottom].Pos {
			bottom = i
		}
	}
	if top < 0 {
		return 0, 0, 0
	}
	return l.Places[bottom].Pos - l.Places[top].Pos, top, bottom
}

// movers are the lines that move, the furthest first.
func movers(lines []chart.BumpLine) []chart.BumpLine {
	var out []chart.BumpLine
	for _, l := range lines {
		if n, _, _ := moved(l); n > 0 {
			out = append(out, l)
		}
	}
	slices.SortStableFunc(out, func(a, b chart.BumpLine) int {
		na, _, _ := moved(a)
		nb, _, _ := moved(b)
		return cmp.Compare(nb, na)
	})
	return out
}

func bumpTitle(b chart.Bump, say *words.Language) string {
	move := movers(b.Lines)
	if len(move) == 0 {
		return say.Say("The order is the same on all %d models", len(b.Columns))
	}
	n, top, bottom := moved(move[0])
	l := move[0]
	if n == 1 {
		return say.Say("Between models, providers trade neighbouring places only")
	}
	return say.Say("%s is number %d on %s and number %d on %s", say.Name(l.Name), l.Places[top].Pos, say.Name(b.Columns[top]), l.Places[bottom].Pos, say.Name(b.Columns[bottom]))
}

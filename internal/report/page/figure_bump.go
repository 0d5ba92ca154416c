package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"

	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// bumpKey says what the marks mean that occur.
func bumpKey(l *words.Language, b chart.Bump) (key template.HTML) {
	const mark = `<span class="keyitem"><svg class="keymark" width="34" height="10" aria-hidden="true" focusable="false"><line x1="0" x2="34" y1="5" y2="5" stroke="var(--ink2)" stroke-width="2.5"%s/></svg> %s</span> `
	solid, dashed, bar := false, false, false
	for _, line := range b.Lines {
		for i, p := range line.Places {
			bar = bar || line.Accent != chart.Grey && p.Hi > p.Lo
			if i > 0 {
				apart := p.Lo > line.Places[i-1].Hi || p.Hi < line.Places[i-1].Lo
				solid, dashed = solid || apart, dashed || !apart
			}
		}
	}
	if solid {
		key += template.HTML(fmt.Sprintf(mark, "", l.Say("moved beyond the ranges")))
	}
	if dashed {
		key += template.HTML(fmt.Sprintf(mark, ` stroke-dasharray="6 4"`, l.Say("may be noise")))
	}
	if bar {
		key += `<span class="keyitem"><svg class="keymark" width="6" height="16" aria-hidden="true" focusable="false"><rect x="1" width="3" height="16" fill="var(--s1)"/></svg> ` + template.HTML(template.HTMLEscapeString(l.Say("places that cannot be told apart"))) + `</span>`
	}
	return key
}

// columns is how many models the chart of ranks has room for; providersShown how
// many names it holds.
const (
	columns        = 8
	providersShown = 12
	fewestShared   = 3 // providers that all its models have
)

// shareMost chooses the models, at most columns, and the providers that all of
// them have: those between which the most is shown to move, then as many nodes as
// can be. A chart of two providers says nothing.
func shareMost(all []*contest, sides map[key][]side) (cols []*contest, names []string) {
	var open []*contest
	for _, c := range mains(all) {
		if len(c.timed()) >= fewestShared && (len(open) == 0 || c.setting() == open[0].setting() && c.metric == open[0].metric) {
			open = append(open, c)
		}
	}
	slices.SortStableFunc(open, func(a, b *contest) int { return cmp.Compare(len(b.timed()), len(a.timed())) })
	moves, nodes := -1, 0
	try := func(chosen []*contest, shared []string) {
		total, places := 0, placesOf(chosen, shared, sides)
		for _, n := range shared {
			total += movedOf(lineOf(n, places)).by
		}
		if size := len(chosen) * min(len(shared), providersShown); total > moves || total == moves && size > nodes {
			cols, names, moves, nodes = slices.Clone(chosen), shared, total, size
		}
	}
	starts := len(open)
	if starts > mostStarts {
		starts = 1
	}
	for i := range starts {
		for j := i + 1; j < len(open); j++ {
			grow([]*contest{open[i]}, providers(open[i].timed()), open, open[j], try)
		}
	}
	slices.Sort(names)
	ordered := mains(all)
	slices.SortFunc(cols, func(a, b *contest) int { return cmp.Compare(slices.Index(ordered, a), slices.Index(ordered, b)) })
	return cols, names
}

// mostStarts is up to how many models every two of them are tried as a start.
const mostStarts = 12

// grow adds next to the chosen models, and then the one that keeps the most of
// what is shared, as long as enough is.
func grow(chosen []*contest, shared []string, open []*contest, next *contest, try func([]*contest, []string)) {
	kept := func(c *contest) []string {
		names := providers(c.timed())
		return slices.DeleteFunc(slices.Clone(shared), func(n string) bool { return !slices.Contains(names, n) })
	}
	for next != nil && len(chosen) < columns {
		if shared = kept(next); len(shared) < fewestShared {
			return
		}
		chosen = append(chosen, next)
		try(chosen, shared)
		next = nil
		for _, c := range open {
			if !slices.Contains(chosen, c) && (next == nil || len(kept(c)) > len(kept(next))) {
				next = c
			}
		}
	}
}

// among ranks the providers of a contest among themselves, by the decided pairs.
func (c *contest) among(names []string, sides map[key][]side) map[string]*chart.BumpPlace {
	places := map[string]*chart.BumpPlace{}
	for _, x := range c.timed() {
		if slices.Contains(names, x.provider) {
			places[x.provider] = &chart.BumpPlace{Pos: len(places) + 1, Lo: 1, Hi: len(names)}
		}
	}
	for _, s := range sides[c.key] {
		if s.metric == c.metric && places[s.leader] != nil && places[s.other] != nil {
			places[s.leader].Hi--
			places[s.other].Lo++
		}
	}
	return places
}

func placesOf(cols []*contest, names []string, sides map[key][]side) (places []map[string]*chart.BumpPlace) {
	for _, c := range cols {
		places = append(places, c.among(names, sides))
	}
	return places
}

// bumpFigure shows who trades places between models, over the providers that all
// shown models have, ranked among themselves; nil where no two models share
// enough.
func bumpFigure(all []*contest, decided []side, l *words.Language) *figure {
	sides := map[key][]side{}
	for _, s := range decided {
		sides[s.key] = append(sides[s.key], s)
	}
	cols, names := shareMost(all, sides)
	if cols == nil {
		return nil
	}
	places := placesOf(cols, names, sides)
	left := 0
	if len(names) > providersShown { // those that move most, by the ranges
		slices.SortStableFunc(names, func(a, b string) int {
			ma, mb := lineOf(a, places), lineOf(b, places)
			return cmp.Compare(movedOf(mb).by, movedOf(ma).by)
		})
		left = len(names) - providersShown
		names = names[:providersShown]
		slices.Sort(names)
		places = placesOf(cols, names, sides)
	}
	f := &figure{ID: "f-ranks", SQL: query("decided") + ";"}
	data := chart.Bump{ID: f.ID}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Provider")}}
	for _, c := range cols {
		data.Columns = append(data.Columns, c.model)
		f.Table.Head = append(f.Table.Head, l.Name(c.model))
	}
	for _, name := range names {
		line := lineOf(name, places)
		r := cells(nameOf(l, name))
		for i, p := range line.Places {
			shown := rank(new(int64(p.Lo)), new(int64(p.Hi)))
			line.Tips = append(line.Tips, l.Say("%s on %s: place %s of %d", l.Name(name), l.Name(data.Columns[i]), shown.Text, len(names)))
			r.Cells = append(r.Cells, shown)
		}
		data.Lines = append(data.Lines, line)
		f.Table.Rows = append(f.Table.Rows, r)
	}
	move := movers(data.Lines)
	for i, m := range move[:min(len(move), 3)] {
		for j := range data.Lines {
			if data.Lines[j].Name == m.Name {
				data.Lines[j].Accent = chart.Accents[i]
			}
		}
	}
	f.Key = bumpKey(l, data)
	f.chart = data
	var lines []words.Move
	for _, line := range move {
		m := movedOf(line)
		lines = append(lines, words.Move{Provider: line.Name,
			From: data.Columns[m.top], FromLo: line.Places[m.top].Lo, FromHi: line.Places[m.top].Hi,
			To: data.Columns[m.bottom], ToLo: line.Places[m.bottom].Lo, ToHi: line.Places[m.bottom].Hi})
	}
	f.Title = words.Moves(l, len(cols), lines)
	sub := []string{l.Say("Place by typical %s, one column a model; 1 is best. Under a name its range of places.", lower(cols[0].words().Heading))}
	if cols[0].label != "" {
		sub[0] = l.Say("Place by typical %s, %s, one column a model; 1 is best. Under a name its range of places.", lower(cols[0].words().Heading), cols[0].label)
	}
	if len(move) > 0 {
		sub = append(sub, l.Say("Coloured: the largest moves beyond the ranges."))
	}
	f.Sub = l.Sentences(sub)
	note := []string{l.Say("The %d providers that all %d models have, ranked among themselves.", len(names)+left, len(cols))}
	if left > 0 {
		note = append(note, l.Say("Shown: the %d that move most.", len(names)))
	}
	if n := len(mains(all)); n > len(cols) {
		note = append(note, l.Say("%d of %d models in one setting: those between which the most is shown to move.", len(cols), n))
	}
	f.Note = l.Sentences(note)
	return f
}

func lineOf(name string, places []map[string]*chart.BumpPlace) chart.BumpLine {
	l := chart.BumpLine{Name: name}
	for _, p := range places {
		l.Places = append(l.Places, p[name])
	}
	return l
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

// move is how far a line moves beyond the ranges of its places, and between
// which columns: the worst place at one that it can hold against the best at the
// other.
type move struct{ by, top, bottom int }

func movedOf(l chart.BumpLine) move {
	var m move
	for i, p := range l.Places {
		for j, q := range l.Places {
			if by := q.Lo - p.Hi; by > m.by {
				m = move{by, i, j}
			}
		}
	}
	return m
}

// movers are the lines that move beyond their ranges, the furthest first.
func movers(lines []chart.BumpLine) []chart.BumpLine {
	out := slices.DeleteFunc(slices.Clone(lines), func(l chart.BumpLine) bool { return movedOf(l).by == 0 })
	slices.SortStableFunc(out, func(a, b chart.BumpLine) int { return cmp.Compare(movedOf(b).by, movedOf(a).by) })
	return out
}

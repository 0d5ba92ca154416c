package page

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// subject is who was asked what, where a figure shows several settings of a model.
type subject struct {
	provider, model           string
	scenario, vantage, params sql.NullString
}

func (a *subject) fields() []any {
	return []any{&a.provider, &a.model, &a.scenario, &a.vantage, &a.params}
}

// step is a row of curves.sql: what a number of streams gives. Rates are tokens a
// second of all streams together.
type step struct {
	subject
	streams, n              int64
	rate, rateLo, rateHi    *float64
	slow, failed            *float64
	against                 *int64
	ratio, ratioLo, ratioHi *float64
	cliff                   bool
}

func (s *step) scan() []any {
	return append(s.subject.fields(), &s.streams, &s.n, &s.rate, &s.rateLo, &s.rateHi, &s.slow, &s.failed, &s.against, &s.ratio, &s.ratioLo, &s.ratioHi, &s.cliff)
}

// place is a row of burst.sql: what one place of a burst waits.
type place struct {
	subject
	place, n             int64
	wait, waitLo, waitHi *float64
	ratio                *float64
	behind               bool
}

func (p *place) scan() []any {
	return append(p.subject.fields(), &p.place, &p.n, &p.wait, &p.waitLo, &p.waitHi, &p.ratio, &p.behind)
}

// modelsDrawn is for how many models the page of a question has a figure of its
// own; its table has all.
const modelsDrawn = 4

// loadFigures are those of the page about concurrency, silence and bursts.
func loadFigures(ctx context.Context, src Source, d *data) ([]*figure, error) {
	steps, err := load(ctx, src, "curves", (*step).scan)
	if err != nil {
		return nil, err
	}
	starts, err := load(ctx, src, "cold", (*coldStart).scan)
	if err != nil {
		return nil, err
	}
	places, err := load(ctx, src, "burst", (*place).scan)
	if err != nil {
		return nil, err
	}
	var out []*figure
	ids := map[string]bool{}
	for _, rows := range byModel(steps, func(s step) string { return s.model }) {
		out = append(out, curveFigure(d, unique(ids, "f-load-"+slug(rows[0].model)), rows))
	}
	if f := coldFigure(d, starts); f != nil {
		out = append(out, f)
	}
	for _, rows := range byModel(places, func(p place) string { return p.model }) {
		out = append(out, burstFigure(d, unique(ids, "f-burst-"+slug(rows[0].model)), rows))
	}
	return out, nil
}

// byModel parts rows by their model: those with the most rows, by name.
func byModel[T any](rows []T, model func(T) string) [][]T {
	groups := map[string][]T{}
	for _, r := range rows {
		groups[model(r)] = append(groups[model(r)], r)
	}
	names := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(groups[b]), len(groups[a])), cmp.Compare(a, b))
	})
	var out [][]T
	for _, n := range names[:min(len(names), modelsDrawn)] {
		out = append(out, groups[n])
	}
	return out
}

// series is a line of one provider in one setting.
type series[T any] struct {
	subject
	name string // with the setting where a provider has several
	rows []T
}

// seriesOf parts rows by who was asked, in order.
func seriesOf[T any](rows []T, who func(T) subject) []series[T] {
	at := map[subject]int{}
	var out []series[T]
	settings := map[string]int{}
	for _, r := range rows {
		a := who(r)
		if i, ok := at[a]; ok {
			out[i].rows = append(out[i].rows, r)
			continue
		}
		at[a] = len(out)
		settings[a.provider]++
		out = append(out, series[T]{subject: a, rows: []T{r}})
	}
	for i, s := range out {
		out[i].name = s.provider
		if settings[s.provider] > 1 {
			out[i].name = fmt.Sprintf("%s, %s", s.provider, s.scenario.String)
			if s.vantage.Valid {
				out[i].name += ", " + s.vantage.String
			}
		}
	}
	return out
}

// accents colours the lines that are told from the others: the first three names
// that are given.
func accents[T any](all []series[T], told ...int) []chart.Accent {
	out := make([]chart.Accent, len(all))
	for i := range out {
		out[i] = chart.Grey
	}
	if len(all) <= len(chart.Accents) && len(all) <= 3 {
		told = nil
		for i := range all {
			told = append(told, i)
		}
	}
	next := 0
	for _, i := range told {
		if out[i] == chart.Grey && next < 3 {
			out[i] = chart.Accents[next]
			next++
		}
	}
	return out
}

// curve draws a line with its band and its name at the end; what is told from the
// others comes last, over them.
func curve(name string, colour chart.Accent, points, lo, hi [][2]float64) (below, above []chart.Mark) {
	below = append(below, chart.Curve(colour, name, points))
	if colour == chart.Grey {
		return below, nil
	}
	if len(lo) > 1 {
		below = append(below, chart.Band(colour, lo, hi))
	}
	last := points[len(points)-1]
	return below, []chart.Mark{chart.Note(last[0], last[1], words.Visible(name), colour, 1, 0)}
}

// curveFigure shows how the speed of all streams grows with their number.
func curveFigure(d *data, id string, rows []step) *figure {
	l := d.lang
	model := rows[0].model
	all := seriesOf(rows, func(s step) subject { return s.subject })
	f := &figure{ID: id, SQL: modelQuery("curves", model), About: d.about(sum(rows, func(s step) int64 { return s.n }))}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Provider"), l.Say("At a time"), l.Say("All, tokens/s"), l.Say("Times the fewest"), l.Say("Slow first token"), l.Say("Failed"), l.Say("n")}}
	best, worst := -1, -1
	gain := func(i int) *float64 { return all[i].rows[len(all[i].rows)-1].ratio }
	for i := range all {
		if gain(i) == nil {
			continue
		}
		if best < 0 || *gain(i) > *gain(best) {
			best = i
		}
		if worst < 0 || *gain(i) < *gain(worst) {
			worst = i
		}
	}
	told := slices.DeleteFunc([]int{best, worst}, func(i int) bool { return i < 0 })
	for i, s := range all {
		if slices.ContainsFunc(s.rows, func(r step) bool { return r.cliff }) {
			told = append(told, i)
		}
	}
	colours := accents(all, told...)
	var marks, names []chart.Mark
	var values []float64
	var labels, cliffs []string
	ticks := map[float64]bool{}
	for i, s := range all {
		var points, lo, hi [][2]float64
		for _, r := range s.rows {
			x := float64(r.streams)
			ticks[x] = true
			points, values = append(points, [2]float64{x, *r.rate}), append(values, *r.rate)
			if positive(r.rateLo) && positive(r.rateHi) {
				lo, hi = append(lo, [2]float64{x, *r.rateLo}), append(hi, [2]float64{x, *r.rateHi})
				if colours[i] != chart.Grey {
					values = append(values, *r.rateLo, *r.rateHi)
				}
			}
			if r.cliff {
				cliffs = append(cliffs, l.Say("%s at %d", l.Name(s.name), r.streams))
			}
			f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, s.name), text(fmt.Sprint(r.streams)), interval(l, r.rate, r.rateLo, r.rateHi, human.Number, whyUnknown),
				interval(l, r.ratio, r.ratioLo, r.ratioHi, l.Ratio, l.Say("nothing to compare with")), show(r.slow, l.Millis, whyUnknown), show(r.failed, human.Share, whyUnknown), text(human.Count(r.n))))
		}
		under, over := curve(s.name, colours[i], points, lo, hi)
		if colours[i] == chart.Grey {
			marks = append(under, marks...)
		} else {
			marks, labels = append(marks, under...), append(labels, s.name)
		}
		names = append(names, over...)
	}
	f.Table.note(l)
	y := chart.LogAxis(values, 240, "number")
	ends(names, y, 260)
	f.chart = chart.Plot{ID: f.ID, X: countAxis(ticks), Y: y, Left: 58, Right: chart.Width(labels, 150), Tall: 300, Narrow: 280, Marks: append(marks, names...)}
	f.Title = l.Say("%s: what more streams bring", l.Name(model))
	if best >= 0 && worst != best && !apart(all[worst].rows, all[best].rows) {
		f.Title = l.Say("%s: at full load the tokens a second are %s to %s those of the fewest streams; nobody is shown to gain more than another", l.Name(model), l.Ratio(*gain(worst)), l.Ratio(*gain(best)))
	} else if best >= 0 {
		top := all[best].rows[len(all[best].rows)-1]
		f.Title = l.Say("%s: %d streams bring %s the tokens a second of %d at %s", l.Name(model), top.streams, l.Ratio(*top.ratio), *top.against, l.Name(all[best].name))
		if worst != best {
			f.Title = l.Say("%s, and %s at %s", f.Title, l.Ratio(*gain(worst)), l.Name(all[worst].name))
		}
	}
	f.Sub = l.Say("Output tokens a second of all streams together (up) by the number of streams (across). Both axes logarithmic; bands are 95%% intervals.")
	if len(cliffs) > 0 {
		f.Note = l.Sentence(l.Say("A step down that holds over windows: %s", l.Commas(cliffs)))
	}
	return f
}

// apart says whether one provider gains less than another: the intervals of what
// their most streams bring lie apart.
func apart(low, high []step) bool {
	a, b := low[len(low)-1], high[len(high)-1]
	return a.ratioHi != nil && b.ratioLo != nil && *a.ratioHi < *b.ratioLo
}

// ends puts names at the ends of lines where they do not lie over each other:
// values are on a logarithmic axis over the height.
func ends(marks []chart.Mark, axis chart.Axis, height float64) {
	const gap = 15.0
	at := func(m chart.Mark) float64 {
		return (1 - math.Log(m.Data[0][1].(float64)/axis.Lo)/math.Log(axis.Hi/axis.Lo)) * height
	}
	slices.SortStableFunc(marks, func(a, b chart.Mark) int { return cmp.Compare(at(a), at(b)) })
	below := math.Inf(-1)
	for _, m := range marks {
		y := max(at(m), below+gap)
		m.Data[0][4] = y - at(m)
		below = y
	}
}

// burstFigure shows what each place of a burst waits for its first token.
func burstFigure(d *data, id string, rows []place) *figure {
	l := d.lang
	model := rows[0].model
	all := seriesOf(rows, func(p place) subject { return p.subject })
	f := &figure{ID: id, SQL: modelQuery("burst", model), About: d.about(sum(rows, func(p place) int64 { return p.n }))}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Provider"), l.Say("Place"), l.Say("First token"), l.Say("Times the first"), l.Say("n")}}
	var most *place
	at, slowest := -1, -1
	end := func(i int) float64 { return *all[i].rows[len(all[i].rows)-1].wait }
	for i, s := range all {
		if slowest < 0 || end(i) > end(slowest) {
			slowest = i
		}
		for j := range s.rows {
			if r := &s.rows[j]; r.behind && r.ratio != nil && (most == nil || *r.ratio > *most.ratio) {
				most, at = r, i
			}
		}
	}
	told := []int{slowest}
	if at >= 0 {
		told = []int{at, slowest}
	}
	colours := accents(all, told...)
	var marks, names []chart.Mark
	var values []float64
	var labels []string
	ticks := map[float64]bool{}
	for i, s := range all {
		var points, lo, hi [][2]float64
		for _, r := range s.rows {
			x := float64(r.place)
			ticks[x] = true
			points, values = append(points, [2]float64{x, *r.wait}), append(values, *r.wait)
			if positive(r.waitLo) && positive(r.waitHi) {
				lo, hi = append(lo, [2]float64{x, *r.waitLo}), append(hi, [2]float64{x, *r.waitHi})
				if colours[i] != chart.Grey {
					values = append(values, *r.waitLo, *r.waitHi)
				}
			}
			f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, s.name), text(fmt.Sprint(r.place)), interval(l, r.wait, r.waitLo, r.waitHi, l.Millis, whyUnknown),
				show(r.ratio, l.Ratio, l.Say("nothing to compare with")), text(human.Count(r.n))))
		}
		under, over := curve(s.name, colours[i], points, lo, hi)
		if colours[i] == chart.Grey {
			marks = append(under, marks...)
		} else {
			marks, labels = append(marks, under...), append(labels, s.name)
		}
		names = append(names, over...)
	}
	f.Table.note(l)
	x := countAxis(ticks)
	x.Log = false
	y := chart.LogAxis(values, 240, "ms")
	ends(names, y, 240)
	f.chart = chart.Plot{ID: f.ID, X: x, Y: y, Left: 58, Right: chart.Width(labels, 150), Tall: 280, Narrow: 260, Marks: append(marks, names...)}
	f.Title = l.Say("%s: no place of a burst is shown to wait longer than the first", l.Name(model))
	if most != nil {
		f.Title = l.Say("%s: in a burst at %s, request %d waits %s as long as the first", l.Name(model), l.Name(all[at].name), most.place, l.Ratio(*most.ratio))
	}
	f.Sub = l.Say("Typical time to first token (up) by place in a burst after silence (across). Log scale; bands are 95%% intervals.")
	return f
}

// countAxis is an axis of whole numbers, each a tick where there is room.
func countAxis(at map[float64]bool) chart.Axis {
	ticks := slices.Sorted(maps.Keys(at))
	lo, hi := ticks[0], ticks[len(ticks)-1]
	for len(ticks) > 12 {
		var few []float64
		for i := 0; i < len(ticks); i += 2 {
			few = append(few, ticks[i])
		}
		ticks = few
	}
	return chart.Axis{Lo: lo / 1.1, Hi: hi * 1.1, Log: true, Ticks: ticks, Format: "number"}
}

func sum[T any](rows []T, n func(T) int64) (total int64) {
	for _, r := range rows {
		total += n(r)
	}
	return total
}

// modelQuery is a query of this package for one model.
func modelQuery(name, model string) string {
	return fmt.Sprintf("FROM (\n%s\n)\nWHERE model = %s\nORDER BY ALL;", query(name), literal(model))
}

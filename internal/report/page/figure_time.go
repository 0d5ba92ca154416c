package page

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// hourly is a row of over_time.sql.
type hourly struct {
	who
	hour time.Time
	p50  float64
	n    int64
}

func (h *hourly) scan() []any { return append(h.who.fields(), &h.hour, &h.p50, &h.n) }

// happening is a row of events_in_time.sql; times are seconds since 1970.
type happening struct {
	model, provider, what string
	at, until             *float64
}

func (h *happening) scan() []any { return []any{&h.model, &h.provider, &h.what, &h.at, &h.until} }

// happeningsShown is how many are marked on a chart; its table has all.
const happeningsShown = 4

// timeFigure shows typical times over the recording, with changes of what is
// served and outages marked; nil where there are fewer than three spans.
func (c *contest) timeFigure(rows []hourly, marks []happening) *figure {
	l := c.lang
	byProvider, spans := map[string][]hourly{}, map[int64]bool{}
	for _, r := range rows {
		if r.key == c.key && r.p50 > 0 {
			byProvider[r.provider] = append(byProvider[r.provider], r)
			spans[r.hour.Unix()] = true
		}
	}
	if len(spans) < 3 || c.metric == "" {
		return nil
	}
	times := slices.Sorted(maps.Keys(spans))
	size := (len(times) + mostSlots - 1) / mostSlots
	bucket := map[int64]int64{}
	for i, at := range times {
		bucket[at] = times[i-i%size]
	}
	mine := slices.DeleteFunc(slices.Clone(marks), func(h happening) bool { return h.model != c.model || h.at == nil || byProvider[h.provider] == nil })
	var told []string
	for _, h := range mine {
		if !slices.Contains(told, h.provider) {
			told = append(told, h.provider)
		}
	}
	if timed := c.timed(); len(told) == 0 && len(timed) > 0 {
		told = []string{timed[0].provider, timed[len(timed)-1].provider}
	}
	f := &figure{ID: "f-time-" + c.id, SQL: c.narrowed("over_time", false) + "\n\n" + query("events_in_time") + ";"}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Provider"), l.Say("First half, typical"), l.Say("Second half, typical"), l.Say("Fastest"), l.Say("Slowest")}}
	first, last := float64(times[0]), float64(times[len(times)-1])
	middle := (first + last) / 2
	var values []float64
	var grey, coloured, notes []chart.Mark
	for _, x := range c.timed() {
		points := map[int64][]float64{}
		for _, r := range byProvider[x.provider] {
			points[bucket[r.hour.Unix()]] = append(points[bucket[r.hour.Unix()]], r.p50)
		}
		var path [][2]float64
		var early, late, all []float64
		for _, at := range slices.Sorted(maps.Keys(points)) {
			v := median(points[at])
			path, values, all = append(path, [2]float64{float64(at), v}), append(values, v), append(all, v)
			if float64(at) < middle {
				early = append(early, v)
			} else {
				late = append(late, v)
			}
		}
		if len(path) < 2 {
			continue
		}
		colour := chart.Grey
		if i := slices.Index(told, x.provider); i >= 0 && i < 3 {
			colour = chart.Accents[i]
			notes = append(notes, chart.Note(path[len(path)-1][0], path[len(path)-1][1], words.Visible(x.provider), colour, 1, 0))
			coloured = append(coloured, chart.Curve(colour, l.Name(x.provider), path))
		} else {
			grey = append(grey, chart.Curve(colour, l.Name(x.provider), path))
		}
		r := cells(nameOf(l, x.provider), value{Text: "–", Why: whyUnknown}, value{Text: "–", Why: whyUnknown}, text(l.Millis(slices.Min(all))), text(l.Millis(slices.Max(all))))
		if len(early) > 0 {
			r.Cells[1] = text(l.Millis(median(early)))
		}
		if len(late) > 0 {
			r.Cells[2] = text(l.Millis(median(late)))
		}
		f.Table.Rows = append(f.Table.Rows, r)
	}
	if len(values) == 0 {
		return nil
	}
	var shown []chart.Mark
	var said []string
	for i, h := range mine {
		what := l.Term(strings.ReplaceAll(h.what, "_", " "))
		if h.what != "outage" {
			what = l.Say("%s changed", what)
		}
		s := l.Say("%s: %s", l.Name(h.provider), what)
		said = append(said, l.Say("%s on %s", s, l.Date(time.Unix(int64(*h.at), 0), "2 January 2006, 15:04")))
		if i >= happeningsShown {
			continue
		}
		plain := fmt.Sprintf("%s: %s", words.Visible(h.provider), what)
		if h.what == "outage" && h.until != nil {
			shown = append(shown, chart.Span(*h.at, *h.until, plain, chart.Bad))
		} else {
			shown = append(shown, chart.Rule(*h.at, plain, chart.Ink))
		}
		first, last = min(first, *h.at), max(last, *h.at)
	}
	air := max((last-first)*0.02, 30)
	f.chart = chart.Plot{ID: f.ID, X: chart.TimeAxis(first-air, last+air), Y: chart.LogAxis(values, 220, "ms"), Left: 58, Right: chart.Width(told, 130), Tall: 300, Narrow: 280,
		Marks: slices.Concat(grey, coloured, shown, notes)}
	f.Table.note(l)
	f.Title = l.Say("No change of what is served and no outage was seen on %s", l.Name(c.model))
	if len(said) > 0 {
		f.Title = said[0]
		if len(said) > 1 {
			f.Title = l.Say("%s; %d more marked", said[0], len(said)-1)
		}
		f.Note = l.Clauses(said[:min(len(said), 12)])
	}
	f.Sub = l.Say("Typical %s by hour, %s. Log scale. Changes and outages are named where they happened; named lines are theirs.", lower(c.words().Heading), c.where())
	return f
}

// timeOnce is the figure of a model's main contest.
func (c *contest) timeOnce(main bool, d *data) *figure {
	if !main {
		return nil
	}
	return c.timeFigure(d.hours, d.happened)
}

func median(values []float64) float64 {
	v := slices.Clone(values)
	slices.SortFunc(v, cmp.Compare[float64])
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

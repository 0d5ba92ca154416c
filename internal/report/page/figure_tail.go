package page

import (
	"cmp"
	"slices"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
)

// tailFigure shows the share still waiting after a time; nil where no line
// reaches the slowest fifth.
func (c *contest) tailFigure() *figure {
	w := c.words()
	f := &figure{ID: "f-tail-" + c.id, SQL: c.narrowed("tail", true)}
	l := c.lang
	data := chart.Tail{ID: f.ID}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Provider"), l.Say("n"), l.Say("half wait longer than"), "20%", "5%", "1%"}}
	for _, x := range c.cells {
		points := c.tails[x.provider]
		line := chart.TailLine{Name: x.provider, Tip: x.provider}
		for _, p := range points {
			if p.ms > 0 {
				line.Points = append(line.Points, chart.TailPoint{Ms: p.ms, Share: p.share})
			}
		}
		if len(line.Points) < 2 {
			continue
		}
		if x.p50 != nil && x.p95 != nil {
			line.Tip = l.Say("%s: half wait over %s, 5%% over %s", l.Name(x.provider), l.Millis(*x.p50), l.Millis(*x.p95))
		}
		data.Lines = append(data.Lines, line)
		f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, x.provider), text(human.Count(points[0].n)),
			show(at(points, 0.5), l.Millis, l.Say("fewer than five requests would remain")), show(at(points, 0.2), l.Millis, l.Say("fewer than five requests would remain")),
			show(at(points, 0.05), l.Millis, l.Say("fewer than five requests would remain")), show(at(points, 0.01), l.Millis, l.Say("fewer than five requests would remain"))))
	}
	if !slices.ContainsFunc(c.cells, func(x cell) bool { return at(c.tails[x.provider], 0.2) != nil }) {
		return nil
	}
	f.Table.note(l)
	f.Sub = l.Say("Share of requests still waiting after a time (%s), %s. Both axes logarithmic; lower is better.", lower(w.Heading), c.where())
	f.Note = l.Say("Each line ends where fewer than five requests remain.")
	picked := []string{data.Lines[0].Name, data.Lines[len(data.Lines)-1].Name}
	share, spreads := c.spreads(data.Lines)
	slowest := l.Say("slowest %d%%", int(100*share+0.5))
	switch n := len(spreads); {
	case n > 1 && human.Ratio(spreads[0].ratio) == human.Ratio(spreads[n-1].ratio):
		f.Title = l.Say("Each provider’s %s wait over %s its median", slowest, l.Ratio(spreads[0].ratio))
	case n > 1:
		// Which provider's is the largest nothing here tests, so none is named.
		f.Title = l.Say("The %s wait over %s to %s their provider’s median", slowest, l.Ratio(spreads[0].ratio), l.Ratio(spreads[n-1].ratio))
	case n == 1:
		f.Title = l.Say("%s: the %s wait over %s the median", l.Name(spreads[0].provider), slowest, l.Ratio(spreads[0].ratio))
	}
	accent(picked, len(chart.Accents), func(name string, a chart.Accent) {
		for i := range data.Lines {
			if data.Lines[i].Name == name {
				data.Lines[i].Accent = a
			}
		}
	})
	f.chart = data
	return f
}

// spread is how many times its median a provider's slow requests take.
type spread struct {
	provider string
	ratio    float64
}

// spreads compares the slow ends at the smallest share that every line
// reaches, the steadiest first.
func (c *contest) spreads(lines []chart.TailLine) (share float64, all []spread) {
	for _, share = range []float64{0.01, 0.05, 0.1, 0.2} {
		all = nil
		for _, l := range lines {
			slow, half := at(c.tails[l.Name], share), at(c.tails[l.Name], 0.5)
			if slow != nil && half != nil && *half > 0 {
				all = append(all, spread{l.Name, *slow / *half})
			}
		}
		if len(all) == len(lines) {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b spread) int {
		return cmp.Or(cmp.Compare(a.ratio, b.ratio), cmp.Compare(a.provider, b.provider))
	})
	return share, all
}

// at is the time of a share, where the line reaches it.
func at(points []tailPoint, share float64) *float64 {
	for _, p := range points {
		if p.share == share {
			return &p.ms
		}
	}
	return nil
}

// accent gives colours to the first limit different names.
func accent(names []string, limit int, set func(string, chart.Accent)) {
	var done []string
	for _, name := range names {
		if len(done) == min(limit, len(chart.Accents)) {
			return
		}
		if !slices.Contains(done, name) {
			set(name, chart.Accents[len(done)])
			done = append(done, name)
		}
	}
}

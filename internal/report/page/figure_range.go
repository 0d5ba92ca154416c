package page

import (
	"html/template"
	"slices"

	"aircheck/internal/report/chart"
)

const rangeKey template.HTML = `<svg class="keymark" width="84" height="18" viewBox="0 0 84 18" aria-hidden="true" focusable="false">` +
	`<rect x="36" y="1" width="24" height="16" fill="var(--s1)" fill-opacity=".16"/>` +
	`<line x1="8" x2="80" y1="9" y2="9" stroke="var(--s1)" stroke-width="1.5"/><line x1="80" x2="80" y1="5" y2="13" stroke="var(--s1)" stroke-width="1.5"/>` +
	`<rect x="8" y="6" width="40" height="6" fill="var(--s1)" fill-opacity=".35"/><line x1="48" x2="48" y1="1" y2="17" stroke="var(--s1)" stroke-width="3"/>` +
	`<circle cx="8" cy="9" r="5" fill="var(--s1)"/></svg> `

// rangeFigure shows how far each provider's times spread; nil where there are
// fewer than two to compare.
func (c *contest) rangeFigure() *figure {
	if len(c.timed()) < 2 {
		return nil
	}
	w := c.words()
	f := &figure{ID: "f-range-" + c.id, SQL: c.narrowed("verdict", true)}
	l := c.lang
	data := chart.Range{ID: f.ID}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Provider"), l.Say("n"), l.Say("p50"), l.Say("p95"), l.Say("p99"), l.Say("p95, failures as never")}}
	var first, last *cell
	rows := slices.Clone(c.cells)
	slices.SortStableFunc(rows, func(a, b cell) int { return ascending(c.tail(a), c.tail(b)) })
	for i := range rows {
		x := &rows[i]
		row := chart.RangeRow{Name: x.provider, Value: pick(orZero(x.answered) > 0, l.Say("no time"), l.Say("no answer"))}
		if x.n != nil {
			row.N = *x.n
		}
		lo, hi := x.p95Lo, x.p95Hi
		if c.tailBy == "p50" {
			lo, hi = x.p50Lo, x.p50Hi
		}
		if positive(x.p50) && positive(x.p95) {
			row.P50, row.P95, row.P99 = x.p50, x.p95, x.p99
			if positive(lo) && positive(hi) {
				row.Lo, row.Hi = lo, hi
			}
			row.Value = l.Millis(*c.tail(*x))
			row.Tip = l.Say("%s: median %s, p95 %s", l.Name(x.provider), l.Millis(*x.p50), l.Millis(*x.p95))
			if x.p99 != nil {
				row.Tip = l.Say("%s, p99 %s", row.Tip, l.Millis(*x.p99))
			}
			if first == nil {
				first = x
			}
			last = x
		}
		data.Rows = append(data.Rows, row)
		n := showCount(x.n)
		n.Few = isFew(x.n)
		f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, x.provider), n,
			interval(l, x.p50, x.p50Lo, x.p50Hi, l.Millis, x.whyNoTime()),
			interval(l, x.p95, x.p95Lo, x.p95Hi, l.Millis, x.whyNoTime()),
			show(x.p99, l.Millis, whyP99),
			show(x.p95All, l.Millis, l.Say("more than 5%% failed, or no time is known"))))
	}
	f.Table.note(l)
	f.chart = data
	by, interval := l.Say("p95"), l.Say("95%% interval of p95")
	if c.tailBy == "p50" {
		by, interval = l.Say("median"), l.Say("95%% interval of the median")
	}
	f.Sub = l.Say("%s, %s, log scale. Smallest %s on top.", w.Heading, c.where(), by)
	f.Key = rangeKey + template.HTML(template.HTMLEscapeString(l.Say("dot: median · bar: to p95 · line: to p99 · shade: %s", interval)))
	f.Note = l.Say("p99 is drawn from 100 requests on. Failed requests have no time; they count below, under availability.")
	if c.tailBy == "p95" {
		f.Title = l.Say("%s: 95 of 100 %s within %s; %s needs %s",
			l.Name(first.provider), w.Within, l.Millis(*first.p95), l.Name(last.provider), l.Millis(*last.p95))
	} else {
		f.Title = l.Say("%s: half of the %s within %s; %s needs %s",
			l.Name(first.provider), w.Within, l.Millis(*first.p50), l.Name(last.provider), l.Millis(*last.p50))
	}
	return f
}

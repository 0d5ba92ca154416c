package page

import (
	"fmt"
	"html/template"
	"slices"

	"aircheck/internal/kit/human"
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
	data := chart.Range{ID: f.ID}
	f.Table = table{Caption: "Numbers of the chart", Left: 1, Head: []string{"Provider", "n", "p50", "p95", "p99", "p95, failures as never"}}
	var first, last *cell
	rows := slices.Clone(c.cells)
	slices.SortStableFunc(rows, func(a, b cell) int { return ascending(c.tail(a), c.tail(b)) })
	for i := range rows {
		x := &rows[i]
		row := chart.RangeRow{Name: x.provider, Value: pick(orZero(x.answered) > 0, "no time", "no answer")}
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
			row.Value = human.Millis(*c.tail(*x))
			row.Tip = fmt.Sprintf("%s: median %s, p95 %s", x.provider, human.Millis(*x.p50), human.Millis(*x.p95))
			if x.p99 != nil {
				row.Tip += ", p99 " + human.Millis(*x.p99)
			}
			if first == nil {
				first = x
			}
			last = x
		}
		data.Rows = append(data.Rows, row)
		n := showCount(x.n)
		n.Few = isFew(x.n)
		f.Table.Rows = append(f.Table.Rows, cells(text(x.provider), n,
			interval(x.p50, x.p50Lo, x.p50Hi, human.Millis, x.whyNoTime()),
			interval(x.p95, x.p95Lo, x.p95Hi, human.Millis, x.whyNoTime()),
			show(x.p99, human.Millis, whyP99),
			show(x.p95All, human.Millis, "more than 5% failed, or no time is known")))
	}
	f.Table.note()
	f.chart = data
	by, interval := "p95", "95% interval of p95"
	if c.tailBy == "p50" {
		by, interval = "median", "95% interval of the median"
	}
	f.Sub = fmt.Sprintf("%s, %s, log scale. Smallest %s on top.", w.Heading, c.where(), by)
	f.Key = rangeKey + template.HTML("dot: median · bar: to p95 · line: to p99 · shade: "+interval)
	f.Note = "p99 is drawn from 100 requests on. Failed requests have no time; they count below, under availability."
	if c.tailBy == "p95" {
		f.Title = fmt.Sprintf("%s: 95 of 100 %s within %s; %s needs %s",
			first.provider, w.Within, human.Millis(*first.p95), last.provider, human.Millis(*last.p95))
	} else {
		f.Title = fmt.Sprintf("%s: half of the %s within %s; %s needs %s",
			first.provider, w.Within, human.Millis(*first.p50), last.provider, human.Millis(*last.p50))
	}
	return f
}

package page

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

func providers(cells []cell) []string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = c.provider
	}
	return names
}

// availabilityKey names the colours of the strip that occur in it.
func availabilityKey(l *words.Language, counts map[string][]count) template.HTML {
	var b strings.Builder
	present := chart.ClassesOf(slices.Collect(maps.Values(counts)))
	for i, name := range chart.Classes {
		if !present[i] {
			continue
		}
		fill := fmt.Sprintf(`<rect width="14" height="14" rx="2" fill="var(--a%d)"/>`, i)
		if i == len(chart.Classes)-1 {
			fill = `<path d="M0 5L5 0M0 12L12 0M3 14L14 3M10 14L14 10" stroke="var(--line)" fill="none"/>`
		}
		fmt.Fprintf(&b, `<span class="keyitem"><svg class="keymark" width="14" height="14" aria-hidden="true" focusable="false">%s</svg> %s</span> `,
			fill, template.HTMLEscapeString(l.Term(name)))
	}
	return template.HTML(b.String())
}

// availabilityFigure shows the share answered over time; nil where there is
// only one span of time to show, or nothing that failed.
func (c *contest) availabilityFigure() *figure {
	if len(c.slots) < 2 {
		return nil
	}
	f := &figure{ID: "f-answered-" + c.id, SQL: c.narrowed("windows", false), Key: availabilityKey(c.lang, c.counts)}
	l := c.lang
	data := chart.Availability{ID: f.ID, Say: l}
	for _, s := range c.slots {
		data.Slots = append(data.Slots, chart.Slot{Name: s.name, Tick: s.tick})
	}
	rows := slices.Clone(c.cells)
	slices.SortStableFunc(rows, func(a, b cell) int {
		return cmp.Or(ascending(b.share, a.share), cmp.Compare(a.provider, b.provider))
	})
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Provider"), l.Say("Attempts"), l.Say("Answered"), l.Say("Share"), l.Say("Spans with a failure")}}
	var worst []cell // those with the smallest share
	perfect := true
	for i := range rows {
		x := &rows[i]
		counts := c.counts[x.provider]
		if counts == nil {
			continue
		}
		data.Rows = append(data.Rows, chart.AvailabilityRow{Name: x.provider, Cells: counts, Total: show(x.share, human.Share, "").Text})
		var failed int64
		for _, n := range counts {
			if n.Answered < n.Attempts {
				failed++
			}
		}
		f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, x.provider), showCount(x.attempts), showCount(x.answered),
			interval(l, x.share, x.shareLo, x.shareHi, human.Share, x.whyNoShare()), text(l.Say("%d of %d", failed, len(counts)))))
		if x.share != nil {
			if len(worst) > 0 && *worst[0].share != *x.share {
				worst = nil
			}
			worst = append(worst, *x)
			perfect = perfect && *x.share == 1
		}
	}
	if len(worst) == 0 || perfect {
		return nil
	}
	f.Table.note(l)
	f.chart = data
	f.Sub = l.Say("Share of requests answered, %s, over %s. Best total on top.", c.where(), l.Count(int64(len(c.slots)), pick(c.slots[0].window, "window", "span")))
	f.Note = l.Say("A request counts as answered when its stream ended properly, whatever the answer was worth. What our side or the account stopped is not counted.")
	share := human.Share(*worst[0].share)
	switch {
	case len(worst) > 3:
		f.Title = l.Say("%d providers answered %s of their requests, the smallest share", len(worst), share)
	case len(worst) > 1:
		f.Title = l.Say("%s answered %s of their requests, the smallest share", l.Names(providers(worst)), share)
	case len(data.Rows) == 1:
		f.Title = l.Say("%s answered %s of its requests", l.Name(worst[0].provider), share)
	default:
		f.Title = l.Say("%s left %s of %s requests unanswered, the largest share", l.Name(worst[0].provider),
			human.Count(*worst[0].attempts-*worst[0].answered), human.Count(*worst[0].attempts))
	}
	return f
}

package chart

import (
	"fmt"
	"html/template"
	"strings"
)

// UptimeStrip draws the slots of one provider in the colours of Availability:
// good time pale, bad time dark, time not measured left open.
func UptimeStrip(cells []Cell) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, stripOpen, "uptime", 14)
	n := float64(len(cells))
	for _, r := range runs(cells) {
		x, w := float64(r.from)/n, float64(r.to-r.from)/n
		if len(cells) <= fewSlots {
			w *= 0.9 // slots that can be counted stand apart
		}
		if r.class == notMeasured {
			fmt.Fprintf(&b, `<line x1="%s" x2="%s" y1="7" y2="7" stroke="var(--line)" stroke-dasharray="1 3"/>`, percent(x), percent(x+w))
			continue
		}
		fmt.Fprintf(&b, `<rect x="%s" width="%s" y="0" height="14" fill="var(--a%d)"/>`, percent(x), percent(w), r.class)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

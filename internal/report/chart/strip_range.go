package chart

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"aircheck/internal/kit/human"
)

// Strips are the small drawings inside a table's cells. Their coordinates are
// percentages of the cell, so one serves every width; the numbers beside them
// say the same, so they are hidden from screen readers.

const stripOpen = `<svg class="spark spark-%s" width="100%%" height="%d" aria-hidden="true" focusable="false">`

// RangeStrip draws one provider's p50, p95 and p99 (milliseconds) on the
// table's shared axis: dot, bar, thin line. What is nil is left out.
func RangeStrip(s Scale, p50, p95, p99 *float64) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, stripOpen, "range", 20)
	for _, t := range stripTicks(s) {
		fmt.Fprintf(&b, `<line x1="%s" x2="%[1]s" y1="0" y2="20" stroke="var(--grid)"%s/>`, t.at, t.class)
	}
	if p50 != nil && p99 != nil {
		fmt.Fprintf(&b, `<line x1="%s" x2="%s" y1="10" y2="10" stroke="var(--s1)" stroke-opacity=".7"/>`, percent(s.At(*p50)), percent(s.At(*p99)))
	}
	if p50 != nil && p95 != nil {
		x, w := s.At(*p50), s.At(*p95)-s.At(*p50)
		fmt.Fprintf(&b, `<rect x="%s" width="%s" y="7" height="6" fill="var(--s1)" fill-opacity=".4"/>`, percent(x), percent(max(w, 0)))
		fmt.Fprintf(&b, `<line x1="%s" x2="%[1]s" y1="4" y2="16" stroke="var(--s1)" stroke-width="2.5"/>`, percent(s.At(*p95)))
	}
	if p50 != nil {
		fmt.Fprintf(&b, `<circle cx="%s" cy="10" r="4.5" fill="var(--s1)" stroke="var(--card)" stroke-width="1.5"/>`, percent(s.At(*p50)))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// RangeAxis labels the axis that the RangeStrips of a table share.
func RangeAxis(s Scale) template.HTML {
	var b strings.Builder
	fmt.Fprintf(&b, stripOpen, "axis", 14)
	ticks := stripTicks(s)
	// The labels at the ends are pushed inwards, over a minor one that is near.
	near := func(i int, edge float64) bool {
		return i >= 0 && i < len(ticks) && math.Abs(s.At(ticks[i].value)-edge) < stripEdge
	}
	covered := func(i, end int, edge float64) bool {
		return near(end, edge) && math.Abs(s.At(ticks[i].value)-s.At(ticks[end].value))*stripLength < stripGap+stripPush
	}
	for i, t := range ticks {
		anchor := "middle"
		switch {
		case near(i, 0):
			anchor = "start"
		case near(i, 1):
			anchor = "end"
		case t.class != "" && (covered(i, i-1, 0) || covered(i, i+1, 1)):
			continue
		}
		fmt.Fprintf(&b, `<text x="%s" y="10" text-anchor="%s" fill="var(--ink3)"%s>%s</text>`, t.at, anchor, t.class, human.Tick(t.value))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// A strip is about this long on a desktop; a phone hides the minor ticks.
const stripLength, stripGap = 190, 44

// Where a label counts as being at an end of the strip, as a share, and by how
// many pixels it is then pushed, at least.
const stripEdge, stripPush = 0.06, 10

type stripTick struct {
	at    string // place on the axis
	value float64
	class string // marks a minor tick
}

// stripTicks are the ticks of a table's axis. Major are the powers of ten, or
// the outer two ticks where there are fewer than two of them.
func stripTicks(s Scale) []stripTick {
	var ticks []stripTick
	major := 0
	for _, v := range s.Ticks(stripLength, stripGap) {
		t := stripTick{percent(s.At(v)), v, ` class="minor"`}
		if strings.HasPrefix(strconv.FormatFloat(v, 'e', -1, 64), "1e") {
			t.class = ""
			major++
		}
		ticks = append(ticks, t)
	}
	for i := range ticks {
		if major < 2 {
			ticks[i].class = pick(i == 0 || i == len(ticks)-1, "", ` class="minor"`)
		}
	}
	return ticks
}

// percent writes a place of 0 to 1 with the precision of a pixel's tenth.
func percent(at float64) string {
	return strconv.FormatFloat(float64(int(at*10000+0.5))/100, 'f', -1, 64) + "%"
}

package chart

import (
	"fmt"
	"html/template"
	"strings"
)

// BarStrip draws a value as a bar, whole is the full width, with its interval as
// a thin line; an end that is nil is not known, and no line is drawn.
func BarStrip(whole, v float64, lo, hi *float64) template.HTML {
	at := func(v float64) float64 {
		if whole <= 0 { // all cost nothing
			return 0
		}
		return min(max(v/whole, 0), 1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, stripOpen+`<rect x="0" width="%s" y="3" height="8" fill="var(--s1)" fill-opacity=".5"/>`, "bar", 14, percent(at(v)))
	if lo != nil && hi != nil {
		fmt.Fprintf(&b, `<line x1="%s" x2="%s" y1="7" y2="7" stroke="var(--ink)" stroke-width="1.5"/>`, percent(at(*lo)), percent(at(*hi)))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

package chart

import (
	"fmt"
	"html/template"
)

// BarStrip draws a share (0 to 1) of the column's largest value.
func BarStrip(share float64) template.HTML {
	return template.HTML(fmt.Sprintf(stripOpen+`<rect x="0" width="%s" y="3" height="8" fill="var(--s1)" fill-opacity=".75"/></svg>`,
		"bar", 14, percent(min(max(share, 0), 1))))
}

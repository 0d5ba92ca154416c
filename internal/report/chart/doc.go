// Package chart turns rows into SVG.
//
//	rows → options (go-echarts) → JSON → ECharts in goja → SVG → cleaned SVG
//
// A chart is a Go value with the rows that it shows; one file holds one chart.
// Its options are pure data: a function is named ("@fn:ms") and lives in
// runtime.js, so nothing that was recorded can become code. Colours are
// var(--token), which the page's style sheet resolves, so that one SVG serves
// light, dark and print. Every chart is drawn at two widths, Wide and Narrow,
// and needs no script in the page.
//
// The same rows give the same bytes: ids are the chart's own, no clock and no
// randomness reach the drawing, and what a virtual machine drew before leaves
// no trace.
//
// The range, bar and uptime strips of the verdict table are small enough to be
// written by hand (strip_*.go).
package chart

//go:generate sh echarts/build.sh

package chart

import (
	"fmt"
	"math"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// Plot draws marks between two axes. It is what charts that need no shape of
// their own are made of: a figure says which marks, in units of its axes.
type Plot struct {
	ID           string
	X, Y         Axis
	Left, Right  int // room beside the area, for names; at least that of the axis' texts
	Tall, Narrow int // heights in pixels: at the page's width, and a phone's
	Marks        []Mark
}

// Axis is one of the two: numbers, or Rows with a name each, the first on top.
type Axis struct {
	Lo, Hi float64
	Log    bool
	Ticks  []float64
	Format string // how runtime.js writes a tick: ms, percent, usd, ratio, number, day, hour, none
	Rows   []string
	Grid   bool
	On     string // "top" puts a horizontal axis above
}

// Colour of a mark: an accent, or one of these.
const (
	Bad  Accent = 7
	Mid  Accent = 8 // grey that carries data
	Ink  Accent = 9
	Good Accent = 10
)

// Mark is a series of marks of one kind.
type Mark struct {
	Kind string // a function of runtime.js
	Text string // of a note or a rule
	Data [][]any
	Tips []string // one a datum, or none
}

// Dot is a point with its interval in either direction.
type Dot struct {
	X, Y               float64
	XLo, XHi, YLo, YHi *float64
	Colour             Accent
	Hollow             bool
	Tip                string
}

// Dots are points; intervals are thin crosses behind them.
func Dots(dots ...Dot) Mark {
	m := Mark{Kind: "dot"}
	for _, d := range dots {
		hollow := 0
		if d.Hollow {
			hollow = 1
		}
		m.Data = append(m.Data, []any{d.X, d.Y, int(d.Colour), hollow, orNull(d.XLo), orNull(d.XHi), orNull(d.YLo), orNull(d.YHi)})
		m.Tips = append(m.Tips, d.Tip)
	}
	return m
}

// Curve is a line through points.
func Curve(colour Accent, tip string, points [][2]float64) Mark {
	return Mark{Kind: "line", Data: [][]any{flat(colour, points)}, Tips: []string{tip}}
}

// Band is the area between two lines over the same xs.
func Band(colour Accent, lo, hi [][2]float64) Mark {
	points := append([][2]float64{}, lo...)
	for i := len(hi) - 1; i >= 0; i-- {
		points = append(points, hi[i])
	}
	return Mark{Kind: "band", Data: [][]any{flat(colour, points)}}
}

func flat(colour Accent, points [][2]float64) []any {
	out := []any{int(colour), len(points)}
	for _, p := range points {
		out = append(out, p[0], p[1])
	}
	return out
}

// Segment is a straight line of a width in pixels.
type Segment struct {
	X1, Y1, X2, Y2 float64
	Colour         Accent
	Width          float64
	Tip            string
}

// Segments are straight lines.
func Segments(all ...Segment) Mark {
	m := Mark{Kind: "segment"}
	for _, s := range all {
		m.Data = append(m.Data, []any{s.X1, s.Y1, s.X2, s.Y2, int(s.Colour), s.Width})
		m.Tips = append(m.Tips, s.Tip)
	}
	return m
}

// Rule is a vertical line at x over the whole area, with a text at its top.
func Rule(x float64, text string, colour Accent) Mark {
	return Mark{Kind: "rule", Text: text, Data: [][]any{{x, int(colour)}}, Tips: []string{text}}
}

// Span shades the area from x1 to x2, with a text at its top.
func Span(x1, x2 float64, text string, colour Accent) Mark {
	return Mark{Kind: "span", Text: text, Data: [][]any{{x1, x2, int(colour)}}, Tips: []string{text}}
}

// Bar is a part of a horizontal bar in a row.
type Bar struct {
	Row      int
	From, To float64
	Colour   Accent
	Hatched  bool
	Tip      string
}

// Bars are horizontal bars, over rows.
func Bars(all ...Bar) Mark {
	m := Mark{Kind: "bar"}
	for _, b := range all {
		hatched := 0
		if b.Hatched {
			hatched = 1
		}
		m.Data = append(m.Data, []any{b.From, b.Row, b.To, int(b.Colour), hatched})
		m.Tips = append(m.Tips, b.Tip)
	}
	return m
}

// Strokes are short vertical lines in a row, one at each x: one mark, however
// many.
func Strokes(row int, colour Accent, height float64, xs []float64, tip string) Mark {
	data := []any{row, int(colour), height, len(xs)}
	for _, x := range xs {
		data = append(data, x)
	}
	return Mark{Kind: "strokes", Data: [][]any{data}, Tips: []string{tip}}
}

// Note is a text at a point: side is -1 left of it, 0 centred, 1 right; dy moves
// it down, in pixels.
func Note(x, y float64, text string, colour Accent, side int, dy float64) Mark {
	return Mark{Kind: "note", Text: text, Data: [][]any{{x, y, int(colour), side, dy}}}
}

func (p Plot) draw(width int) (*drawing, error) {
	wide := width >= Wide
	height := pick(wide, p.Tall, p.Narrow)
	left, right := max(p.Left, 8), max(p.Right, 12)
	if !wide {
		left, right = min(left, 118), min(right, 118)
	}
	names := make([]string, len(p.Y.Rows))
	for i, n := range p.Y.Rows {
		names[i] = fit(n, 12, float64(left-10))
	}
	top, bottom := 12, 28
	if p.X.On == "top" {
		top, bottom = 26, 8
	}
	if !wide && len(p.X.Ticks) > 4 {
		p.X.Ticks = thin(p.X.Ticks, 4)
	}
	c := charts.NewCustom()
	c.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: px(left), Right: px(right), Top: px(top), Bottom: px(bottom)}),
		charts.WithXAxisOpts(opts.XAxis{Type: pick(p.X.Log, "log", "value"), Min: p.X.Lo, Max: p.X.Hi, Position: p.X.On,
			AxisLine:  &opts.AxisLine{Show: on(), LineStyle: &opts.LineStyle{Color: pick(p.X.On == "top", "var(--grid)", "var(--line)")}},
			AxisTick:  &opts.AxisTick{Show: off()},
			AxisLabel: &opts.AxisLabel{Color: "var(--ink3)", FontSize: 11, Formatter: types.FuncStr("@fn:" + p.X.Format)},
			SplitLine: &opts.SplitLine{Show: opts.Bool(p.X.Grid), LineStyle: &opts.LineStyle{Color: "var(--grid)"}}}),
		charts.WithYAxisOpts(p.yAxis(names)),
	)
	y := object{"axisTick": object{"show": false}}
	if p.Y.Rows == nil {
		y = object{"axisTick": object{"show": false, "customValues": p.Y.Ticks}, "axisLabel": object{"customValues": p.Y.Ticks}}
	} else {
		y["axisLabel"] = object{"interval": 0}
	}
	patched := &patch{
		xAxis: []object{{"axisTick": object{"show": false, "customValues": p.X.Ticks}, "axisLabel": object{"customValues": p.X.Ticks, "hideOverlap": true}}},
		yAxis: []object{y},
	}
	if !p.X.Log {
		patched.xAxis[0]["min"], patched.xAxis[0]["max"] = p.X.Lo, p.X.Hi // zeros that the structs leave out
	}
	if p.Y.Rows == nil && !p.Y.Log {
		patched.yAxis[0]["min"], patched.yAxis[0]["max"] = p.Y.Lo, p.Y.Hi
	}
	var tips [][]string
	for _, m := range p.Marks {
		data := make([]opts.CustomData, len(m.Data))
		for i, d := range m.Data {
			for _, v := range d {
				if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
					return nil, fmt.Errorf("chart %s: a %s at %v", p.ID, m.Kind, f)
				}
			}
			data[i] = opts.CustomData{Value: d}
		}
		c.AddSeries(m.Text, data, charts.WithCustomChartOpts(opts.CustomChart{RenderItem: types.FuncStr("@fn:" + m.Kind)}))
		patched.series = append(patched.series, object{"clip": false})
		tips = append(tips, m.Tips)
	}
	option, err := encode(p.ID, c, patched)
	return &drawing{id: p.ID, width: width, height: height, option: option, tips: tips}, err
}

func (p Plot) yAxis(names []string) opts.YAxis {
	if p.Y.Rows != nil {
		return opts.YAxis{Type: "category", Inverse: on(), Data: names, AxisLine: &opts.AxisLine{Show: off()},
			AxisLabel: &opts.AxisLabel{Color: "var(--ink)", FontSize: 12}}
	}
	return opts.YAxis{Type: pick(p.Y.Log, "log", "value"), Min: p.Y.Lo, Max: p.Y.Hi,
		AxisLine:  &opts.AxisLine{Show: off()},
		AxisLabel: &opts.AxisLabel{Color: "var(--ink3)", FontSize: 11, Formatter: types.FuncStr("@fn:" + p.Y.Format)},
		SplitLine: &opts.SplitLine{Show: on(), LineStyle: &opts.LineStyle{Color: "var(--grid)"}}}
}

// thin keeps about n of the ticks, evenly.
func thin(ticks []float64, n int) (out []float64) {
	step := (len(ticks) + n - 1) / n
	for i := 0; i < len(ticks); i += step {
		out = append(out, ticks[i])
	}
	return out
}

// LogAxis spans positive values and writes ticks in a format.
func LogAxis(values []float64, length float64, format string) Axis {
	s := LogScale(values)
	return Axis{Lo: s.Lo, Hi: s.Hi, Log: true, Ticks: s.Ticks(length, 62), Format: format}
}

// TimeAxis spans times (seconds since 1970) with days as ticks, or hours and
// minutes where they lie within two days.
func TimeAxis(lo, hi float64) Axis {
	a := Axis{Lo: lo, Hi: hi, Format: "day"}
	if hi <= lo {
		a.Hi = lo + 60
	}
	step := 86400.0
	if a.Hi-lo <= 2*86400 {
		a.Format = "hour"
		for _, step = range []float64{60, 300, 600, 1800, 3600, 3 * 3600, 6 * 3600} {
			if (a.Hi-lo)/step <= 9 {
				break
			}
		}
	}
	for (a.Hi-lo)/step > 9 {
		step *= 2
	}
	for t := math.Ceil(lo/step) * step; t <= a.Hi; t += step {
		a.Ticks = append(a.Ticks, t)
	}
	return a
}

// LinearAxis spans 0 to the largest value with round ticks.
func LinearAxis(hi float64, format string) Axis {
	if hi <= 0 {
		hi = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(hi)))
	for _, f := range []float64{0.1, 0.2, 0.25, 0.5, 1, 2} {
		if hi/(step*f) <= 6 {
			step *= f
			break
		}
	}
	a := Axis{Hi: hi * 1.03, Format: format}
	for t := 0.0; t <= hi*1.0001; t += step {
		a.Ticks = append(a.Ticks, t)
	}
	return a
}

// Width is about how many pixels a text of the chart's size takes, at most limit.
func Width(texts []string, limit float64) int { return int(widest(texts, 12.5, limit)) + 14 }

package chart

import (
	"fmt"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// Tail shows the share of requests still waiting after a time, both axes
// logarithmic, so that the slowest one in a hundred is as visible as the
// median. Accented lines are named beside the line, the others stay grey.
type Tail struct {
	ID    string
	Lines []TailLine
}

// TailLine is one provider.
type TailLine struct {
	Name   string
	Accent Accent
	Points []TailPoint // times rising, shares falling
	Tip    string
}

// TailPoint says that Share (0 to 1) of the requests waited longer than Ms.
type TailPoint struct{ Ms, Share float64 }

var shareTicks = []float64{1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001}

func (c Tail) draw(width int) (*drawing, error) {
	wide := width >= Wide
	const top, bottom = 12, 30
	left, right, height := 48, pick(wide, 34, 30), pick(wide, 380, 330)
	var all []float64
	lowest := 0.2
	for _, l := range c.Lines {
		for _, p := range l.Points {
			if err := positive(c.ID, l.Name, "time", p.Ms); err != nil {
				return nil, err
			}
			if !(p.Share > 0 && p.Share <= 1) {
				return nil, fmt.Errorf("chart %s: row %q: share %v", c.ID, l.Name, p.Share)
			}
			all, lowest = append(all, p.Ms), min(lowest, p.Share)
		}
	}
	x, y := LogScale(all), Scale{shareTicks[len(shareTicks)-1], 1}
	for _, t := range shareTicks {
		if t <= lowest*1.0001 {
			y.Lo = t
			break
		}
	}
	var ticks, guides []float64
	for _, t := range shareTicks {
		if t >= y.Lo {
			ticks = append(ticks, t)
		}
	}
	for _, g := range []float64{0.5, 0.05, 0.01} {
		if g >= y.Lo {
			guides = append(guides, g)
		}
	}
	times := x.Ticks(float64(width-left-right), 62)

	lines := charts.NewCustom()
	lines.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: px(left), Right: px(right), Top: px(top), Bottom: px(bottom)}),
		charts.WithXAxisOpts(opts.XAxis{Type: "log", Min: x.Lo, Max: x.Hi,
			AxisLine:  &opts.AxisLine{Show: on(), LineStyle: &opts.LineStyle{Color: "var(--line)"}},
			AxisTick:  &opts.AxisTick{Show: off()},
			AxisLabel: &opts.AxisLabel{Color: "var(--ink3)", FontSize: 11, Formatter: "@fn:ms"},
			SplitLine: &opts.SplitLine{Show: off()}}),
		charts.WithYAxisOpts(shareAxis("left", y, "@fn:percent", "var(--grid)")),
	)
	lines.ExtendYAxis(shareAxis("right", y, "@fn:guide", "var(--line)"))
	var tips [][]string
	var series []object
	for _, l := range c.Lines {
		// A line is one datum, so that it has one tip.
		points := []any{l.Accent, len(l.Points)}
		for _, p := range l.Points {
			points = append(points, round(p.Ms), p.Share)
		}
		lines.AddSeries(l.Name, []opts.CustomData{{Value: points}},
			charts.WithCustomChartOpts(opts.CustomChart{RenderItem: "@fn:line"}))
		series = append(series, object{"clip": false})
		tips = append(tips, []string{l.Tip})
	}
	area := box{float64(left), top, float64(width - right), float64(height - bottom)}
	for _, l := range placeLabels(c.Lines, x, y, area) {
		lines.AddSeries(l.text, []opts.CustomData{{Value: []any{l.x, l.y, l.accent}}},
			charts.WithCustomChartOpts(opts.CustomChart{RenderItem: "@fn:label"}))
		series = append(series, object{"clip": false, "z": 3, "coordinateSystem": "none"})
	}
	option, err := encode(c.ID, lines, &patch{series: series,
		xAxis: []object{{"axisLabel": object{"customValues": times}, "axisTick": object{"customValues": times}}},
		yAxis: []object{
			{"axisTick": object{"show": false, "customValues": ticks}, "axisLabel": object{"customValues": ticks}},
			{"axisTick": object{"show": false, "customValues": guides}, "axisLabel": object{"customValues": guides},
				"splitLine": object{"lineStyle": object{"type": "dashed"}}},
		}})
	return &drawing{id: c.ID, width: width, height: height, option: option, tips: tips}, err
}

func shareAxis(position string, y Scale, label, grid string) opts.YAxis {
	return opts.YAxis{Type: "log", Min: y.Lo, Max: y.Hi, Position: position,
		AxisLine:  &opts.AxisLine{Show: off()},
		AxisLabel: &opts.AxisLabel{Color: "var(--ink3)", FontSize: 11, Formatter: types.FuncStr(label)},
		SplitLine: &opts.SplitLine{Show: on(), LineStyle: &opts.LineStyle{Color: grid}}}
}

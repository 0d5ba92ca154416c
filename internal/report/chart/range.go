package chart

import (
	"fmt"

	"aircheck/internal/kit/human"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// Range shows how far latency spreads, one row a provider: a dot at the median,
// a bar to p95, a line to p99, on a shared log axis. Rows stand in the order
// given, the first on top.
type Range struct {
	ID   string
	Rows []RangeRow
}

// RangeRow is one provider. Times are milliseconds.
type RangeRow struct {
	Name     string
	N        int64
	P50, P95 *float64 // both nil: nothing arrived, the row says so
	P99      *float64 // nil: not shown (too few requests)
	Lo, Hi   *float64 // interval of the quantile that sorts the rows, if bounded
	Value    string   // repeated at the row's end
	Tip      string
}

const rangeRowHeight = 30

func (c Range) draw(width int) (*drawing, error) {
	const top, bottom = 26, 6
	names, values, counts := make([]string, len(c.Rows)), make([]string, len(c.Rows)), make([]string, len(c.Rows))
	var all []float64
	var data []opts.CustomData
	var tips []string
	for i, r := range c.Rows {
		names[i], values[i], counts[i] = r.Name, r.Value, "n="+human.Count(r.N)
		for _, q := range []struct {
			what string
			v    *float64
		}{{"p50", r.P50}, {"p95", r.P95}, {"p99", r.P99}, {"lower bound", r.Lo}, {"upper bound", r.Hi}} {
			if q.v == nil {
				continue
			}
			if err := positive(c.ID, r.Name, q.what, *q.v); err != nil {
				return nil, err
			}
			all = append(all, *q.v)
		}
		if (r.P50 == nil) != (r.P95 == nil) {
			return nil, fmt.Errorf("chart %s: row %q: p50 and p95 come together", c.ID, r.Name)
		}
		if r.P50 != nil {
			data = append(data, opts.CustomData{Value: []any{*r.P50, *r.P95, orNull(r.P99), i, orNull(r.Lo), orNull(r.Hi)}})
			tips = append(tips, r.Tip)
		}
	}
	wide := width >= Wide
	nameWidth := widest(names, 12.5, pick(wide, 190.0, 104))
	for i := range names {
		names[i] = fit(names[i], 12.5, nameWidth)
	}
	valueWidth := widest(values, 13, 90)
	left, right := int(nameWidth)+12, int(valueWidth)+14
	if wide {
		right += int(widest(counts, 11.5, 90)) + 12
	}
	scale := LogScale(all)
	ticks := scale.Ticks(float64(width-left-right), 62)

	bar := charts.NewCustom()
	bar.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: px(left), Right: px(right), Top: px(top), Bottom: px(bottom)}),
		charts.WithXAxisOpts(opts.XAxis{
			Type: "log", Position: "top", Min: scale.Lo, Max: scale.Hi,
			AxisLine: &opts.AxisLine{Show: off()}, AxisTick: &opts.AxisTick{Show: off()},
			AxisLabel: &opts.AxisLabel{Color: "var(--ink3)", FontSize: 11, Formatter: "@fn:ms"},
			SplitLine: &opts.SplitLine{Show: on(), LineStyle: &opts.LineStyle{Color: "var(--grid)"}},
		}),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Inverse: on(), Data: names,
			AxisLine: &opts.AxisLine{Show: off()}, AxisLabel: &opts.AxisLabel{Color: "var(--ink)", FontSize: 12}}),
	)
	bar.ExtendYAxis(opts.YAxis{Type: "category", Inverse: on(), Data: values, Position: "right",
		AxisLine: &opts.AxisLine{Show: off()}, AxisLabel: &opts.AxisLabel{Color: "var(--ink)", FontSize: 12, FontWeight: "bold"}})
	yAxis := []object{
		{"axisTick": object{"show": false}, "axisLabel": object{"interval": 0}},
		{"axisTick": object{"show": false}, "axisLabel": object{"interval": 0, "margin": 12}},
	}
	if wide {
		bar.ExtendYAxis(opts.YAxis{Type: "category", Inverse: on(), Data: counts, Position: "right",
			AxisLine: &opts.AxisLine{Show: off()}, AxisLabel: &opts.AxisLabel{Color: "var(--ink3)", FontSize: 11}})
		yAxis = append(yAxis, object{"axisTick": object{"show": false}, "offset": int(valueWidth) + 10,
			"axisLabel": object{"interval": 0, "margin": 12}})
	}
	bar.AddSeries("", data,
		charts.WithCustomChartOpts(opts.CustomChart{RenderItem: "@fn:range"}),
		charts.WithEncodeOpts(opts.Encode{X: []int{0, 1, 2, 4, 5}, Y: 3}))
	height := top + bottom + rangeRowHeight*len(c.Rows)
	option, err := encode(c.ID, bar, &patch{
		series: []object{{"clip": false, "silent": false}},
		xAxis:  []object{{"axisLabel": object{"customValues": ticks}, "axisTick": object{"customValues": ticks}}},
		yAxis:  yAxis,
	})
	return &drawing{id: c.ID, width: width, height: height, option: option, tips: [][]string{tips}}, err
}

// pick is a when yes, else b.
func pick[T any](yes bool, a, b T) T {
	if yes {
		return a
	}
	return b
}

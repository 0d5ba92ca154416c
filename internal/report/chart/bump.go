package chart

import (
	"fmt"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// Bump shows who trades places: one line a provider, one column a contest
// (usually a model), best on top. A segment is solid where the rank intervals
// at its two ends have no rank in common, dashed where the move may be noise.
type Bump struct {
	ID      string
	Columns []string
	Lines   []BumpLine // drawn in this order, accented ones on top
}

// BumpLine is one provider.
type BumpLine struct {
	Name   string
	Accent Accent
	Places []*BumpPlace // one a column; nil where the provider was not measured
	Tips   []string     // one a column
}

// BumpPlace is a place in one contest: the position by the estimate, and the
// ranks that cannot be told apart from it.
type BumpPlace struct{ Pos, Lo, Hi int }

func (c Bump) draw(width int) (*drawing, error) {
	wide := width >= Wide
	rowHeight := pick(wide, 31, 28)
	rows, names, entered := 0, make([]string, len(c.Lines)), make([]int, len(c.Columns))
	for i, l := range c.Lines {
		if len(l.Places) != len(c.Columns) {
			return nil, fmt.Errorf("chart %s: line %q has %d places for %d columns", c.ID, l.Name, len(l.Places), len(c.Columns))
		}
		names[i] = l.Name
		for k, p := range l.Places {
			if p != nil {
				rows = max(rows, p.Pos, p.Hi)
				entered[k]++
			}
		}
	}
	margin := int(widest(names, 12.5, pick(wide, 170.0, 92))) + 21
	spacing := float64(width-2*margin) / float64(max(len(c.Columns)-1, 1))
	headerSize := pick(wide, 11.0, 10)
	headers, lines := make([]string, len(c.Columns)), 1
	for i, name := range c.Columns {
		headers[i] = wrap(name, headerSize, min(spacing-2, 170))
		lines = max(lines, strings.Count(headers[i], "\n")+1)
	}
	top, bottom := 14+15*lines, 4
	height := top + bottom + rowHeight*rows

	ranks := charts.NewCustom()
	ranks.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: px(margin), Right: px(margin), Top: px(top), Bottom: px(bottom)}),
		charts.WithXAxisOpts(opts.XAxis{Type: "category", Position: "top", AxisLine: &opts.AxisLine{Show: off()},
			AxisTick:  &opts.AxisTick{Show: off()},
			AxisLabel: &opts.AxisLabel{Color: "var(--ink2)", FontSize: int(headerSize)},
			SplitLine: &opts.SplitLine{Show: on(), LineStyle: &opts.LineStyle{Color: "var(--grid)"}}}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Inverse: on(), Min: 0.5, Max: float64(rows) + 0.5, Show: off()}),
	)
	ranks.SetXAxis(headers)
	var tips [][]string
	for _, l := range c.Lines {
		var data []opts.CustomData
		var lineTips []string
		first, last := ends(l.Places)
		for i, p := range l.Places {
			if p == nil {
				continue
			}
			next, solid := any(nil), 0
			if i+1 < len(l.Places) && l.Places[i+1] != nil {
				q := l.Places[i+1]
				next = q.Pos
				if p.Hi < q.Lo || q.Hi < p.Lo {
					solid = 1
				}
			}
			// The side of the name: 1 left, 2 right, 3 both.
			side := 0
			if i == 0 {
				side |= 1
			}
			if i == len(c.Columns)-1 || first != 0 && i == last && last < len(c.Columns)-1 {
				side |= 2
			}
			lo, hi := p.Lo, p.Hi
			if hi-lo+1 >= entered[i] {
				lo, hi = p.Pos, p.Pos // nothing is decided here: a band over all places would say no more
			}
			data = append(data, opts.CustomData{Value: []any{i, p.Pos, next, solid, int(l.Accent), lo, hi, side}})
			lineTips = append(lineTips, at(l.Tips, i))
		}
		ranks.AddSeries(fit(l.Name, 12.5, float64(margin-20)), data,
			charts.WithCustomChartOpts(opts.CustomChart{RenderItem: "@fn:bump"}),
			charts.WithEncodeOpts(opts.Encode{X: 0, Y: 1}))
		tips = append(tips, lineTips)
	}
	series := make([]object, len(c.Lines))
	for i := range series {
		series[i] = object{"clip": false}
	}
	option, err := encode(c.ID, ranks, &patch{series: series, xAxis: []object{{
		"boundaryGap": false, "axisLabel": object{"interval": 0, "lineHeight": 15, "margin": 14},
		"axisTick": object{"show": false}, "splitLine": object{"interval": 0, "showMinLine": true, "showMaxLine": true}}}})
	return &drawing{c.ID, width, height, option, tips}, err
}

// ends are the first and the last column in which there is a place.
func ends(places []*BumpPlace) (first, last int) {
	first, last = -1, -1
	for i, p := range places {
		if p != nil {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

// at is the i-th text, or none.
func at(texts []string, i int) string {
	if i < len(texts) {
		return texts[i]
	}
	return ""
}

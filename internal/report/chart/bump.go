package chart

import (
	"fmt"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// Bump shows who trades places: one line a provider, one column a contest
// (usually a model), best on top. Every node has its name and the places that
// cannot be told apart; a way is solid where those of its two ends have no place
// in common, dashed where the move may be noise. A phone has room for three
// columns: the first.
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

// columnsNarrow is how many columns a phone shows.
const columnsNarrow = 3

func (c Bump) draw(width int) (*drawing, error) {
	wide := width >= Wide
	columns := c.Columns
	if !wide {
		columns = columns[:min(len(columns), columnsNarrow)]
	}
	const rowHeight = 38
	rows, names := 0, make([]string, len(c.Lines))
	for i, l := range c.Lines {
		if len(l.Places) != len(c.Columns) {
			return nil, fmt.Errorf("chart %s: line %q has %d places for %d columns", c.ID, l.Name, len(l.Places), len(c.Columns))
		}
		names[i] = l.Name
		for _, p := range l.Places {
			if p != nil {
				rows = max(rows, p.Pos, p.Hi)
			}
		}
	}
	node := min(widest(names, 12.5, 150)+10, float64(width)/float64(len(columns))*0.66)
	margin := int(node/2) + 18
	spacing := float64(width-2*margin) / float64(max(len(columns)-1, 1))
	headerSize := pick(wide, 11.5, 10.5)
	headers, lines := make([]string, len(columns)), 1
	for i, name := range columns {
		headers[i] = wrap(name, headerSize, min(spacing-2, 170, float64(2*margin)))
		lines = max(lines, strings.Count(headers[i], "\n")+1)
	}
	top, bottom := 14+15*lines, 4
	height := top + bottom + rowHeight*rows

	ranks := charts.NewCustom()
	ranks.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: px(margin), Right: px(margin), Top: px(top), Bottom: px(bottom)}),
		charts.WithXAxisOpts(opts.XAxis{Type: "category", Position: "top", AxisLine: &opts.AxisLine{Show: off()},
			AxisTick:  &opts.AxisTick{Show: off()},
			AxisLabel: &opts.AxisLabel{Color: "var(--ink2)", FontSize: int(headerSize), FontWeight: "bold"}}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Inverse: on(), Min: 0.5, Max: float64(rows) + 0.5, Show: off()}),
	)
	ranks.SetXAxis(headers)
	var tips [][]string
	for _, l := range c.Lines {
		var data []opts.CustomData
		var lineTips []string
		for i, p := range l.Places[:len(columns)] {
			if p == nil {
				continue
			}
			next, solid := any(nil), 0
			if i+1 < len(columns) && l.Places[i+1] != nil {
				q := l.Places[i+1]
				next = q.Pos
				if p.Hi < q.Lo || q.Hi < p.Lo {
					solid = 1
				}
			}
			data = append(data, opts.CustomData{Value: []any{i, p.Pos, next, solid, int(l.Accent), p.Lo, p.Hi, round(node)}})
			lineTips = append(lineTips, at(l.Tips, i))
		}
		ranks.AddSeries(fit(l.Name, 12.5, node-4), data,
			charts.WithCustomChartOpts(opts.CustomChart{RenderItem: "@fn:bump"}),
			charts.WithEncodeOpts(opts.Encode{X: 0, Y: 1}))
		tips = append(tips, lineTips)
	}
	series := make([]object, len(c.Lines))
	for i := range series {
		series[i] = object{"clip": false}
	}
	option, err := encode(c.ID, ranks, &patch{series: series, xAxis: []object{{
		"boundaryGap": len(columns) == 1, "axisLabel": object{"interval": 0, "lineHeight": 15, "margin": 14},
		"axisTick": object{"show": false}, "splitLine": object{"show": false}}}})
	return &drawing{id: c.ID, width: width, height: height, option: option, tips: tips}, err
}

// at is the i-th text, or none.
func at(texts []string, i int) string {
	if i < len(texts) {
		return texts[i]
	}
	return ""
}

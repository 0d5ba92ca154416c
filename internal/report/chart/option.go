package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// object is one level of an option, as JSON sees it.
type object = map[string]any

// patch sets what ECharts knows and go-echarts' structs do not. Keys are
// merged into the typed options: series by series, axis by axis.
type patch struct {
	charts.BaseConfigurationVisitor
	series       []object
	xAxis, yAxis []object
	err          error
}

func (p *patch) VisitSeriesOpt(s charts.MultiSeries) any { return p.merge("series", s, p.series) }
func (p *patch) VisitXAxis(axes []opts.XAxis) any        { return p.merge("xAxis", axes, p.xAxis) }
func (p *patch) VisitYAxis(axes []opts.YAxis) any        { return p.merge("yAxis", axes, p.yAxis) }
func (p *patch) VisitLegendOpt(opts.Legend) any          { return object{"show": false} }
func (p *patch) VisitTooltipOpt(opts.Tooltip) any        { return object{"show": false} }
func (p *patch) Visit(option map[string]any) {
	// go-echarts always writes these; empty ones would be drawn.
	for _, key := range []string{"title", "toolbox", "legend", "tooltip", "color"} {
		delete(option, key)
	}
	option["animation"] = false
	option["textStyle"] = object{"fontFamily": "sans-serif"}
}

// merge passes typed through JSON and lays extra[i] over its i-th element.
func (p *patch) merge(what string, typed any, extra []object) any {
	text, err := json.Marshal(typed)
	if err != nil {
		p.err = fmt.Errorf("%s: %w", what, err) // NaN and infinities end here
		return nil
	}
	var all []object
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&all); err != nil {
		p.err = fmt.Errorf("%s: %w", what, err)
		return nil
	}
	for i, keys := range extra {
		for k, v := range keys {
			all[i][k] = overlay(all[i][k], v)
		}
	}
	return all
}

// overlay merges objects and replaces everything else.
func overlay(old, new any) any {
	a, ok := old.(object)
	b, ok2 := new.(object)
	if !ok || !ok2 {
		return new
	}
	for k, v := range b {
		a[k] = overlay(a[k], v)
	}
	return a
}

// baseChart is what every chart type of go-echarts offers here.
type baseChart interface {
	Accept(charts.ConfigurationVisitor)
	Validate()
	JSON() map[string]any
}

// encode gives the options as JSON; map keys come out sorted, so the same
// chart gives the same bytes.
func encode(id string, c baseChart, p *patch) ([]byte, error) {
	c.Accept(p)
	c.Validate()
	option := c.JSON()
	if p.err != nil {
		return nil, fmt.Errorf("chart %s: %w", id, p.err)
	}
	text, err := json.Marshal(option)
	if err != nil {
		return nil, fmt.Errorf("chart %s: %w", id, err)
	}
	return text, nil
}

func on() types.Bool  { return opts.Bool(true) }
func off() types.Bool { return opts.Bool(false) }

func px(v int) string { return strconv.Itoa(v) }

// positive checks a number that will stand on a log axis.
func positive(id, row, what string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) || v <= 0 {
		return fmt.Errorf("chart %s: row %q: %s is %v, which has no place on a log axis", id, row, what, v)
	}
	return nil
}

// orNull is the value of p, or nil, which JSON writes as null.
func orNull(p *float64) any {
	if p == nil {
		return nil
	}
	return *p
}

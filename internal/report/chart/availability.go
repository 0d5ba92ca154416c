package chart

import (
	"fmt"

	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// Availability shows the share of requests answered, one row a provider, one
// column a slot of time. Good slots are almost invisible, bad ones are not;
// "not measured" is hatched, since it is not 0 %.
type Availability struct {
	ID    string
	Slots []Slot
	Rows  []AvailabilityRow
	Say   *words.Language // of the tips
}

// Slot is a span of time in which every provider was asked.
type Slot struct {
	Name string // in full, for tips: "Wed 4 March, 14:00"
	Tick string // on the axis; empty for most
}

// AvailabilityRow is one provider.
type AvailabilityRow struct {
	Name  string
	Cells []Cell // one a slot
	Total string // at the row's end
}

// Cell counts the requests of one slot.
type Cell struct{ Attempts, Answered int64 }

// class sorts cells into the page's colours: --a0 all answered, --a1 failures
// that are too few to state a share, --a2 to --a4 a share that is shown, by the
// upper end of its 95 % interval, to be under 99, 95 or 80 %. One failure in four
// requests is not "under 80 %". notMeasured has no colour.
func (c Cell) class() int {
	if c.Attempts == 0 {
		return notMeasured
	}
	if c.Answered == c.Attempts {
		return 0
	}
	if c.Attempts < fewestForClass {
		return 1
	}
	switch hi := *stats.Wilson(int(c.Answered), int(c.Attempts), 0.95).Hi; {
	case hi < 0.80:
		return 4
	case hi < 0.95:
		return 3
	case hi < 0.99:
		return 2
	}
	return 1
}

const (
	notMeasured    = 5
	fewestForClass = 4 // attempts; one request says nothing of a share
)

// Classes name the colours for a key.
var Classes = []string{words.Later("all answered"), words.Later("some failed"), words.Later("shown to be under 99%"), words.Later("under 95%"), words.Later("under 80%"), words.Later("not measured")}

// ClassesOf are those that occur.
func ClassesOf(rows [][]Cell) (present [notMeasured + 1]bool) {
	for _, cells := range rows {
		for _, c := range cells {
			present[c.class()] = true
		}
	}
	return present
}

// run is a stretch of slots of one class.
type run struct {
	from, to int // to is exclusive
	class    int
	sum      Cell
}

// runs joins neighbours of one class, so that a quiet month is one mark.
// Where there are few slots each stays apart and can be counted.
func runs(cells []Cell) []run {
	var all []run
	for i, c := range cells {
		if n := len(all); n > 0 && all[n-1].class == c.class() && len(cells) > fewSlots {
			all[n-1].to = i + 1
			all[n-1].sum.Attempts += c.Attempts
			all[n-1].sum.Answered += c.Answered
			continue
		}
		all = append(all, run{i, i + 1, c.class(), c})
	}
	return all
}

const fewSlots = 60

func (c Availability) draw(width int) (*drawing, error) {
	const top, bottom, rowHeight = 24, 4, 26
	wide := width >= Wide
	names, totals := make([]string, len(c.Rows)), make([]string, len(c.Rows))
	var data []opts.CustomData
	var tips []string
	gap := pick(len(c.Slots) <= fewSlots, 1, 0)
	for i, row := range c.Rows {
		if len(row.Cells) != len(c.Slots) {
			return nil, fmt.Errorf("chart %s: row %q has %d cells for %d slots", c.ID, row.Name, len(row.Cells), len(c.Slots))
		}
		names[i], totals[i] = row.Name, row.Total
		for _, r := range runs(row.Cells) {
			data = append(data, opts.CustomData{Value: []any{r.from, i, r.to, r.class, gap}})
			tips = append(tips, c.tip(row.Name, r))
		}
	}
	nameWidth := widest(names, 12.5, pick(wide, 190.0, 104))
	for i := range names {
		names[i] = fit(names[i], 12.5, nameWidth)
	}
	left, right := int(nameWidth)+12, int(widest(totals, 12.5, 90))+14
	band := float64(width-left-right) / float64(max(len(c.Slots), 1))
	ticks, centred := c.ticks(band)
	tickLabel := object{"interval": 0, "align": "center"}
	if !centred {
		tickLabel = object{"interval": 0, "align": "left", "padding": []float64{0, 0, 0, -round(band / 2)}}
	}
	strip := charts.NewCustom()
	strip.SetGlobalOptions(
		charts.WithGridOpts(opts.Grid{Left: px(left), Right: px(right), Top: px(top), Bottom: px(bottom)}),
		charts.WithXAxisOpts(opts.XAxis{Type: "category", Position: "top",
			AxisLine: &opts.AxisLine{Show: off()}, AxisTick: &opts.AxisTick{Show: off()},
			AxisLabel: &opts.AxisLabel{Color: "var(--ink3)", FontSize: 11}}),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Inverse: on(), Data: names,
			AxisLine: &opts.AxisLine{Show: off()}, AxisLabel: &opts.AxisLabel{Color: "var(--ink)", FontSize: 12}}),
	)
	strip.SetXAxis(ticks)
	strip.ExtendYAxis(opts.YAxis{Type: "category", Inverse: on(), Data: totals, Position: "right",
		AxisLine: &opts.AxisLine{Show: off()}, AxisLabel: &opts.AxisLabel{Color: "var(--ink)", FontSize: 12}})
	strip.AddSeries("", data,
		charts.WithCustomChartOpts(opts.CustomChart{RenderItem: "@fn:run"}),
		charts.WithEncodeOpts(opts.Encode{X: []int{0, 2}, Y: 1}))
	label := object{"axisTick": object{"show": false}, "axisLabel": object{"interval": 0}}
	option, err := encode(c.ID, strip, &patch{
		series: []object{{"clip": false}},
		xAxis:  []object{{"axisLabel": tickLabel}},
		yAxis:  []object{label, label},
	})
	return &drawing{id: c.ID, width: width, height: top + bottom + rowHeight*len(c.Rows), option: option, tips: [][]string{tips}}, err
}

// ticks keeps the axis texts that have room; centred when a slot is as wide
// as its text.
func (c Availability) ticks(band float64) (texts []string, centred bool) {
	texts, centred = make([]string, len(c.Slots)), true
	for _, s := range c.Slots {
		centred = centred && textWidth(s.Tick, 11) < band
	}
	free := 0.0
	for i, s := range c.Slots {
		if at := float64(i) * band; s.Tick != "" && at >= free && at+textWidth(s.Tick, 11) <= band*float64(len(c.Slots))+30 {
			texts[i] = s.Tick
			free = at + textWidth(s.Tick, 11) + 10
		}
	}
	return texts, centred
}

func (c Availability) tip(name string, r run) string {
	at := c.Slots[r.from].Name
	if r.to > r.from+1 {
		at = c.Say.Say("%s to %s", at, c.Slots[r.to-1].Name)
	}
	if r.class == notMeasured {
		return c.Say.Say("%s, %s: not measured", c.Say.Name(name), at)
	}
	if e := stats.Wilson(int(r.sum.Answered), int(r.sum.Attempts), 0.95); r.sum.Answered < r.sum.Attempts {
		return c.Say.Say("%s, %s: %s of %s answered, %s to %s", c.Say.Name(name), at, human.Count(r.sum.Answered), human.Count(r.sum.Attempts), human.Share(*e.Lo), human.Share(*e.Hi))
	}
	return c.Say.Say("%s, %s: %s of %s answered", c.Say.Name(name), at, human.Count(r.sum.Answered), human.Count(r.sum.Attempts))
}

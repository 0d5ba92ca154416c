package inference

import (
	"cmp"
	"slices"

	"aircheck/internal/analyze/stats"
)

// steps judges changes of cells over time: windows before, windows after. They
// are one family of tests.
//
// strict asks for a change beyond the margin, and not for one of a quarter of it:
// where a family is thousands of steps of which hardly one is nothing, as hours of
// a day's cycle that all share, those whose estimates lie beyond the margin are
// mostly overstated.
func (c *compared) steps(m *Metric, family [][2][]CellWindow, strict bool, workers int) []stats.Stepped {
	series := map[CellKey]int{}
	var all [][]CellWindow
	for _, f := range family {
		key := CellOf(&f[1][0])
		i, ok := series[key]
		if !ok {
			i, series[key] = len(all), len(all)
			all = append(all, nil)
		}
		all[i] = append(append(all[i], f[0]...), f[1]...)
	}
	entries := make([]stats.Entry, len(all))
	for i, windows := range all {
		slices.SortStableFunc(windows, func(a, b CellWindow) int { return cmp.Compare(c.place[a.ID], c.place[b.ID]) })
		windows = slices.CompactFunc(windows, func(a, b CellWindow) bool { return a.ID == b.ID && a.CellID == b.CellID })
		entries[i] = c.entry(windows)
	}
	steps := make([]stats.Step, len(family))
	for i, f := range family {
		steps[i] = stats.Step{Series: series[CellOf(&f[1][0])], Before: c.places(f[0]), After: c.places(f[1])}
	}
	measure := m.measure()
	measure.Strict = strict
	out := measure.Steps(c.times(), entries, steps, workers)
	for i := range out {
		if per := family[i][1][0].Per; m.sums() && per != 0 {
			for _, v := range []**float64{&out[i].UnitBefore, &out[i].UnitAfter} {
				if *v != nil {
					*v = new(**v / per)
				}
			}
		}
	}
	return out
}

// places are those of windows, ascending, each once.
func (c *compared) places(windows []CellWindow) []int {
	out := make([]int, len(windows))
	for i := range windows {
		out[i] = c.place[windows[i].ID]
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// JudgeSteps judges what became of cells from one time to another: windows before,
// windows after, of all times together. They are one family of tests.
func JudgeSteps(m *Metric, family [][2][]CellWindow, workers int) []stats.Stepped {
	var windows []CellWindow
	for _, f := range family {
		windows = append(append(windows, f[0]...), f[1]...)
	}
	return newCompared(windows, nil).steps(m, family, false, workers)
}

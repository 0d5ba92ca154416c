package inference

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"aircheck/internal/analyze/stats"
)

var driftStep = &Step{
	Name: "_drift", Version: 5,
	Key:   []string{"metric", "model", "scenario", "concurrency", "vantage", "provider", "params", "span", "before", "after"},
	Needs: []string{"_windows", "_never", "_periods", "_clocks", "metrics"},
	Columns: "metric VARCHAR, cell_id BIGINT, model VARCHAR, scenario VARCHAR, concurrency INTEGER, vantage VARCHAR, provider VARCHAR, params VARCHAR, " +
		"span VARCHAR, before VARCHAR, after VARCHAR, windows_before BIGINT, windows_after BIGINT, n_before BIGINT, n_after BIGINT, " +
		"level_before DOUBLE, level_after DOUBLE, ratio DOUBLE, lo DOUBLE, hi DOUBLE, p DOUBLE, q DOUBLE, evidence VARCHAR, direction VARCHAR, decided BOOLEAN, why_not VARCHAR, n_effective DOUBLE",
	Run: driftRows,
}

// change is one comparison of a cell with itself at another time.
type change struct {
	cell                *CellWindow // any window of the cell
	span, before, after string
	windowsBefore       int
	windowsAfter        int
	stats.Stepped
	evidence stats.Evidence
	better   int8
}

// driftRows compares, for each metric and cell, each period, day and window
// with the one before it, and each hour of the day with all other hours. The
// changes of a metric over one kind of span are one family of tests.
func driftRows(ctx context.Context, s *Call) error {
	metrics, err := Registry(ctx, s.Conn)
	if err != nil {
		return err
	}
	clocks, err := ClocksOf(ctx, s.Conn)
	if err != nil {
		return err
	}
	for i := range metrics {
		m := &metrics[i]
		windows, err := ComparedWindows(ctx, s.Conn, m.Name)
		if err != nil {
			return err
		}
		cells := Chunked(windows, CellOf)
		parts := make([][spans][][2]cellPart, len(cells))
		err = shareOut(ctx, len(cells), s.In.Options.Threads(), func(i int) { parts[i] = m.drift(cells[i]) })
		if err != nil {
			return err
		}
		c := newCompared(windows, nil)
		for span, name := range spanNames {
			var family [][2]cellPart
			for i := range parts {
				family = append(family, parts[i][span]...)
			}
			if err := appendChanges(s, m, c.changes(m, name, family, clocks, s.In.Options.Threads())); err != nil {
				return err
			}
		}
	}
	return nil
}

// CellKey names a cell.
type CellKey struct {
	contestKey
	Provider string
	Params   sql.NullString
}

// CellOf is the cell of a window.
func CellOf(w *CellWindow) CellKey { return CellKey{w.contestKey, w.Provider, w.Params} }

// spans are the kinds of time that a cell is compared over.
const spans = 4

var spanNames = [spans]string{"period", "day", "hour", "window"}

// cellPart is the windows of a cell in one stretch of time.
type cellPart struct {
	label   string
	windows []CellWindow
}

// drift is what a cell is compared over, before and after: periods, days, hours of
// the day against all others, and windows.
func (m *Metric) drift(cell []CellWindow) (out [spans][][2]cellPart) {
	dated := slices.DeleteFunc(slices.Clone(cell), func(w CellWindow) bool { return !w.Started.Valid })
	slices.SortStableFunc(dated, func(a, b CellWindow) int {
		return cmp.Or(a.Started.Time.Compare(b.Started.Time), cmp.Compare(a.ID, b.ID))
	})
	by := func(label func(w *CellWindow) string) (order []cellPart) {
		place := map[string]int{}
		for i := range dated {
			l := label(&dated[i])
			if l == "" {
				continue
			}
			if _, ok := place[l]; !ok {
				place[l] = len(order)
				order = append(order, cellPart{label: l})
			}
			order[place[l]].windows = append(order[place[l]].windows, dated[i])
		}
		return order
	}
	steps := func(order []cellPart) (list [][2]cellPart) {
		for i := 1; i < len(order); i++ {
			list = append(list, [2]cellPart{order[i-1], order[i]})
		}
		return list
	}
	out[0] = steps(by(func(w *CellWindow) string { return w.Period.String }))
	if m.Test == "bootstrap" {
		return out // a tail needs more values than a day or an hour has
	}
	days := by(func(w *CellWindow) string { return w.Started.Time.UTC().Format("2006-01-02") })
	out[1] = steps(days)
	if len(days) > 1 { // within one day, an hour of the day is no more than a time
		hour := func(w *CellWindow) string { return w.Started.Time.UTC().Format("15") }
		for _, h := range by(hour) {
			if len(h.windows) < len(dated) {
				others := slices.DeleteFunc(slices.Clone(dated), func(w CellWindow) bool { return hour(&w) == h.label })
				out[2] = append(out[2], [2]cellPart{{"other hours", others}, h})
			}
		}
	}
	out[3] = steps(by(func(w *CellWindow) string { return w.ID }))
	return out
}

// changes judges a family of steps. With fewer than six windows on a side, as
// between two windows, there are levels, and no test.
func (c *compared) changes(m *Metric, span string, family [][2]cellPart, clocks Clocks, workers int) []change {
	out := make([]change, len(family))
	var tested []int
	for i, f := range family {
		before, after := f[0], f[1]
		out[i] = change{cell: &after.windows[0], span: span, before: before.label, after: after.label,
			windowsBefore: len(before.windows), windowsAfter: len(after.windows), evidence: stats.EvidenceNone}
		if min(len(before.windows), len(after.windows)) >= stats.MinStep {
			tested = append(tested, i)
			continue
		}
		a, b := NewSample(m, after.windows), NewSample(m, before.windows)
		o := &out[i].Stepped
		o.NBefore, o.NAfter, o.UnitBefore, o.UnitAfter, o.Why = b.N, a.N, b.level(), a.level(), stats.WhyWindows
		if o.UnitBefore != nil && o.UnitAfter != nil && *o.UnitBefore > 0 && *o.UnitAfter > 0 {
			o.Ratio = new(*o.UnitAfter / *o.UnitBefore)
		}
	}
	pairs := make([][2][]CellWindow, len(tested))
	for k, i := range tested {
		pairs[k] = [2][]CellWindow{family[i][0].windows, family[i][1].windows}
	}
	for k, s := range c.steps(m, pairs, span == "hour", workers) {
		i := tested[k]
		if out[i].Stepped = s; s.P != nil {
			out[i].evidence = stats.EvidenceWindows
		}
	}
	for i := range out {
		o := &out[i]
		level := stats.Comparison{Ratio: o.Ratio, LevelA: o.UnitAfter, LevelB: o.UnitBefore}
		o.better = int8(m.Better(level))
		if o.Decided && !level.Beyond(m.Widened(clocks.Of(family[i][0].windows).Apart(clocks.Of(family[i][1].windows))).Margin) && m.Unit == "ms" {
			o.Decided, o.Why = false, stats.WhyClocks
		}
	}
	return out
}

func appendChanges(s *Call, m *Metric, family []change) error {
	row := make([]any, 0, 32)
	for i := range family {
		c := &family[i]
		var params, direction, why any
		if c.cell.Params.Valid {
			params = c.cell.Params.String
		}
		switch c.better {
		case 1:
			direction = "better"
		case -1:
			direction = "worse"
		}
		if c.Why != stats.WhyNone {
			why = string(c.Why)
		}
		row = append(append(row[:0], m.Name, c.cell.CellID), c.cell.values()...)
		row = append(row, c.cell.Provider, params, c.span, c.before, c.after, int64(c.windowsBefore), int64(c.windowsAfter), int64(c.NBefore), int64(c.NAfter),
			number(c.UnitBefore), number(c.UnitAfter), number(c.Ratio), number(c.Lo), number(c.Hi), number(c.P), number(c.Q),
			string(c.evidence), direction, c.Decided, why, perhaps(positive(c.NEffective)).value())
		if err := s.Append(row...); err != nil {
			return err
		}
	}
	return nil
}

// positive is nil for what is not known.
func positive(v float64) *float64 {
	if v <= 0 {
		return nil
	}
	return &v
}

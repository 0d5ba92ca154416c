package inference

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"aircheck/internal/analyze/stats"
)

var driftStep = &Step{
	Name: "_drift", Version: 2,
	Key:   []string{"metric", "model", "scenario", "concurrency", "vantage", "provider", "params", "span", "before", "after"},
	Needs: []string{"_windows", "_periods", "_clocks", "metrics"},
	Columns: "metric VARCHAR, cell_id BIGINT, model VARCHAR, scenario VARCHAR, concurrency INTEGER, vantage VARCHAR, provider VARCHAR, params VARCHAR, " +
		"span VARCHAR, before VARCHAR, after VARCHAR, windows_before BIGINT, windows_after BIGINT, n_before BIGINT, n_after BIGINT, " +
		"level_before DOUBLE, level_after DOUBLE, ratio DOUBLE, lo DOUBLE, hi DOUBLE, p DOUBLE, q DOUBLE, evidence VARCHAR, direction VARCHAR, decided BOOLEAN, two_clocks BOOLEAN",
	Run: driftRows,
}

// change is one comparison of a cell with itself at another time.
type change struct {
	cell                    *CellWindow // any window of the cell
	span, before, after     string
	windowsBefore, nBefore  int
	windowsAfter, nAfter    int
	levelBefore, levelAfter maybe
	ratio, lo, hi, p        maybe
	evidence                stats.Evidence
	better                  int8
	decidable               bool
	twoClocks               bool // decidable, but for what two clocks could make
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
		windows, err := WindowsOf(ctx, s.Conn, m.Name)
		if err != nil {
			return err
		}
		cells := Chunked(windows, CellOf)
		changes := make([][spans][]change, len(cells))
		err = shareOut(ctx, len(cells), s.In.Options.Threads(), func(i int) { changes[i] = m.drift(cells[i], clocks) })
		if err != nil {
			return err
		}
		for span := range spans {
			var family []change
			for i := range changes {
				family = append(family, changes[i][span]...)
			}
			if err := appendChanges(s, m, family); err != nil {
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

// drift is a cell's changes by period, day, hour of day and window.
func (m *Metric) drift(cell []CellWindow, clocks Clocks) (out [spans][]change) {
	dated := slices.DeleteFunc(slices.Clone(cell), func(w CellWindow) bool { return !w.Started.Valid })
	slices.SortStableFunc(dated, func(a, b CellWindow) int {
		return cmp.Or(a.Started.Time.Compare(b.Started.Time), cmp.Compare(a.ID, b.ID))
	})
	by := func(label func(w *CellWindow) string) (order []cellPart) {
		groups := map[string][]CellWindow{}
		for i := range dated {
			l := label(&dated[i])
			if l == "" {
				continue
			}
			if groups[l] == nil {
				order = append(order, cellPart{label: l})
			}
			groups[l] = append(groups[l], dated[i])
		}
		for i := range order {
			g := groups[order[i].label]
			order[i].cell, order[i].windows, order[i].sample = &g[0], len(g), NewSample(m, g)
			order[i].timing = clocks.Of(g)
		}
		return order
	}
	steps := func(span string, order []cellPart) (list []change) {
		for i := 1; i < len(order); i++ {
			list = append(list, m.change(span, order[i-1], order[i]))
		}
		return list
	}
	out[0] = steps("period", by(func(w *CellWindow) string { return w.Period.String }))
	if m.Test == "bootstrap" {
		return out // a tail needs more values than a day or an hour has
	}
	days := by(func(w *CellWindow) string { return w.Started.Time.UTC().Format("2006-01-02") })
	out[1] = steps("day", days)
	if len(days) > 1 { // within one day, an hour of the day is no more than a time
		hours, whole := by(func(w *CellWindow) string { return w.Started.Time.UTC().Format("15") }), NewSample(m, dated)
		for _, h := range hours {
			if h.windows < len(dated) {
				others := cellPart{label: "other hours", windows: len(dated) - h.windows, sample: whole.without(h.sample), timing: clocks.Of(dated)}
				out[2] = append(out[2], m.change("hour", others, h))
			}
		}
	}
	out[3] = steps("window", by(func(w *CellWindow) string { return w.ID }))
	return out
}

// cellPart is the windows of a cell in one stretch of time.
type cellPart struct {
	label   string
	cell    *CellWindow // any of them
	windows int
	sample  *Sample
	timing  Timing
}

// change compares windows of a cell with earlier ones. Without six windows on
// each side there are levels, and no test.
func (m *Metric) change(span string, before, after cellPart) change {
	a, b := after.sample, before.sample
	c := change{cell: after.cell, span: span, before: before.label, after: after.label,
		windowsBefore: before.windows, windowsAfter: after.windows, nBefore: b.N, nAfter: a.N, evidence: stats.EvidenceNone}
	var s stats.Comparison
	o := m.options()
	o.Bare = true // few windows decide nothing here
	if span == "window" {
		s = stats.Comparison{LevelA: a.level(), LevelB: b.level()}
		if s.LevelA != nil && s.LevelB != nil && *s.LevelA > 0 && *s.LevelB > 0 {
			s.Ratio = new(*s.LevelA / *s.LevelB)
		}
	} else if s = a.change(b, o); s.Evidence == stats.EvidenceWindows {
		c.p, c.lo, c.hi, c.evidence = perhaps(s.P), perhaps(s.Lo), perhaps(s.Hi), s.Evidence
	}
	c.levelAfter, c.levelBefore, c.ratio = perhaps(s.LevelA), perhaps(s.LevelB), perhaps(s.Ratio)
	c.better, c.decidable = int8(m.Better(s)), s.Decided(new(0.0), FalseDiscovery, m.Margin)
	if c.decidable && !s.Beyond(m.Widened(before.timing.Apart(after.timing)).Margin) {
		c.decidable, c.twoClocks = false, true
	}
	return c
}

func appendChanges(s *Call, m *Metric, family []change) error {
	p := make([]*float64, len(family))
	for i := range family {
		p[i] = family[i].p.pointer()
	}
	q := stats.BenjaminiHochberg(p)
	row := make([]any, 0, 32)
	for i := range family {
		c := &family[i]
		params := any(nil)
		if c.cell.Params.Valid {
			params = c.cell.Params.String
		}
		direction := any(nil)
		switch c.better {
		case 1:
			direction = "better"
		case -1:
			direction = "worse"
		}
		row = append(append(row[:0], m.Name, c.cell.CellID), c.cell.values()...)
		row = append(row, c.cell.Provider, params, c.span, c.before, c.after, int64(c.windowsBefore), int64(c.windowsAfter), int64(c.nBefore), int64(c.nAfter),
			c.levelBefore.value(), c.levelAfter.value(), c.ratio.value(), c.lo.value(), c.hi.value(), c.p.value(), perhaps(q[i]).value(),
			string(c.evidence), direction, c.decidable && q[i] != nil && *q[i] <= FalseDiscovery, c.twoClocks)
		if err := s.Append(row...); err != nil {
			return err
		}
	}
	return nil
}

package inference

import (
	"cmp"
	"context"
	"slices"

	"aircheck/internal/analyze/stats"
)

var loadStepsStep = &Step{
	Name: "_load_steps", Version: 2,
	Key:   append(append([]string{"metric"}, cellKeyColumns...), "against"),
	Needs: []string{"_windows", "_never", "_periods", "_loops", "metrics"},
	Columns: "metric VARCHAR, " + cellColumns + ", against INTEGER, n_windows BIGINT, level DOUBLE, level_against DOUBLE, " +
		"ratio DOUBLE, lo DOUBLE, hi DOUBLE, p DOUBLE, q DOUBLE, evidence VARCHAR, decided BOOLEAN, why_not VARCHAR",
	Run: loadStepRows,
}

// loadMetrics are what loads are compared by, beside what all streams bring
// together.
var loadMetrics = []string{"ttft_net_ms", "e2e_ms", "tokens_per_s", "answered_share"}

// together is what all streams of a loop bring: one value a window.
var together = Metric{Name: "aggregate_tokens_per_s", Unit: "tokens/s", Statistic: "p50", Margin: stats.Margin{Ratio: 1.10}}

// loadStepRows compares each cell with the same target and scenario at the next
// lower concurrency, and at concurrency 1, paired by window. All comparisons of
// one metric are one family of tests.
func loadStepRows(ctx context.Context, s *Call) error {
	registered, err := Registry(ctx, s.Conn)
	if err != nil {
		return err
	}
	for _, name := range loadMetrics {
		i := slices.IndexFunc(registered, func(m Metric) bool { return m.Name == name })
		m := &registered[i]
		windows, err := ComparedWindows(ctx, s.Conn, name)
		if err != nil {
			return err
		}
		if err := appendSteps(s, m, windows); err != nil {
			return err
		}
	}
	loops, err := loopsOf(ctx, s)
	if err != nil {
		return err
	}
	var windows []CellWindow
	for _, l := range loops {
		if l.sums[0].Valid && l.WallNs.Valid && l.WallNs.Int64 > 0 {
			windows = append(windows, CellWindow{
				contestKey: contestKey{Model: l.Model, Scenario: l.Scenario, Concurrency: l.Concurrency, Vantage: l.Vantage},
				CellID:     l.CellID,
				Provider:   l.Provider, Params: l.Params, ID: l.Window,
				Values: []float64{float64(l.sums[0].Int64) / (float64(l.WallNs.Int64) / 1e9)},
			})
		}
	}
	return appendSteps(s, &together, windows)
}

// appendSteps compares the loads of each target as [comparisonsStep] compares providers:
// paired by window, with the dependence between windows that all targets show.
func appendSteps(s *Call, m *Metric, windows []CellWindow) error {
	var targets [][]CellWindow // of each, its cells by concurrency
	for _, w := range loops(windows) {
		if n := len(targets); n == 0 || compareTargets(w.cellKey(), targets[n-1][0].cellKey()) != 0 {
			targets = append(targets, nil)
		}
		targets[len(targets)-1] = append(targets[len(targets)-1], w)
	}
	c := newCompared(windows, nil)
	entries, cells := make([][]stats.Entry, len(targets)), make([][]cellKey, len(targets))
	for i, target := range targets {
		for _, cell := range Chunked(target, func(w *CellWindow) cellKey { return w.cellKey() }) {
			e := c.entry(cell)
			e.Provider = len(entries[i])
			entries[i], cells[i] = append(entries[i], e), append(cells[i], cell[0].cellKey())
		}
	}
	// Asked is what a load brings against the next lower one, and a single stream.
	verdicts, _ := m.measure().JudgeSome(c.times(), entries, s.In.Options.Threads(), func(i, a, b int) bool {
		return a == b-1 || cells[i][a].Concurrency.Int32 == 1
	})
	for i := range verdicts {
		for j := range verdicts[i] {
			v := &verdicts[i][j]
			low, high := cells[i][v.A], cells[i][v.B]
			if v.Why == stats.WhyNotAsked || v.A != v.B-1 && low.Concurrency.Int32 != 1 {
				continue
			}
			side := c.verdictComparison(m, v, targets[i][0].Per).turned()
			if v.Status == stats.TooFew {
				sample := func(of cellKey) *Sample {
					return NewSample(m, slices.DeleteFunc(slices.Clone(targets[i]), func(w CellWindow) bool { return w.cellKey() != of }))
				}
				side = fewComparison(m, sample(high), sample(low), stats.WhyWindows)
			}
			var why any
			if side.why != stats.WhyNone {
				why = string(side.why)
			}
			row := append([]any{m.Name}, high.values()...)
			row = append(row, low.Concurrency.Int32, int64(side.windows), side.levelA.value(), side.levelB.value(), side.ratio.value(), side.lo.value(), side.hi.value(),
				side.pv.value(), side.q.value(), string(side.evidence), side.decided, why)
			if err := s.Append(row...); err != nil {
				return err
			}
		}
	}
	return nil
}

// loops are the windows of closed loops, ordered by target and concurrency: an
// open loop has no load to step up.
func loops(windows []CellWindow) []CellWindow {
	out := slices.DeleteFunc(slices.Clone(windows), func(w CellWindow) bool { return !w.Concurrency.Valid })
	slices.SortStableFunc(out, func(a, b CellWindow) int {
		x, y := a.cellKey(), b.cellKey()
		return cmp.Or(compareTargets(x, y), cmp.Compare(x.Concurrency.Int32, y.Concurrency.Int32))
	})
	return out
}

func (w *CellWindow) cellKey() cellKey {
	return cellKey{w.CellID, w.Provider, w.Model, w.Scenario, w.Concurrency, w.Vantage, w.Params}
}

// compareTargets orders cells by all but their concurrency.
func compareTargets(a, b cellKey) int {
	return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Scenario, b.Scenario),
		cmp.Compare(a.Vantage.String, b.Vantage.String), cmp.Compare(a.Params.String, b.Params.String),
		compareBools(a.Vantage.Valid, b.Vantage.Valid), compareBools(a.Params.Valid, b.Params.Valid))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

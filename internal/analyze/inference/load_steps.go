package inference

import (
	"cmp"
	"context"
	"slices"

	"aircheck/internal/analyze/stats"
)

var loadStepsStep = &Step{
	Name: "_load_steps", Version: 1,
	Key:   append(append([]string{"metric"}, cellKeyColumns...), "against"),
	Needs: []string{"_windows", "_periods", "_loops", "metrics"},
	Columns: "metric VARCHAR, " + cellColumns + ", against INTEGER, n_windows BIGINT, level DOUBLE, level_against DOUBLE, " +
		"ratio DOUBLE, lo DOUBLE, hi DOUBLE, p DOUBLE, q DOUBLE, evidence VARCHAR, decided BOOLEAN",
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
		windows, err := WindowsOf(ctx, s.Conn, name)
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

// loadStep is one cell set against the same at another concurrency.
type loadStep struct {
	cell    cellKey
	against int32
	stats.Comparison
}

func appendSteps(s *Call, m *Metric, windows []CellWindow) error {
	steps := loadSteps(m, windows)
	p := make([]*float64, len(steps))
	for i := range steps {
		p[i] = steps[i].P
	}
	for i, q := range stats.BenjaminiHochberg(p) {
		t := &steps[i]
		row := append([]any{m.Name}, t.cell.values()...)
		row = append(row, t.against, int64(t.Windows), number(t.LevelA), number(t.LevelB), number(t.Ratio), number(t.Lo), number(t.Hi),
			number(t.P), number(q), string(t.Evidence), t.Decided(q, FalseDiscovery, m.Margin))
		if err := s.Append(row...); err != nil {
			return err
		}
	}
	return nil
}

func loadSteps(m *Metric, windows []CellWindow) []loadStep {
	byCell := map[cellKey][]CellWindow{}
	var cells []cellKey
	for _, w := range windows {
		k := cellKey{w.CellID, w.Provider, w.Model, w.Scenario, w.Concurrency, w.Vantage, w.Params}
		if !k.Concurrency.Valid {
			continue // an open loop has no load to step up
		}
		if byCell[k] == nil {
			cells = append(cells, k)
		}
		byCell[k] = append(byCell[k], w)
	}
	slices.SortFunc(cells, func(a, b cellKey) int {
		return cmp.Or(compareTargets(a, b), cmp.Compare(a.Concurrency.Int32, b.Concurrency.Int32))
	})
	var out []loadStep
	for i := range cells {
		a := cells[i]
		var lower []cellKey // the next lower load, and a single stream
		for j := i - 1; j >= 0 && compareTargets(cells[j], a) == 0; j-- {
			if j == i-1 || cells[j].Concurrency.Int32 == 1 {
				lower = append(lower, cells[j])
			}
		}
		for _, b := range lower {
			compared := NewSample(m, byCell[a]).against(NewSample(m, byCell[b]))
			out = append(out, loadStep{a, b.Concurrency.Int32, compared})
		}
	}
	return out
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

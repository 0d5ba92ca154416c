package inference

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"aircheck/internal/analyze/stats"
)

var costPairsStep = &Step{
	Name: "_cost_pairs", Version: 1,
	Key:   []string{"provider", "scenario", "concurrency", "vantage", "model_a", "model_b"},
	Needs: []string{"_windows", "_periods", "metrics"},
	Columns: "provider VARCHAR, scenario VARCHAR, concurrency INTEGER, vantage VARCHAR, model_a VARCHAR, model_b VARCHAR, n_windows BIGINT, n_a BIGINT, n_b BIGINT, " +
		"level_a DOUBLE, level_b DOUBLE, ratio DOUBLE, lo DOUBLE, hi DOUBLE, p DOUBLE, q DOUBLE, evidence VARCHAR, decided BOOLEAN, why_not VARCHAR",
	Run: costPairRows,
}

// costPairRows compares what useful results of two models cost at one provider, as
// providers of one model are compared: paired by window, the dependence between
// windows counted. All pairs are one family of tests.
func costPairRows(ctx context.Context, s *Call) error {
	metrics, err := Registry(ctx, s.Conn)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(metrics, func(m Metric) bool { return m.Name == "cost_per_useful_usd" })
	m := &metrics[i]
	windows, err := WindowsOf(ctx, s.Conn, m.Name)
	if err != nil {
		return err
	}
	type shelf struct {
		provider, scenario string
		concurrency        sql.NullInt32
		vantage            sql.NullString
	}
	of := func(w *CellWindow) shelf { return shelf{w.Provider, w.Scenario, w.Concurrency, w.Vantage} }
	slices.SortStableFunc(windows, func(a, b CellWindow) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Scenario, b.Scenario),
			compareBools(a.Concurrency.Valid, b.Concurrency.Valid), cmp.Compare(a.Concurrency.Int32, b.Concurrency.Int32),
			compareBools(a.Vantage.Valid, b.Vantage.Valid), cmp.Compare(a.Vantage.String, b.Vantage.String), cmp.Compare(a.Model, b.Model))
	})
	c := newCompared(windows, nil)
	var contests [][]stats.Entry
	var shelves [][][]CellWindow
	for _, list := range Chunked(windows, of) {
		models := Chunked(list, func(w *CellWindow) string { return w.Model })
		var entries []stats.Entry
		for k, w := range models {
			e := c.entry(w)
			e.Provider = k
			entries = append(entries, e)
		}
		contests, shelves = append(contests, entries), append(shelves, models)
	}
	verdicts, _ := m.measure().Judge(c.times(), contests, s.In.Options.Threads())
	for i := range verdicts {
		for j := range verdicts[i] {
			v := &verdicts[i][j]
			a, b := shelves[i][v.A], shelves[i][v.B]
			side := c.verdictComparison(m, v, a[0].Per)
			if v.Status == stats.TooFew {
				side = fewComparison(m, NewSample(m, a), NewSample(m, b), stats.WhyWindows)
			}
			var why, concurrency, vantage any
			if side.why != stats.WhyNone {
				why = string(side.why)
			}
			if key := of(&a[0]); key.concurrency.Valid {
				concurrency = key.concurrency.Int32
			}
			if key := of(&a[0]); key.vantage.Valid {
				vantage = key.vantage.String
			}
			if err := s.Append(a[0].Provider, a[0].Scenario, concurrency, vantage, a[0].Model, b[0].Model, int64(side.windows), int64(side.nA), int64(side.nB),
				side.levelA.value(), side.levelB.value(), side.ratio.value(), side.lo.value(), side.hi.value(), side.pv.value(), side.q.value(),
				string(side.evidence), side.decided, why); err != nil {
				return err
			}
		}
	}
	return nil
}

package inference

import (
	"context"
	"database/sql"
	"fmt"

	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
)

var waitsStep = &Step{
	Name: "_waits", Version: 1,
	Key:     append([]string{"kind"}, append(cellKeyColumns, "place")...),
	Needs:   []string{"_wait_windows"},
	Columns: "kind VARCHAR, " + cellColumns + ", place INTEGER, n_windows BIGINT, ratio DOUBLE, lo DOUBLE, hi DOUBLE, p DOUBLE, q DOUBLE, slower BOOLEAN, why_not VARCHAR",
	Run:     waitRows,
}

// waits is how first tokens of special places are compared with those of a usual one.
var waits = Metric{Name: "ttft_net_ms", Unit: "ms", Lower: true, Statistic: "p50", Margin: stats.Margin{Ratio: 1.10, Abs: 50}}

// waitRows sets, for each target, first tokens of requests that met a silence
// against those after it (kind cold), and those of each later place in a burst
// against the first place (kind burst), paired by window, as providers are
// compared. All comparisons of a kind are one family of tests.
func waitRows(ctx context.Context, s *Call) error {
	for _, kind := range []string{"cold", "burst"} {
		rows, err := waitWindowsOf(ctx, s, kind)
		if err != nil {
			return err
		}
		windows := make([]CellWindow, len(rows))
		for i := range rows {
			windows[i] = rows[i].CellWindow
		}
		c := newCompared(windows, nil)
		var contests [][]stats.Entry
		var targets [][]waitWindow
		for _, target := range Chunked(rows, func(w *waitWindow) cellKey { return w.cellKey() }) {
			var entries []stats.Entry
			var firsts []waitWindow
			for _, place := range Chunked(target, func(w *waitWindow) int32 { return w.place }) {
				list := make([]CellWindow, len(place))
				for i := range place {
					list[i] = place[i].CellWindow
				}
				e := c.entry(list)
				e.Provider = len(entries)
				entries, firsts = append(entries, e), append(firsts, place[0])
			}
			contests, targets = append(contests, entries), append(targets, firsts)
		}
		asked := func(_, a, _ int) bool { return a == 0 }
		verdicts, _ := waits.measure().JudgeSome(c.times(), contests, s.In.Options.Threads(), asked)
		for i := range verdicts {
			for j := range verdicts[i] {
				v := &verdicts[i][j]
				if v.A != 0 {
					continue
				}
				side := c.verdictComparison(&waits, v, 1).turned()
				var why any
				if side.why != stats.WhyNone {
					why = string(side.why)
				}
				at := &targets[i][v.B]
				key := at.cellKey()
				row := append([]any{kind}, key.values()...)
				row = append(row, at.place, int64(side.windows), side.ratio.value(), side.lo.value(), side.hi.value(), side.pv.value(), side.q.value(),
					side.decided && side.better < 0, why)
				if err := s.Append(row...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// waitWindow is one row of _wait_windows: place 0 is what others are set against.
type waitWindow struct {
	CellWindow
	place int32
}

func waitWindowsOf(ctx context.Context, s *Call, kind string) ([]waitWindow, error) {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT `+cellNames+`, place, window_key, started_at, ascending, failed
		FROM _wait_windows
		WHERE kind = $1
		ORDER BY `+cellOrder+`, place, window_key`, kind)
	if err != nil {
		return nil, duck.Wrap("_wait_windows", err)
	}
	defer rows.Close()
	var out []waitWindow
	for rows.Next() {
		var w waitWindow
		var values any
		var failed sql.NullInt64
		if err := rows.Scan(&w.CellID, &w.Provider, &w.Model, &w.Scenario, &w.Concurrency, &w.Vantage, &w.Params, &w.place, &w.ID, &w.Started, &values, &failed); err != nil {
			return nil, err
		}
		list, _ := values.([]any)
		for _, v := range list {
			f, ok := v.(float64)
			if !ok {
				return nil, fmt.Errorf("_wait_windows: a value that is no number: %v", v)
			}
			w.Values = append(w.Values, f)
		}
		w.Failed = int(failed.Int64)
		out = append(out, w)
	}
	return out, rows.Err()
}

package inference

import (
	"context"
	"database/sql"

	"aircheck/internal/analyze/stats"
)

var ratesStep = &Step{
	Name: "_rates", Version: 2,
	Key:     append(cellKeyColumns, "rate"),
	Needs:   []string{"_loops", "_windows", "_periods", "metrics"},
	Columns: cellColumns + ", rate VARCHAR, n_windows BIGINT, value DOUBLE, lo DOUBLE, hi DOUBLE",
	Run:     rateRows,
}

// rates are what a loop brings per second: column of _loops, over wall_ns.
var rates = []string{"tokens", "chars", "complete", "good"}

// rateRows gives what each cell brings per second, over all its windows
// together, with Fieller's interval over the windows.
func rateRows(ctx context.Context, s *Call) error {
	loops, err := loopsOf(ctx, s)
	if err != nil {
		return err
	}
	for _, cell := range Chunked(loops, func(l *loop) cellKey { return l.cellKey }) {
		for i, rate := range rates {
			var clusters []stats.Cluster
			for _, l := range cell {
				if l.sums[i].Valid && l.WallNs.Valid && l.WallNs.Int64 > 0 {
					clusters = append(clusters, stats.Cluster{Num: float64(l.sums[i].Int64), Den: float64(l.WallNs.Int64) / 1e9})
				}
			}
			if len(clusters) == 0 {
				continue
			}
			e := stats.RatioOfSums(clusters, 0.95)
			row := append(cell[0].values(), rate, int64(len(clusters)), number(e.Value), number(e.Lo), number(e.Hi))
			if err := s.Append(row...); err != nil {
				return err
			}
		}
	}
	return flowRows(ctx, s)
}

// flowRows gives the speeds of single streams: over all answers of all windows
// together, with Fieller's interval over the windows.
func flowRows(ctx context.Context, s *Call) error {
	metrics, err := Registry(ctx, s.Conn)
	if err != nil {
		return err
	}
	for i := range metrics {
		m := &metrics[i]
		if !m.flow() || m.Lower {
			continue // the time per token is the speed once more
		}
		windows, err := WindowsOf(ctx, s.Conn, m.Name)
		if err != nil {
			return err
		}
		for _, cell := range Chunked(windows, func(w *CellWindow) int64 { return w.CellID }) {
			clusters := make([]stats.Cluster, len(cell))
			for j, w := range cell {
				clusters[j] = stats.Cluster{Num: float64(w.Num), Den: float64(w.Den) * w.Per}
			}
			e := stats.RatioOfSums(clusters, 0.95)
			key := cellKey{cell[0].CellID, cell[0].Provider, cell[0].Model, cell[0].Scenario, cell[0].Concurrency, cell[0].Vantage, cell[0].Params}
			if err := s.Append(append(key.values(), m.Name, int64(len(cell)), number(e.Value), number(e.Lo), number(e.Hi))...); err != nil {
				return err
			}
		}
	}
	return nil
}

// loop is one row of _loops.
type loop struct {
	cellKey
	Window string
	WallNs sql.NullInt64
	sums   [4]sql.NullInt64 // as rates has them
}

func loopsOf(ctx context.Context, s *Call) ([]loop, error) {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT `+cellNames+`, window_key, wall_ns, tokens, chars, complete, CASE WHEN judged > 0 THEN good END
		FROM _loops
		ORDER BY `+cellOrder+`, window_key`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []loop
	for rows.Next() {
		var l loop
		if err := rows.Scan(append(l.Into(), &l.Window, &l.WallNs, &l.sums[0], &l.sums[1], &l.sums[2], &l.sums[3])...); err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, rows.Err()
}

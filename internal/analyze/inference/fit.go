package inference

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"

	"aircheck/internal/analyze/stats"
)

var fitStep = &Step{
	Name: "_fit", Version: 1,
	Key:     append([]string{"metric", "statistic"}, cellKeyColumns...),
	Needs:   []string{"_fit_windows", "_limits"},
	Columns: "metric VARCHAR, statistic VARCHAR, " + cellColumns + ", value DOUBLE, lo DOUBLE, hi DOUBLE, n BIGINT, n_windows BIGINT",
	Run:     fitRows,
}

// fitWindow is one row of _fit_windows.
type fitWindow struct {
	metric string
	cellKey
	values []float64
	k, n   sql.NullInt64
}

// fitRows gives each share, and each percentile that a workload wants, its
// interval: from six windows on one that counts what requests of a window share.
// Below, one over requests, which speaks of these windows alone.
func fitRows(ctx context.Context, s *Call) error {
	wanted, err := fitStatistics(ctx, s)
	if err != nil {
		return err
	}
	windows, err := fitWindowsOf(ctx, s)
	if err != nil {
		return err
	}
	type key struct {
		metric string
		cellKey
	}
	for _, cell := range Chunked(windows, func(w *fitWindow) key { return key{w.metric, w.cellKey} }) {
		statistics := wanted[cell[0].metric]
		if cell[0].values == nil {
			statistics = []string{""}
		}
		for _, statistic := range statistics {
			e, n, err := fitted(cell, statistic)
			if err != nil {
				return err
			}
			row := append([]any{cell[0].metric, orNull(statistic)}, cell[0].cellKey.values()...)
			if err := s.Append(append(row, number(e.Value), number(e.Lo), number(e.Hi), int64(n), int64(len(cell)))...); err != nil {
				return err
			}
		}
	}
	return nil
}

// fitted is one percentile ("p95") of a cell's values, or its share ("").
func fitted(cell []fitWindow, statistic string) (e stats.Estimate, n int, err error) {
	if statistic == "" {
		var shares []stats.ShareOf
		for _, w := range cell {
			shares = append(shares, stats.ShareOf{K: int(w.k.Int64), N: int(w.n.Int64)})
			n += int(w.n.Int64)
		}
		if len(cell) < stats.EnoughWindows {
			shares = []stats.ShareOf{sumOf(shares)}
		}
		return stats.ClusterShare(shares, 0.95), n, nil
	}
	percent, err := strconv.Atoi(statistic[1:])
	if err != nil {
		return e, 0, fmt.Errorf("statistic %q: %w", statistic, err)
	}
	var values [][]float64
	var all []float64
	for _, w := range cell {
		values = append(values, w.values)
		all = append(all, w.values...)
	}
	if len(cell) < stats.EnoughWindows {
		values = [][]float64{all}
	}
	return stats.ClusterQuantile(values, float64(percent)/100, 0.95), len(all), nil
}

func sumOf(shares []stats.ShareOf) (sum stats.ShareOf) {
	for _, s := range shares {
		sum.K, sum.N = sum.K+s.K, sum.N+s.N
	}
	return sum
}

// fitStatistics are the percentiles of each metric that some workload wants.
func fitStatistics(ctx context.Context, s *Call) (map[string][]string, error) {
	rows, err := s.Conn.QueryContext(ctx, "SELECT DISTINCT metric, statistic FROM _limits WHERE kind = 'decides' AND statistic IS NOT NULL ORDER BY metric, statistic")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	wanted := map[string][]string{}
	for rows.Next() {
		var metric, statistic string
		if err := rows.Scan(&metric, &statistic); err != nil {
			return nil, err
		}
		wanted[metric] = append(wanted[metric], statistic)
	}
	return wanted, rows.Err()
}

func fitWindowsOf(ctx context.Context, s *Call) ([]fitWindow, error) {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT metric, `+cellNames+`, ascending, k, n
		FROM _fit_windows
		ORDER BY metric, `+cellOrder+`, window_key`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []fitWindow
	for rows.Next() {
		var w fitWindow
		var values any
		if err := rows.Scan(append(append([]any{&w.metric}, w.Into()...), &values, &w.k, &w.n)...); err != nil {
			return nil, err
		}
		if list, ok := values.([]any); ok {
			w.values = make([]float64, len(list))
			for i, v := range list {
				f, ok := v.(float64)
				if !ok {
					return nil, fmt.Errorf("_fit_windows: %s has a value that is no number: %v", w.metric, v)
				}
				w.values[i] = f
			}
		}
		out = append(out, w)
	}
	return out, rows.Err()
}

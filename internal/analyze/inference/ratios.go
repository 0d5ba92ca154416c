package inference

import (
	"context"

	"aircheck/internal/analyze/stats"
)

var ratiosStep = &Step{
	Name: "_ratios", Key: []string{"ratio", "of"}, Version: 2,
	Needs:   []string{"_clusters"},
	Columns: "ratio VARCHAR, of VARCHAR, windows INTEGER, value DOUBLE, lo DOUBLE, hi DOUBLE",
	Run:     ratioRows,
}

// ratioRows gives ratios of sums their intervals over windows.
func ratioRows(ctx context.Context, s *Call) error {
	rows, err := s.Conn.QueryContext(ctx, "SELECT ratio, of, num, den FROM _clusters ORDER BY ratio, of, window_key")
	if err != nil {
		return err
	}
	defer rows.Close()
	var ratio, of string
	var clusters []stats.Cluster
	flush := func() error {
		if len(clusters) == 0 {
			return nil
		}
		e := stats.CostRatio(clusters, 0.95)
		return s.Append(ratio, of, int32(len(clusters)), value(e.Value), value(e.Lo), value(e.Hi))
	}
	for rows.Next() {
		var r, o string
		var num, den int64
		if err := rows.Scan(&r, &o, &num, &den); err != nil {
			return err
		}
		if r != ratio || o != of {
			if err := flush(); err != nil {
				return err
			}
			ratio, of, clusters = r, o, nil
		}
		clusters = append(clusters, stats.Cluster{Num: float64(num), Den: float64(den)})
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return flush()
}

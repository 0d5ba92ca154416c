package inference

import (
	"context"

	"aircheck/internal/analyze/stats"
)

var quantileRanksStep = &Step{
	Name: "_quantile_ranks", Columns: "n BIGINT, q INTEGER, lo BIGINT, hi BIGINT", Key: []string{"n", "q"}, Version: 2,
	Needs: []string{"_samples"},
	Run:   quantileRanks,
}

// quantileRanks gives, for each sample size at hand, with and without failures,
// and each percentile q, the ranks (from 1) of the order statistics that enclose
// it at 95 %; NULL where the sample cannot bound it.
func quantileRanks(ctx context.Context, s *Call) error {
	sizes, err := s.ints(ctx, "SELECT n FROM _samples UNION SELECT n + n_failed FROM _samples ORDER BY n")
	if err != nil {
		return err
	}
	for _, n := range sizes {
		for _, q := range []int32{50, 90, 95, 99} {
			lo, hi, loOK, hiOK := stats.QuantileRanks(int(n), float64(q)/100, 0.95)
			if err := s.Append(n, q, rankOrNull(lo, loOK), rankOrNull(hi, hiOK)); err != nil {
				return err
			}
		}
	}
	return nil
}

func rankOrNull(rank int, ok bool) any {
	if !ok {
		return nil
	}
	return int64(rank)
}

func (s *Call) ints(ctx context.Context, query string) ([]int64, error) {
	rows, err := s.Conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int64
	for rows.Next() {
		var v int64
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

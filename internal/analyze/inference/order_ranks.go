package inference

import (
	"context"

	"aircheck/internal/analyze/stats"
)

var medianRanksStep = &Step{
	Name: "_median_ranks", Columns: "n BIGINT, lo BIGINT, hi BIGINT", Key: []string{"n"}, Version: 1,
	Needs: []string{"_median_sizes"},
	Run:   medianRanks,
}

// medianRanks gives, for each size of the samples that views of trials, bursts
// and providers take medians of, the ranks (from 1) that enclose the median at
// 95 %; NULL under six.
func medianRanks(ctx context.Context, s *Call) error {
	sizes, err := s.ints(ctx, "SELECT n FROM _median_sizes ORDER BY n")
	if err != nil {
		return err
	}
	for _, n := range sizes {
		lo, hi, loOK, hiOK := stats.QuantileRanks(int(n), 0.5, 0.95)
		if err := s.Append(n, rankOrNull(lo, loOK), rankOrNull(hi, hiOK)); err != nil {
			return err
		}
	}
	return nil
}

package stats_test

import (
	"testing"

	"aircheck/stats"
)

// BenchmarkCompare is one side of the flips view: what 60 providers × 40
// models × 10 metrics take 708,000 times.
func BenchmarkCompare(b *testing.B) {
	for _, c := range []struct {
		name    string
		windows int
		o       stats.Options
	}{{"paired", 12, stats.Options{}}, {"within", 4, stats.Options{}}, {"tail", 12, stats.Options{Quantile: 0.95}}} {
		b.Run(c.name, func(b *testing.B) {
			x, y := stats.NewCell(weather("a", c.windows, 10, 1000)), stats.NewCell(weather("b", c.windows, 10, 900))
			for b.Loop() {
				x.Against(y, c.o)
			}
		})
	}
}

// BenchmarkTailReplicates is what a cell costs once before its tails can be
// compared.
func BenchmarkTailReplicates(b *testing.B) {
	x, y := weather("a", 12, 10, 1000), weather("b", 12, 10, 900)
	for b.Loop() {
		stats.Compare(x, y, stats.Options{Quantile: 0.95})
	}
}

package stats_test

import (
	"slices"
	"testing"

	"aircheck/internal/analyze/stats"
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
			x, y := stats.NewCell(levels("a", c.windows, 10, 1000)), stats.NewCell(levels("b", c.windows, 10, 900))
			for b.Loop() {
				x.Against(y, c.o)
			}
		})
	}
}

// BenchmarkTailReplicates is what a cell costs once before its tails can be
// compared.
func BenchmarkTailReplicates(b *testing.B) {
	x, y := levels("a", 12, 10, 1000), levels("b", 12, 10, 900)
	for b.Loop() {
		stats.Compare(x, y, stats.Options{Quantile: 0.95})
	}
}

// BenchmarkChange is one row of drift: an hour of the day against all others,
// of windows enough to be the units, and of a recording of a day and a half.
func BenchmarkChange(b *testing.B) {
	for _, c := range []struct {
		name                 string
		before, after, trial int
	}{{"windows", 690, 30, 10}, {"within", 11, 1, 10_000}, {"halves", 2, 2, 10_000}} {
		b.Run(c.name, func(b *testing.B) {
			before, after := levels("before", c.before, c.trial, 1000), levels("after", c.after, c.trial, 900)
			for _, w := range slices.Concat(before, after) {
				slices.Sort(w.Values) // as the table of windows has them
			}
			for b.Loop() {
				stats.Change(after, before, stats.Options{})
			}
		})
	}
}

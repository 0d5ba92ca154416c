package stats_test

import (
	"math"
	"slices"
	"testing"

	"aircheck/internal/analyze/stats"
)

// For twelve windows t is 2.201 and √(12/11) 1.0445: Φ(−2.299) = 0.0108.
func TestExpandedTail(t *testing.T) {
	for windows, want := range map[int]float64{12: 0.0108, 6: 0.0024, 1000: 0.0249} {
		if got, ok := stats.ExpandedTail(windows, 0.95); !ok || math.Abs(got-want) > 0.0001 {
			t.Errorf("%d windows: got %v, %v; want %v", windows, got, ok, want)
		}
	}
	if _, ok := stats.ExpandedTail(1, 0.95); ok {
		t.Error("one window has no interval")
	}
}

func TestDraw(t *testing.T) {
	sums := make([]int32, 5)
	for seed := range uint64(2000) {
		d := stats.Draw(5, seed)
		if !slices.Equal(d, stats.Draw(5, seed)) {
			t.Fatal("the same seed drew differently")
		}
		n := int32(0)
		for i, k := range d {
			n, sums[i] = n+k, sums[i]+k
		}
		if n != 5 {
			t.Fatalf("drew %d of 5", n)
		}
	}
	for i, s := range sums { // 10000 draws: 2000 each, standard deviation 40
		if s < 1800 || s > 2200 {
			t.Errorf("window %d was drawn %d times of 10000", i, s)
		}
	}
}

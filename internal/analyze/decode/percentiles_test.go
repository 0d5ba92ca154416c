package decode

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Selecting gives what sorting gives, for every length and many equal values.
func TestPercentilesAreThoseOfSortedValues(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 400; n++ {
		v := make([]int64, n)
		for i := range v {
			v[i] = g.Int64N(int64(1 + n/(1+g.IntN(4))))
		}
		sorted := slices.Sorted(slices.Values(v))
		at := func(p float64) float64 {
			rank := float64(n-1) * p
			lo := int(rank)
			part := rank - float64(lo)
			if part == 0 {
				return float64(sorted[lo])
			}
			return float64(float64(sorted[lo])*(1-part)) + float64(float64(sorted[lo+1])*part)
		}
		if p50, p99 := percentiles(v); p50 != at(0.5) || p99 != at(0.99) {
			t.Fatalf("%d values: %v and %v, want %v and %v", n, p50, p99, at(0.5), at(0.99))
		}
	}
}

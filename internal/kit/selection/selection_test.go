package selection

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Against sorting, with few and with many equal values; the order is that of a
// partition.
func TestNth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		v := make([]int64, 1+r.IntN(300))
		for i := range v {
			v[i] = r.Int64N(1 + r.Int64N(400))
		}
		sorted := slices.Sorted(slices.Values(v))
		n := r.IntN(len(v))
		if got := Nth(v, n); got != sorted[n] || v[n] != got {
			t.Fatalf("number %d is %d and stands as %d, want %d", n, got, v[n], sorted[n])
		}
		if slices.Max(v[:n+1]) > v[n] || slices.Min(v[n:]) < v[n] {
			t.Fatalf("%v is not parted at %d", v, n)
		}
	}
}

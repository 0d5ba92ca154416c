package bench

import "testing"

// Ranks from tables of the binomial distribution: of 5 and of 8 values all, of 9
// from the second on, of 20 from the sixth on.
func TestMedian(t *testing.T) {
	for n, rank := range map[int]int{5: 1, 8: 1, 9: 2, 12: 3, 20: 6} {
		var v []float64
		for i := range n {
			v = append(v, float64(n-i))
		}
		lo, mid, hi := Median(v)
		if lo != float64(rank) || hi != float64(n+1-rank) || mid != float64(n+1)/2 {
			t.Errorf("%d values: %v [%v, %v], want from the value of rank %d", n, mid, lo, hi, rank)
		}
	}
}

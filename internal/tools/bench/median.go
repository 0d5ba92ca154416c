package bench

import "slices"

// Median is that of the values, with the interval from order statistics that
// holds the true median at 95 %, or as near to it as so few values come: of five,
// all that were met, 94 %.
func Median(values []float64) (lo, mid, hi float64) {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	if n == 0 {
		return 0, 0, 0
	}
	mid = (v[(n-1)/2] + v[n/2]) / 2
	// The number of values below the median is binomial (n, ½): leave out as many
	// on each side as keep both tails together below 5 %.
	k, tail, p := 0, 0.0, 1.0
	for range n {
		p /= 2
	}
	for c := p; k < n/2; k++ {
		if tail += c; 2*tail > 0.05 {
			break
		}
		c = c * float64(n-k) / float64(k+1)
	}
	k = max(k-1, 0)
	return v[k], mid, v[n-1-k]
}

// Package selection finds the n-th smallest of values without sorting them.
package selection

import (
	"cmp"
	"math/bits"
	"slices"
)

// small is up to how many values are sorted.
const small = 12

// Nth puts the value that sorting would put at n there, none greater before it
// and none smaller behind it, and returns it. The values hold no NaN. Source:
// Hoare, "Algorithm 65: Find", CACM 4 (1961), with the median of three as pivot;
// after 2 log2(len) rounds the rest is sorted, which bounds the time.
func Nth[T cmp.Ordered](v []T, n int) T {
	for rounds := 2 * bits.Len(uint(len(v))); len(v) > small && rounds > 0; rounds-- {
		first, middle, last := v[0], v[len(v)/2], v[len(v)-1]
		pivot := max(min(first, middle), min(max(first, middle), last))
		i, j := 0, len(v)-1
		for i <= j {
			for v[i] < pivot {
				i++
			}
			for v[j] > pivot {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			v = v[:j+1]
		case n >= i:
			v, n = v[i:], n-i
		default:
			return pivot
		}
	}
	slices.Sort(v)
	return v[n]
}

package decode

import "slices"

// percentiles are the median and the 99th percentile of at least one value,
// linearly interpolated (type 7) and rounded as DuckDB's quantile_cont does. It
// reorders the values, but does not sort them: a selection takes a quarter of
// the time.
func percentiles(v []int64) (p50, p99 float64) {
	p99 = percentile(v, 0.99, len(v))
	return percentile(v, 0.5, int(float64(len(v)-1)*0.99)+1), p99
}

// percentile needs the value only among the first below ones, than which all
// others are no smaller.
func percentile(v []int64, p float64, below int) float64 {
	rank := float64(len(v)-1) * p
	lo := int(rank)
	selectNth(v[:below], lo)
	part := rank - float64(lo)
	if part == 0 {
		return float64(v[lo])
	}
	above := v[lo+1 : below]
	if len(above) == 0 {
		above = v[below:]
	}
	return float64(float64(v[lo])*(1-part)) + float64(float64(slices.Min(above))*part) // conversions keep the two from being fused
}

// selectNth puts the value that sorting would put at n there, smaller ones
// before it and larger ones behind it (Hoare's selection, median of three).
func selectNth(v []int64, n int) {
	for len(v) > 12 {
		mid, last := len(v)/2, len(v)-1
		if v[mid] < v[0] {
			v[mid], v[0] = v[0], v[mid]
		}
		if v[last] < v[0] {
			v[last], v[0] = v[0], v[last]
		}
		if v[last] < v[mid] {
			v[last], v[mid] = v[mid], v[last]
		}
		pivot, i, j := v[mid], 0, last
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
			return // it is the pivot
		}
	}
	slices.Sort(v)
}

package decode

import (
	"slices"

	"aircheck/internal/kit/selection"
)

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
	selection.Nth(v[:below], lo)
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

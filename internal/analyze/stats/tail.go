package stats

import "math"

// ExpandedTail is the share of bootstrap replicates beyond each end of an
// interval over that many windows: (1−conf)/2, made smaller for what a plain
// percentile interval forgets, that the spread of w windows is narrow by
// √((w−1)/w) and that Student's t stands in for the normal distribution. It is
// false for fewer than two windows.
//
// Source: Hesterberg, "What teachers should know about the bootstrap", The
// American Statistician 69 (2015), section 4.2.
func ExpandedTail(windows int, conf float64) (float64, bool) {
	if windows < 2 {
		return 0, false
	}
	widen := math.Sqrt(float64(windows) / float64(windows-1))
	return portable(upperTail(widen * studentQuantile(1-conf, windows-1))), true
}

// Draw draws n of n with replacement, and says how often each was drawn. Its
// stream is that of the seed alone.
func Draw(n int, seed uint64) []int32 {
	stream := PCG(seed)
	out := make([]int32, n)
	for range n {
		out[below(stream, n)]++
	}
	return out
}

package stats

// Lasting reports whether windows that start then (seconds since 1970, UTC)
// cover the day twice: each quarter of the day is seen on two days or more,
// which takes two days at least. What they show cannot be the time of day alone.
func Lasting(starts []int64) bool {
	const quarter, day = 6 * 3600, 24 * 3600
	first := [4]int64{-1, -1, -1, -1}
	var twice [4]bool
	for _, s := range starts {
		q, d := s%day/quarter, s/day
		if first[q] < 0 {
			first[q] = d
		}
		twice[q] = twice[q] || first[q] != d
	}
	return twice == [4]bool{true, true, true, true}
}

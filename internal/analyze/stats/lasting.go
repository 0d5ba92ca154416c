package stats

import "time"

// Lasting reports whether windows that start then cover the day twice: each
// quarter of the day (UTC) is seen on two days or more, which takes two days at
// least. What they show cannot be the time of day alone.
func Lasting(starts []time.Time) bool {
	var first [4]string
	var twice [4]bool
	for _, t := range starts {
		t = t.UTC()
		quarter, day := t.Hour()/6, t.Format(time.DateOnly)
		switch first[quarter] {
		case "":
			first[quarter] = day
		case day:
		default:
			twice[quarter] = true
		}
	}
	return twice == [4]bool{true, true, true, true}
}

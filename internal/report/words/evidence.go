package words

import (
	"cmp"
	"fmt"
	"slices"

	"aircheck/internal/analyze/stats"
)

// Evidence is what the contests of one setting can tell. The closing screen and
// the report tell first of the setting with the most.
type Evidence struct {
	tested     int   // contests with enough windows for a test
	contested  int   // contests of two providers or more
	contests   int   // one a model
	windows, n int64 // of the contested ones
}

// Add counts a contest, given its providers' windows and values.
func (e *Evidence) Add(windows, n []int64) {
	e.contests++
	if len(windows) < 2 {
		return
	}
	e.contested++
	common := slices.Sorted(slices.Values(windows))[len(windows)-2] // two have as many, at most
	if common >= stats.MinWindows {
		e.tested++
	}
	e.windows += common
	for _, v := range n {
		e.n += v
	}
}

// Compare sorts the most evidence first. A few values more or less are chance:
// it takes another digit to count.
func (e Evidence) Compare(o Evidence) int {
	return cmp.Or(cmp.Compare(o.tested, e.tested), cmp.Compare(o.contested, e.contested), cmp.Compare(o.contests, e.contests),
		cmp.Compare(o.windows, e.windows), cmp.Compare(len(fmt.Sprint(o.n)), len(fmt.Sprint(e.n))))
}

package imports

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// hours counts rows by the hour in which they started: exports lose windows
// without a word, and an hour without rows is seen nowhere else.
type hours map[int64]int

func (h hours) add(startedAtNs int64) { h[startedAtNs/int64(time.Hour)]++ }

// maxHoles bounds the holes that are told.
const maxHoles = 5

// String tells from when to when there are rows, and the hours between that have
// none; "" where all rows are of one hour or of none.
func (h hours) String() string {
	if len(h) < 2 {
		return ""
	}
	have := slices.Sorted(maps.Keys(h))
	first, last := have[0], have[len(have)-1]
	at := func(hour int64) string { return time.Unix(hour*3600, 0).UTC().Format("2006-01-02 15:04") }
	s := fmt.Sprintf("rows in %d of the %d hours from %s to %s UTC", len(have), last-first+1, at(first), at(last+1))
	var holes []string
	n := 0
	for i, hour := range have[1:] {
		if missing := hour - have[i] - 1; missing > 0 {
			if n++; n <= maxHoles {
				holes = append(holes, fmt.Sprintf("%d from %s", missing, at(have[i]+1)))
			}
		}
	}
	if n > maxHoles {
		holes = append(holes, fmt.Sprintf("%d more holes", n-maxHoles))
	}
	if len(holes) > 0 {
		s += ", none for " + strings.Join(holes, ", ")
	}
	return s
}

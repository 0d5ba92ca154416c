package page

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// slot is a span of time in which the providers of a contest were asked: a
// window of a run, or an hour or a day where the providers share no windows.
type slot struct {
	start time.Time
	name  string // in full
	tick  string // on an axis
	// window says whether it is one: else it is a span of time.
	window bool
}

type count = chart.Cell

// slots groups a contest's counts into columns of time.
func slots(l *words.Language, rows []window) ([]slot, map[string][]count) {
	keyOf := func(w window) string { return w.slot }
	windows := shared(rows, keyOf)
	if !windows {
		keyOf = func(w window) string { return w.hour.UTC().Format("2006-01-02 15") }
		if span(rows) > 14*24*time.Hour {
			keyOf = func(w window) string { return w.hour.UTC().Format("2006-01-02") }
		}
	}
	start := map[string]time.Time{}
	for _, w := range rows {
		if at, ok := start[keyOf(w)]; !ok || w.first.Before(at) {
			start[keyOf(w)] = w.first
		}
	}
	keys := make([]string, 0, len(start))
	for k := range start {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(start[a].Compare(start[b]), cmp.Compare(a, b)) })
	index := map[string]int{}
	all := make([]slot, len(keys))
	for i, k := range keys {
		index[k] = i
		all[i].start = start[k].UTC()
	}
	nameSlots(l, all, windows)
	// More than about 200 are no longer seen apart: neighbours share a slot.
	size := (len(all) + mostSlots - 1) / mostSlots
	if size > 1 {
		for k, i := range index {
			index[k] = i / size
		}
		all = join(l, all, size)
	}
	counts := map[string][]count{}
	for _, w := range rows {
		if counts[w.provider] == nil {
			counts[w.provider] = make([]count, len(all))
		}
		c := &counts[w.provider][index[keyOf(w)]]
		c.Attempts += w.attempts
		c.Answered += w.answered
	}
	return all, counts
}

// mostSlots is how many a drawing has at most.
const mostSlots = 200

// join makes one slot of each size neighbours.
func join(l *words.Language, all []slot, size int) []slot {
	var out []slot
	for i := 0; i < len(all); i += size {
		s, last := all[i], all[min(i+size, len(all))-1]
		s.name = l.Say("%s to %s", s.name, last.name)
		for _, o := range all[i:min(i+size, len(all))] {
			if s.tick == "" {
				s.tick = o.tick
			}
		}
		out = append(out, s)
	}
	return out
}

// shared says whether windows serve as columns: the average provider was asked
// in at least half of them. Recordings that were made one provider at a time
// share none, and their columns are hours or days.
func shared(rows []window, keyOf func(window) string) bool {
	keys, pairs, providers := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, w := range rows {
		keys[keyOf(w)], providers[w.provider], pairs[w.provider+"\x00"+keyOf(w)] = true, true, true
	}
	return 2*len(pairs) >= len(keys)*len(providers)
}

func span(rows []window) time.Duration {
	lo, hi := rows[0].first, rows[0].first
	for _, w := range rows {
		if w.first.Before(lo) {
			lo = w.first
		}
		if w.first.After(hi) {
			hi = w.first
		}
	}
	return hi.Sub(lo)
}

// nameSlots writes the texts of slots: days where they span days, clock times within
// a day, numbers within minutes.
func nameSlots(l *words.Language, all []slot, windows bool) {
	total := all[len(all)-1].start.Sub(all[0].start)
	for i := range all {
		s := &all[i]
		s.name, s.window = l.Date(s.start, "2 January 2006, 15:04 UTC"), windows
		if windows {
			s.name = l.Say("window %d of %d, %s", i+1, len(all), s.name)
		}
		switch {
		case total > 36*time.Hour:
			if day := l.Date(s.start, "2 Jan"); i == 0 || day != l.Date(all[i-1].start, "2 Jan") {
				s.tick = day
			}
		case total > 10*time.Minute:
			s.tick = s.start.Format("15:04")
		default:
			s.tick = fmt.Sprint(i + 1)
		}
	}
}

package stats

import (
	"cmp"
	"slices"
)

// Break is a place in a sequence of named values where the shares of the names
// are no longer what they were.
type Break struct {
	At     int     // index of the first value after it
	Name   int     // the name whose share moves most, as given
	Before int     // values between the break before (or the start) and this one
	After  int     // values between this one and the next (or the end)
	KB, KA int     // of these, how many bear the name
	Clean  bool    // no name stands on both sides
	P      float64 // chance of such a difference, wherever it were cut, if one mixture had given all values
}

// breakNames is how many names of a sequence are looked at: the most frequent.
const breakNames = 50

// Breaks cuts a sequence of names, given as small numbers, where the share of a
// name changes, in order of place. A cut is made where one mixture would give
// such a difference with a chance of alpha or less, or where it is clean: what
// a provider serves may change after few requests, and P then says how little
// these few prove. The stretches on both sides are cut in the same way.
//
// The place is that of the largest χ² of any name against all others; P is
// Fisher's exact test there, times the number of places and of names that were
// looked at (Bonferroni), so it is too large rather than too small.
//
// Source: binary segmentation, Scott & Knott, "A cluster analysis method for
// grouping means", Biometrics 30 (1974); Bonferroni bounds for the best cut,
// Worsley, "Confidence regions and tests for a change-point", Biometrika 73
// (1986).
func Breaks(names []int, alpha float64) []Break {
	s := breaker{names: names, alpha: alpha}
	s.cut(0, len(names))
	slices.SortFunc(s.found, func(a, b Break) int { return cmp.Compare(a.At, b.At) })
	for i := range s.found {
		s.describe(i)
	}
	return s.found
}

type breaker struct {
	names []int
	alpha float64
	found []Break
}

func (s *breaker) cut(from, to int) {
	part := s.names[from:to]
	counts := countNames(part)
	if len(counts) < 2 {
		return
	}
	best, looked := Break{}, min(len(counts), breakNames)
	largest := 0.0
	for _, c := range counts[:looked] {
		if at, x := sharpest(part, c); x > largest {
			largest, best = x, Break{At: at, Name: c.name}
		}
	}
	k := countName(part[:best.At], best.Name)
	all := countName(part, best.Name)
	places := len(part) - 1
	if len(counts) > 2 { // of two names, one says all
		places *= looked
	}
	best.P = portable(min(1, FisherTest(k, best.At, all-k, len(part)-best.At)*float64(places)))
	best.Clean = disjoint(part[:best.At], part[best.At:])
	if best.P > s.alpha && !best.Clean {
		return
	}
	at := from + best.At
	best.At = at
	s.found = append(s.found, best)
	s.cut(from, at)
	s.cut(at, to)
}

// describe completes a break with the stretches on its two sides.
func (s *breaker) describe(i int) {
	f := &s.found[i]
	from, to := 0, len(s.names)
	if i > 0 {
		from = s.found[i-1].At
	}
	if i+1 < len(s.found) {
		to = s.found[i+1].At
	}
	before, after := s.names[from:f.At], s.names[f.At:to]
	f.Before, f.After = len(before), len(after)
	f.Clean = disjoint(before, after)
	f.KB, f.KA = countName(before, f.Name), countName(after, f.Name)
}

type nameCount struct{ name, n int }

// countNames counts the names of a sequence, the most frequent first.
func countNames(names []int) []nameCount {
	at := map[int]int{}
	var out []nameCount
	for _, n := range names {
		i, ok := at[n]
		if !ok {
			i = len(out)
			at[n] = i
			out = append(out, nameCount{name: n})
		}
		out[i].n++
	}
	slices.SortFunc(out, func(a, b nameCount) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name)) })
	return out
}

func countName(names []int, name int) (n int) {
	for _, x := range names {
		if x == name {
			n++
		}
	}
	return n
}

// sharpest finds the cut with the largest χ² of one name against all others,
// the first of equal ones.
func sharpest(names []int, c nameCount) (at int, chi2 float64) {
	n, all, k := float64(len(names)), float64(c.n), 0.0
	for i := 1; i < len(names); i++ {
		if names[i-1] == c.name {
			k++
		}
		left := float64(i)
		d := float64(k*n) - float64(all*left)
		if x := d / (left * (n - left)) * d / (all * (n - all)) * n; x > chi2 {
			at, chi2 = i, x
		}
	}
	return at, chi2
}

func disjoint(a, b []int) bool {
	seen := map[int]bool{}
	for _, x := range a {
		seen[x] = true
	}
	for _, x := range b {
		if seen[x] {
			return false
		}
	}
	return true
}

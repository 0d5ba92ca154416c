package stats

import (
	"math"

	"aircheck/internal/kit/selection"
)

// staircase is values in rows, each ascending: too many to list, but the place
// where a row passes some value lies near that of the row before.
type staircase struct {
	at     func(row, j int) float64
	lo, hi []int // a row's places: lo ≤ j < hi
	less   int   // values that were put aside before lo
	left   int   // values in all rows
}

// fewPairs is up to how many values are listed rather than searched.
const fewPairs = 4096

func (s *staircase) few() bool { return s.left <= max(fewPairs, 4*len(s.lo)) }

// kth finds the k-th smallest of the values, from 0, those put aside counted.
//
// Source: Monahan, "Algorithm 616: fast computation of the Hodges–Lehmann
// location estimator", ACM TOMS 10 (1984), for counting by rows.
func (s staircase) kth(k int) float64 {
	for slow := false; !s.few(); {
		was := s.left
		if v, found := s.narrow(k, k, slow); found {
			return v
		}
		slow = s.left > was/2
	}
	rest := make([]float64, 0, s.left)
	for r := range s.lo {
		for j := s.lo[r]; j < s.hi[r]; j++ {
			rest = append(rest, s.at(r, j))
		}
	}
	return selection.Nth(rest, k-s.less)
}

// narrow puts values aside that are none of the k-th to the l-th. It draws a
// sample, takes from it two values that most likely enclose those sought, and
// counts exactly what lies outside of them, in a few steps for each row. What is
// left are a few percent. The sample decides how many these are, never whether
// they are the right ones. Where many values are equal this may be slow: then
// those that equal one of the sample are put aside, or found to be it.
//
// Source: Floyd & Rivest, "Expected time bounds for selection", CACM 18 (1975).
func (s *staircase) narrow(k, l int, slow bool) (v float64, found bool) {
	sample := s.sample(max(2048, len(s.lo)))
	pick := func(k int, spreads float64) float64 {
		n := float64(len(sample))
		share := (float64(k-s.less) + 0.5) / float64(s.left)
		if slow {
			spreads = 0
		}
		place := share*n + spreads*(math.Sqrt(n*share*(1-share))+1)
		return selection.Nth(sample, min(max(int(place), 0), len(sample)-1))
	}
	x, y := pick(k, -2.5), pick(l, 2.5)
	under, fewer := s.cut(x, false)
	upTo, most := s.cut(y, true)
	lo, hi, less, before := s.lo, s.hi, s.less, s.less+s.left
	switch {
	case k >= most:
		lo, less = upTo, most
	case x == y && k >= fewer && l < most:
		return x, true
	case k >= fewer:
		lo, less = under, fewer
	}
	switch {
	case l < fewer:
		hi, before = under, fewer
	case l < most:
		hi, before = upTo, most
	}
	s.lo, s.hi, s.less, s.left = lo, hi, less, before-less
	return 0, false
}

// sample draws about n of the values, one of each so many in the order of rows.
func (s *staircase) sample(n int) []float64 {
	stream, stride := PCG(0), max(s.left/n, 1)
	out := make([]float64, 0, s.left/stride+1)
	base, block := 0, 0
	for r, next := 0, below(stream, stride); r < len(s.lo); r++ {
		width := s.hi[r] - s.lo[r]
		for next < base+width {
			out = append(out, s.at(r, s.lo[r]+next-base))
			block += stride
			next = block + below(stream, stride)
		}
		base += width
	}
	return out
}

// after is what follows the k-th value v in ascending order: v again, where it
// occurs more often, else the least value above.
func (s *staircase) after(k int, v float64) float64 {
	upTo, most := s.cut(v, true)
	if most > k+1 {
		return v
	}
	least := math.Inf(1)
	for r, j := range upTo {
		if j < s.hi[r] {
			least = min(least, s.at(r, j))
		}
	}
	return least
}

// cut finds in each row the place of the first value that is not less than x, or
// with equal set not x either. It counts the values before, and those put aside.
func (s *staircase) cut(x float64, equal bool) (place []int, count int) {
	before := func(r, j int) bool {
		v := s.at(r, j)
		return v < x || equal && v == x
	}
	place, count = make([]int, len(s.lo)), s.less
	guess, last := 0, 0
	for r := range place {
		a, b := s.lo[r], s.hi[r]
		// Steps that double, from where the last two rows point.
		j := min(max(guess, a), b)
		if j < b && before(r, j) {
			a = j + 1
			for step := 1; a+step <= b; step *= 2 {
				if !before(r, a+step-1) {
					b = a + step - 1
					break
				}
				a += step
			}
		} else {
			b = j
			for step := 1; b-step >= a; step *= 2 {
				if before(r, b-step) {
					a = b - step + 1
					break
				}
				b -= step
			}
		}
		for a < b {
			if mid := (a + b) / 2; before(r, mid) {
				a = mid + 1
			} else {
				b = mid
			}
		}
		guess, last, place[r] = 2*a-last, a, a
		count += a - s.lo[r]
	}
	return place, count
}

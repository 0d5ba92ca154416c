package stats

import (
	"math"
	"math/bits"
	"slices"
)

// staircase is values in rows, each ascending: too many to list, but the place
// where a row passes some value lies near that of the row before.
type staircase struct {
	at     func(row, j int) float64
	lo, hi []int // a row's places: lo ≤ j < hi
}

// fewPairs is up to how many values are listed rather than searched.
const fewPairs = 4096

// sampled is how many values a round of the search looks at.
const sampled = 2048

// kth finds the k-th smallest of the values, from 0.
//
// Each round draws a sample of the values still in question, takes from it two
// that most likely enclose the one sought, and counts exactly what lies outside
// of them, in a few steps for each row. What lies between, a few percent, is
// left to the next round. The sample decides how many rounds there are, never
// the value.
//
// Sources: Floyd & Rivest, "Expected time bounds for selection", CACM 18 (1975),
// for the two of a sample; Monahan, "Algorithm 616: fast computation of the
// Hodges–Lehmann location estimator", ACM TOMS 10 (1984), for counting by rows.
func (s *staircase) kth(k int) float64 {
	lo, hi := slices.Clone(s.lo), slices.Clone(s.hi)
	under, upTo := make([]int, len(lo)), make([]int, len(lo))
	less, left := 0, 0 // values before lo, and in question
	for r := range lo {
		left += hi[r] - lo[r]
	}
	stream := PCG(0)
	sample := make([]float64, 0, sampled+1)
	for slow := false; left > max(fewPairs, 4*len(lo)); {
		stride := left / sampled
		base, block := 0, 0
		sample = sample[:0]
		for r, next := 0, below(stream, stride); r < len(lo); r++ {
			width := hi[r] - lo[r]
			for next < base+width {
				sample = append(sample, s.at(r, lo[r]+next-base))
				block += stride
				next = block + below(stream, stride)
			}
			base += width
		}
		n := float64(len(sample))
		share := (float64(k-less) + 0.5) / float64(left)
		spread := 2.5*math.Sqrt(n*share*(1-share)) + 1
		if slow { // many values are equal: those of one are put aside
			spread = 0
		}
		pick := func(place float64) float64 { return nth(sample, min(max(int(place), 0), len(sample)-1)) }
		x, y := pick(share*n-spread), pick(share*n+spread)
		fewer, most := s.cut(x, false, lo, hi, under), s.cut(y, true, lo, hi, upTo)
		all := less + left
		was := left
		switch {
		case k < fewer:
			hi, under = under, hi
			left = fewer - less
		case k >= most:
			lo, upTo = upTo, lo
			less, left = most, all-most
		case x == y:
			return x
		default:
			lo, under = under, lo
			hi, upTo = upTo, hi
			less, left = fewer, most-fewer
		}
		slow = left > was/2
	}
	rest := make([]float64, 0, left)
	for r := range lo {
		for j := lo[r]; j < hi[r]; j++ {
			rest = append(rest, s.at(r, j))
		}
	}
	return nth(rest, k-less)
}

// after is what follows the k-th value v in ascending order: v again, where it
// occurs more often, else the least value above.
func (s *staircase) after(k int, v float64) float64 {
	upTo := make([]int, len(s.lo))
	if s.cut(v, true, s.lo, s.hi, upTo) > k+1 {
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
// with equal set not x either, between lo and hi. It counts the values before.
func (s *staircase) cut(x float64, equal bool, lo, hi, place []int) (count int) {
	before := func(r, j int) bool {
		v := s.at(r, j)
		return v < x || equal && v == x
	}
	guess, last := 0, 0
	for r := range lo {
		a, b := lo[r], hi[r]
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
	return count
}

// nth is the k-th smallest value, from 0. It puts the values into another order.
//
// Source: Hoare, "Algorithm 65: Find", CACM 4 (1961); sorting bounds its worst
// case.
func nth(v []float64, k int) float64 {
	for rounds := 2 * bits.Len(uint(len(v))); len(v) > 16 && rounds > 0; rounds-- {
		x, y, z := v[0], v[len(v)/2], v[len(v)-1]
		pivot := max(min(x, y), min(max(x, y), z))
		i, j := 0, len(v)-1
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
		case k <= j:
			v = v[:j+1]
		case k >= i:
			v, k = v[i:], k-i
		default:
			return pivot
		}
	}
	slices.Sort(v)
	return v[k]
}

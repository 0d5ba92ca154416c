package stats

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Test is the outcome of a hypothesis test.
type Test struct {
	Statistic float64
	P         float64 // two-sided
	N         int     // values that the test used
	Exact     bool    // P comes from the full null distribution
}

// Pair is one quantity measured on two sides under the same conditions, both
// in the same unit.
type Pair struct{ A, B float64 }

// exactPairs is the largest number of pairs whose 2ⁿ sign patterns are counted
// exactly: a float64 holds every count up to 2⁵³.
const exactPairs = 50

// SignedRankRatio is Wilcoxon's signed rank test of differences that are symmetric
// around zero under the null hypothesis. Statistic is the rank sum of the
// positive ones. It is false without differences.
//
// Zeros take part in the ranking and are then left out of the sum (Pratt), so
// that they weaken the evidence, as they should; ties share their mean rank.
// Up to 50 differences P is exact for the ranks at hand, zeros and ties
// included: all sign patterns of the doubled (whole) ranks are counted by
// dynamic programming. Above, the normal approximation with the variance of
// the ranks at hand (which is the tie correction) and a continuity correction
// of ½ is used.
//
// With n untied differences P cannot be smaller than 2^(1−n): 0.031 for six,
// 0.00049 for twelve.
//
// Sources: Wilcoxon, Biometrics Bulletin 1 (1945); Pratt, "Remarks on zeros
// and ties in the Wilcoxon signed rank procedures", JASA 54 (1959); Hollander,
// Wolfe & Chicken, "Nonparametric Statistical Methods", 3rd ed. (2014), 3.1.
//
// It is the test of log A − log B, without logarithms: the
// ranks are those of the larger value divided by the smaller. A zero on one
// side alone is the largest difference there is.
func SignedRankRatio(pairs []Pair) (Test, bool) {
	s := make([]signed, len(pairs))
	for i, p := range pairs {
		s[i] = signed{factor(p), cmp.Compare(p.A, p.B)}
	}
	return signedRank(s)
}

// factor is 1 for equal values, two zeros included, else above 1.
func factor(p Pair) float64 {
	if p.A == p.B {
		return 1
	}
	return max(p.A, p.B) / min(p.A, p.B)
}

type signed struct {
	size float64
	sign int
}

func signedRank(s []signed) (Test, bool) {
	if len(s) == 0 {
		return Test{}, false
	}
	slices.SortFunc(s, func(a, b signed) int { return cmp.Compare(a.size, b.size) })
	ranks := make([]int, 0, len(s)) // doubled, of the differences that are not zero
	positive, whole := 0, true
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j].size == s[i].size {
			j++
		}
		for _, d := range s[i:j] {
			if d.sign == 0 {
				continue
			}
			ranks = append(ranks, i+j+1)
			if d.sign > 0 {
				positive += i + j + 1
			}
		}
		whole = whole && j == i+1
		i = j
	}
	t := Test{Statistic: float64(positive) / 2, N: len(s)}
	if len(ranks) == 0 {
		t.P, t.Exact = 1, true
		return t, true
	}
	total := 0
	for _, r := range ranks {
		total += r
	}
	far := max(positive, total-positive)
	switch {
	case len(s) <= exactPairs && whole && len(ranks) == len(s):
		d := signedRankCounts(len(s))
		t.P, t.Exact = min(1, 2*d.from(far/2)), true
	case len(s) <= exactPairs:
		t.P, t.Exact = min(1, 2*countSigns(ranks, total).from(far)), true
	default:
		variance := 0.0
		for _, r := range ranks {
			variance += float64(r*r) / 16
		}
		z := (float64(2*far-total)/4 - 0.5) / math.Sqrt(variance)
		t.P = portable(2 * upperTail(max(z, 0)))
	}
	return t, true
}

// tally holds how many of all equally likely arrangements give each value of a
// statistic, from zero on.
type tally struct {
	count []float64
	all   float64
}

// from is P(statistic ≥ k).
func (t tally) from(k int) float64 {
	sum := 0.0
	for _, c := range t.count[min(max(k, 0), len(t.count)):] {
		sum += c
	}
	return sum / t.all
}

// upTo is P(statistic ≤ k).
func (t tally) upTo(k int) float64 {
	sum := 0.0
	for _, c := range t.count[:min(max(k+1, 0), len(t.count))] {
		sum += c
	}
	return sum / t.all
}

// countSigns counts the sums over all subsets of the ranks.
func countSigns(ranks []int, total int) tally {
	count := make([]float64, total+1)
	count[0] = 1
	top := 0
	for _, r := range ranks {
		top += r
		for s := top; s >= r; s-- {
			count[s] += count[s-r]
		}
	}
	return tally{count, math.Ldexp(1, len(ranks))}
}

var signedRankMemo sync.Map // int → tally

// signedRankCounts is the null distribution of n untied signed ranks.
func signedRankCounts(n int) tally {
	if t, ok := signedRankMemo.Load(n); ok {
		return t.(tally)
	}
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	t := countSigns(ranks, n*(n+1)/2)
	signedRankMemo.Store(n, t)
	return t
}

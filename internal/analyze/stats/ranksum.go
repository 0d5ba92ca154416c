package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

// Stratum holds the values of two sides that were measured under the same
// conditions: one window. Only values of one stratum are compared.
type Stratum struct{ A, B []float64 }

// exactRanks is the largest number of values in all strata whose arrangements
// are counted exactly.
const exactRanks = 50

// MannWhitney is the Mann–Whitney (Wilcoxon rank sum) test that two samples
// come from one distribution. It is [StratifiedMannWhitney] with one stratum.
func MannWhitney(a, b []float64) (Test, bool) {
	return StratifiedMannWhitney([]Stratum{{a, b}})
}

// StratifiedMannWhitney tests that within each stratum both sides come from
// one distribution, which may differ from stratum to stratum. Statistic is
// ΣU, where U counts the pairs of a stratum with A above B, ties for half. It
// is false where no stratum has values on both sides.
//
// P is exact without ties and with at most 50 values: the null distributions
// of the strata's U, convolved. Otherwise the normal approximation is used
// with mean Σmn/2, variance Σ mn/12 · (N+1 − Σ(t³−t)/(N(N−1))), t being the
// sizes of the ties of a stratum and N = m+n, and a continuity correction of ½.
//
// Requests of one stratum share its conditions, so this test speaks of these
// strata alone and not of others.
//
// Sources: Mann & Whitney, Annals of Mathematical Statistics 18 (1947);
// Lehmann, "Nonparametrics: Statistical Methods Based on Ranks" (1975), 1.4
// for ties, and 3.3 for sums over blocks.
func StratifiedMannWhitney(strata []Stratum) (Test, bool) {
	return rankSum(sortStrata(strata))
}

// rankSum is the test of strata that are sorted.
func rankSum(s []Stratum) (Test, bool) {
	if len(s) == 0 {
		return Test{}, false
	}
	var u2, n int // U doubled, so that ties stay whole
	var mean, variance float64
	untied := true
	var sizes [][2]int
	for _, w := range s {
		u, ties := doubledU(w)
		m, k := len(w.A), len(w.B)
		u2 += u
		n += m + k
		sizes = append(sizes, [2]int{m, k})
		size := float64(m + k)
		mean += float64(m*k) / 2
		variance += float64(m*k) / 12 * (size + 1 - ties/(size*(size-1)))
		untied = untied && ties == 0
	}
	t := Test{Statistic: float64(u2) / 2, N: n}
	switch {
	case untied && n <= exactRanks:
		d := rankSumCounts(sizes)
		t.P, t.Exact = min(1, 2*min(d.upTo(u2/2), d.from(u2/2))), true
	case variance <= 0: // all values of each stratum are equal
		t.P = 1
	default:
		z := (math.Abs(float64(u2)/2-mean) - 0.5) / math.Sqrt(variance)
		t.P = portable(2 * upperTail(max(z, 0)))
	}
	return t, true
}

// sortStrata drops strata with an empty side, sorts each side, and puts the
// strata into an order that depends on their values alone.
func sortStrata(strata []Stratum) []Stratum {
	var s []Stratum
	for _, w := range strata {
		if len(w.A) > 0 && len(w.B) > 0 {
			s = append(s, Stratum{ascending(w.A), ascending(w.B)})
		}
	}
	orderStrata(s)
	return s
}

// orderStrata puts sorted strata into an order that depends on their values
// alone.
func orderStrata(s []Stratum) {
	slices.SortFunc(s, func(x, y Stratum) int {
		if c := slices.Compare(x.A, y.A); c != 0 {
			return c
		}
		return slices.Compare(x.B, y.B)
	})
}

// doubledU merges two sorted sides and returns 2U and Σ(t³−t) over the groups
// of equal values.
func doubledU(w Stratum) (u2 int, ties float64) {
	for i, j := 0, 0; i < len(w.A) || j < len(w.B); {
		var v float64
		if j == len(w.B) || i < len(w.A) && w.A[i] < w.B[j] {
			v = w.A[i]
		} else {
			v = w.B[j]
		}
		m, n := i, j
		for i < len(w.A) && w.A[i] == v {
			i++
		}
		for j < len(w.B) && w.B[j] == v {
			j++
		}
		m, n = i-m, j-n
		u2 += m * (2*(j-n) + n)
		t := float64(m + n)
		ties += float64(t*t*t) - t
	}
	return u2, ties
}

var rankSumMemo sync.Map // string of sizes → tally

// rankSumCounts is the null distribution of ΣU over strata of the given sizes.
func rankSumCounts(sizes [][2]int) tally {
	sizes = slices.Clone(sizes)
	for i, s := range sizes {
		sizes[i] = [2]int{min(s[0], s[1]), max(s[0], s[1])} // U is symmetric in them
	}
	slices.SortFunc(sizes, func(x, y [2]int) int { return slices.Compare(x[:], y[:]) })
	var key strings.Builder
	for _, s := range sizes {
		fmt.Fprintf(&key, "%d,%d ", s[0], s[1])
	}
	if t, ok := rankSumMemo.Load(key.String()); ok {
		return t.(tally)
	}
	sum := tally{[]float64{1}, 1}
	for _, s := range sizes {
		sum = convolve(sum, oneRankSum(s[0], s[1]))
	}
	rankSumMemo.Store(key.String(), sum)
	return sum
}

// oneRankSum counts the arrangements of m and n values for each U: the
// coefficients of the Gaussian binomial Π (1−q^(n+i)) / (1−q^i), i = 1..m.
func oneRankSum(m, n int) tally {
	count := make([]float64, m*n+1)
	count[0] = 1
	all := 1.0
	for i := 1; i <= m; i++ {
		for u := m * n; u >= n+i; u-- {
			count[u] -= count[u-n-i]
		}
		for u := i; u <= m*n; u++ {
			count[u] += count[u-i]
		}
		all = math.Round(all * float64(n+i) / float64(i))
	}
	return tally{count, all}
}

func convolve(x, y tally) tally {
	count := make([]float64, len(x.count)+len(y.count)-1)
	for i, a := range x.count {
		for j, b := range y.count {
			count[i+j] += float64(a * b)
		}
	}
	return tally{count, x.all * y.all}
}

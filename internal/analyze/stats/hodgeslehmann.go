package stats

import (
	"math"
	"slices"
	"sync"
)

// HodgesLehmann estimates the centre of differences that are symmetric around
// it: the median of the n(n+1)/2 means of two differences, each paired with
// itself, too. The interval inverts the signed rank test: with M means it runs
// from the k-th smallest to the k-th largest, k being the largest rank with
// P(T ≤ k−1) ≤ α/2 under the null distribution of the signed rank sum T. At
// 95 % it is open for n < 6.
//
// The interval is exact for a continuous symmetric distribution, and errs to
// the wide side with ties; above 50 differences its rank comes from the normal
// approximation.
//
// Source: Hodges & Lehmann, Annals of Mathematical Statistics 34 (1963);
// Hollander, Wolfe & Chicken, 3rd ed. (2014), 3.2 and 3.3.
func HodgesLehmann(differences []float64, conf float64) Estimate {
	return walsh(ascending(differences), conf, scale{
		mean: func(x, y float64) float64 { return (x + y) / 2 },
	})
}

// HodgesLehmannRatio is [HodgesLehmann] on log A − log B, stated as a ratio
// A/B: the median of the geometric means √(r₁·r₂) of two ratios. An end, or
// the estimate, that comes out as zero or infinite (values of zero) is nil.
func HodgesLehmannRatio(pairs []Pair, conf float64) Estimate {
	r := make([]float64, len(pairs))
	for i, p := range pairs {
		r[i] = ratio(p.A, p.B)
	}
	slices.Sort(r)
	return positive(walsh(r, conf, scale{mean: geometricMean}))
}

// shiftRatio estimates by how much side A lies above side B, as a ratio: the
// median of all a/b within the strata, each sorted, with the interval that
// inverts [StratifiedMannWhitney]. One stratum is the two-sample estimate of
// Hodges and Lehmann, on logarithms. Zero and infinite results are nil. Sources
// as for [HodgesLehmann]; 4.2 and 4.3 of the book.
func shiftRatio(strata []Stratum, conf float64) Estimate {
	return positive(cross(strata, conf, scale{mean: geometricMean, over: ratio}))
}

// scale says how two values are averaged and set against each other. Both
// must be monotone in each argument.
type scale struct {
	mean, over func(x, y float64) float64
}

// ratio of two zeros is 1: nothing between them.
func ratio(a, b float64) float64 {
	if a == b {
		return 1
	}
	return a / b
}

func geometricMean(x, y float64) float64 {
	switch {
	case x == y:
		return x
	case x == 0 && math.IsInf(y, 1) || y == 0 && math.IsInf(x, 1):
		return 1 // as far below as above
	}
	return math.Sqrt(x * y)
}

func positive(e Estimate) Estimate {
	for _, v := range []**float64{&e.Value, &e.Lo, &e.Hi} {
		if *v != nil && (**v == 0 || math.IsInf(**v, 0)) {
			*v = nil
		}
	}
	return e
}

// walsh estimates from sorted values.
func walsh(v []float64, conf float64, s scale) Estimate {
	n := len(v)
	m, rank := n*(n+1)/2, signedRankRank(n, conf)
	if m <= fewPairs {
		all := make([]float64, 0, m)
		for i, x := range v {
			for _, y := range v[i:] {
				all = append(all, s.mean(x, y))
			}
		}
		return listed(all, rank, s)
	}
	rows := staircase{at: func(i, j int) float64 { return s.mean(v[i], v[j]) }, lo: make([]int, n), hi: make([]int, n), left: m}
	for i := range v {
		rows.lo[i], rows.hi[i] = i, n
	}
	return rows.centre(rank, s)
}

// cross estimates from sorted strata.
func cross(strata []Stratum, conf float64, s scale) Estimate {
	m, na, nb := 0, 0, 0
	for _, w := range strata {
		m, na, nb = m+len(w.A)*len(w.B), na+len(w.A), nb+len(w.B)
	}
	rank := rankSumRank(strata, conf)
	if m <= fewPairs {
		all := make([]float64, 0, m)
		for _, w := range strata {
			for _, a := range w.A {
				for _, b := range w.B {
					all = append(all, s.over(a, b))
				}
			}
		}
		return listed(all, rank, s)
	}
	// A row for each value of the smaller side. Along a row of an a the b fall.
	var one []float64
	var other [][]float64
	for _, w := range strata {
		of, against := w.A, w.B
		if na > nb {
			of, against = w.B, w.A
		}
		for range of {
			other = append(other, against)
		}
		one = append(one, of...)
	}
	rows := staircase{lo: make([]int, len(one)), hi: make([]int, len(one)), left: m}
	for i, w := range other {
		rows.hi[i] = len(w)
	}
	rows.at = func(i, j int) float64 { return s.over(one[i], other[i][len(other[i])-1-j]) }
	if na > nb {
		rows.at = func(i, j int) float64 { return s.over(other[i][j], one[i]) }
	}
	return rows.centre(rank, s)
}

// listed takes the median of all values, and the rank-th from either end.
func listed(all []float64, rank int, s scale) (e Estimate) {
	m := len(all)
	if m == 0 {
		return e
	}
	slices.Sort(all)
	e.Value = new(s.mean(all[(m-1)/2], all[m/2]))
	if rank > 0 {
		e.Lo, e.Hi = new(all[rank-1]), new(all[m-rank])
	}
	return e
}

// centre is the same of values in rows.
func (r *staircase) centre(rank int, s scale) (e Estimate) {
	m, near := r.left, *r
	if rank > 0 {
		near.narrow(rank-1, m-rank, false) // what all of them have in common
	}
	k := (m - 1) / 2
	low := near.kth(k)
	high := low
	if m/2 > k {
		high = r.after(k, low)
	}
	e.Value = new(s.mean(low, high))
	if rank > 0 {
		e.Lo, e.Hi = new(near.kth(rank-1)), new(near.kth(m-rank))
	}
	return e
}

var signedRankRankMemo sync.Map // rankKey → int

// signedRankRank is the rank, from either end of the sorted means, where the
// interval ends; 0 where it is open.
func signedRankRank(n int, conf float64) int {
	key := rankKey{n: n, conf: conf}
	if k, ok := signedRankRankMemo.Load(key); ok {
		return k.(int)
	}
	tail, k := (1-conf)/2, 0
	if n <= exactPairs {
		k = lowRank(signedRankCounts(n), tail)
	} else {
		size := float64(n)
		sd := math.Sqrt(size * (size + 1) * (2*size + 1) / 24)
		k = int(math.Floor(size*(size+1)/4 + 0.5 + portable(normalQuantile(tail))*sd))
	}
	signedRankRankMemo.Store(key, k)
	return k
}

// rankSumRank is the same for differences between two sides.
func rankSumRank(strata []Stratum, conf float64) int {
	if conf >= 1 {
		return 0
	}
	var sizes [][2]int
	n := 0
	mean, variance := 0.0, 0.0
	for _, w := range strata {
		a, b := len(w.A), len(w.B)
		sizes = append(sizes, [2]int{a, b})
		n += a + b
		mean += float64(a*b) / 2
		variance += float64(a*b) / 12 * float64(a+b+1)
	}
	if n == 0 {
		return 0
	}
	tail := (1 - conf) / 2
	if n <= exactRanks {
		return lowRank(rankSumCounts(sizes), tail)
	}
	return max(0, int(math.Floor(mean+0.5+portable(normalQuantile(tail))*math.Sqrt(variance))))
}

// lowRank is the largest k with P(statistic ≤ k−1) ≤ tail.
func lowRank(t tally, tail float64) (k int) {
	sum := 0.0
	for _, c := range t.count {
		if sum += c; sum/t.all > tail {
			break
		}
		k++
	}
	return k
}

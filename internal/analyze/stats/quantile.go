package stats

import (
	"math"
	"slices"
	"sync"
)

// Estimate is a value with its confidence interval, in the unit of its input.
// Value is nil where there is nothing to estimate from; an end is nil where
// the sample cannot bound it.
type Estimate struct {
	Value, Lo, Hi *float64
}

// Quantile is the p-quantile (0 ≤ p ≤ 1) of values sorted in ascending order,
// linearly interpolated between the order statistics around position
// 1 + (n−1)p. It is false for an empty sample.
//
// Source: Hyndman & Fan, "Sample quantiles in statistical packages", The
// American Statistician 50 (1996), definition 7; as quantile_cont of DuckDB.
func Quantile(sorted []float64, p float64) (float64, bool) {
	if len(sorted) == 0 {
		return 0, false
	}
	i, f := position(len(sorted), p)
	lo := sorted[i]
	if f == 0 {
		return lo, true
	}
	return between(lo, sorted[i+1], f), true
}

// position is the index of the lower order statistic and the fraction of the
// way to the next.
func position(n int, p float64) (int, float64) {
	h := float64(n-1) * p
	i := int(h)
	return i, h - float64(i)
}

func between(lo, hi, f float64) float64 {
	if lo == hi || math.IsInf(hi, 1) {
		return hi
	}
	return lo + float64((hi-lo)*f)
}

// QuantileRanks gives the ranks (1 is the smallest of n values) of the order
// statistics that enclose the p-quantile with at least the given confidence,
// each side keeping half of the error: lo is the largest rank with
// P(B ≤ lo−1) ≤ α/2 and hi the smallest with P(B ≥ hi) ≤ α/2, where
// B ~ Binomial(n, p) counts the values below the quantile. An end is not OK
// where no rank of so small a sample satisfies it: at 95 % both ends need
// n ≥ 6 for the median, 36 for p90, 72 for p95, 368 for p99.
//
// The interval holds for any continuous distribution, and errs to the wide
// side with ties. Source: David & Nagaraja, "Order Statistics", 3rd ed.
// (2003), section 7.1; Hahn & Meeker, "Statistical Intervals" (1991), 5.2.
func QuantileRanks(n int, p, conf float64) (lo, hi int, loOK, hiOK bool) {
	if n <= 0 || p <= 0 || p >= 1 {
		return 0, 0, false, false
	}
	key := rankKey{n, p, conf}
	if r, ok := rankMemo.Load(key); ok {
		r := r.(ranks)
		return r.lo, r.hi, r.lo > 0, r.hi > 0
	}
	r := quantileRanks(n, p, (1-conf)/2)
	rankMemo.Store(key, r)
	return r.lo, r.hi, r.lo > 0, r.hi > 0
}

type (
	rankKey struct {
		n       int
		p, conf float64
	}
	// ranks are 0 where the end is open.
	ranks struct{ lo, hi int }
)

var rankMemo sync.Map // rankKey → ranks

func quantileRanks(n int, p, tail float64) (r ranks) {
	b := binomial(n, p)
	for k, sum := 0, 0.0; k < n; k++ {
		if sum += b.at(k); sum > tail {
			break
		}
		r.lo = k + 1
	}
	for k, sum := n, 0.0; k > 0; k-- {
		if sum += b.at(k); sum > tail {
			break
		}
		r.hi = k
	}
	return r
}

// QuantileInterval is the p-quantile of ascending values with its exact order
// statistic interval (see [QuantileRanks]).
func QuantileInterval(sorted []float64, p, conf float64) (e Estimate) {
	q, ok := Quantile(sorted, p)
	if !ok {
		return e
	}
	e.Value = &q
	lo, hi, loOK, hiOK := QuantileRanks(len(sorted), p, conf)
	if loOK {
		e.Lo = new(sorted[lo-1])
	}
	if hiOK {
		e.Hi = new(sorted[hi-1])
	}
	return e
}

func ascending(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}

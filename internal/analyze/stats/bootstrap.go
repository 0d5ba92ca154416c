package stats

import (
	"math"
	"slices"
)

// resample draws a number of bootstrap replicates of the p-quantile of one
// cell: whole windows with replacement; or, with fixed windows, as many values
// as each window has, with replacement, from it.
//
// Drawn windows are taken whole. Drawing their values again as well would count
// the spread within windows twice, since the windows' own values carry it
// already: in simulation such intervals never missed, and hid real differences.
//
// The windows drawn depend on their number and the plan's seed alone, so that
// the r-th replicates of two cells with the same windows share their conditions
// and may be set against each other; values drawn depend on the cell's
// content, so that two cells draw independently.
//
// Source: Davison & Hinkley, "Bootstrap Methods and their Application" (1997),
// section 3.8 (hierarchical data), which compares both ways.
func resample(windows [][]float64, p float64, plan draw) []float64 {
	var pool []float64
	for _, w := range windows {
		pool = append(pool, w...)
	}
	slices.Sort(pool)
	content := newHash()
	content.word(plan.seed)
	ranks := make([][]int32, len(windows)) // of each value in the pool
	for k, w := range windows {
		for _, v := range w {
			i, _ := slices.BinarySearch(pool, v)
			ranks[k] = append(ranks[k], int32(i))
			if plan.fixed {
				content.number(v)
			}
		}
		content.word(uint64(len(w)))
	}
	// What is drawn and counted: the pool's values, or windows whole.
	seed, unit, units := plan.seed, make([]int32, len(pool)), len(windows)
	if plan.fixed {
		seed, units = content.sum(), len(pool)
		for i := range unit {
			unit[i] = int32(i)
		}
	} else {
		equal := make([]int32, len(pool)) // values met so far of those that share a rank
		for k, w := range ranks {
			for _, i := range w {
				unit[i+equal[i]] = int32(k)
				equal[i]++
			}
		}
	}
	stream := PCG(seed)
	count := make([]int32, units)
	out := make([]float64, plan.replicates)
	for r := range out {
		clear(count)
		n := 0
		for _, w := range ranks {
			if plan.fixed {
				for range w {
					count[w[below(stream, len(w))]]++
				}
				n += len(w)
			} else {
				k := below(stream, len(ranks))
				count[k]++
				n += len(ranks[k])
			}
		}
		out[r] = countedQuantile(pool, unit, count, n, p)
	}
	return out
}

// draw is what the replicates of two cells must have in common.
type draw struct {
	seed       uint64
	replicates int
	fixed      bool // windows are not resampled
}

// countedQuantile is [Quantile] of n values given by how often each unit occurs
// to which the values of the sorted pool belong, counted from the top, where
// tails lie.
func countedQuantile(pool []float64, unit, count []int32, n int, p float64) float64 {
	i, f := position(n, p)
	above, k := n-1-i, len(pool) // above: values higher than the lower of the two
	hi := 0.0
	for above >= 0 {
		k--
		c := int(count[unit[k]])
		if c == 0 {
			continue
		}
		if above >= 1 && above-c < 1 {
			hi = pool[k]
		}
		above -= c
	}
	if f == 0 {
		return pool[k]
	}
	return between(pool[k], hi, f)
}

// replicatesFor keeps the draws for one cell near twenty million.
func replicatesFor(n, asked int) int {
	return min(asked, max(400, 20_000_000/max(n, 1)))
}

// bootstrapRatio turns the replicates of two cells into an interval and a
// two-sided p-value for the ratio of their quantiles, estimated as est.
//
// The interval is the expanded percentile interval: a plain one takes the
// spread of w windows for that of the population, which is narrow by
// √((w−1)/w), and the normal distribution for Student's t, so its tails of
// α/2 are replaced by Φ(−t(α/2, w−1)·√(w/(w−1))). P is its inversion: the
// smallest α whose interval excludes 1. Where fewer than 1 % of the replicates
// lie beyond 1 they are too few to count, and the tail is extended as a normal
// one on the log scale, through the estimate and the replicates' 1 % point.
//
// windows 0 means that the windows were fixed: a plain percentile interval.
//
// Sources: Hesterberg, "What teachers should know about the bootstrap", The
// American Statistician 69 (2015), section 4.2; Efron & Tibshirani, "An
// Introduction to the Bootstrap" (1993), 15.4 for inversion.
func bootstrapRatio(a, b []float64, est float64, windows int, conf float64) (lo, hi *float64, p float64) {
	tail := (1 - conf) / 2
	widen := 1.0
	if windows > 1 {
		widen = math.Sqrt(float64(windows) / float64(windows-1))
		tail = portable(upperTail(widen * studentQuantile(1-conf, windows-1)))
	}
	n := min(len(a), len(b))
	r := newEnds(n, max(tail, far))
	under := 0.0
	for i := range n {
		v := ratio(a[i], b[i])
		r.add(v)
		if v < 1 {
			under++
		} else if v == 1 {
			under += 0.5
		}
	}
	e := positive(Estimate{Lo: new(r.quantile(tail)), Hi: new(r.quantile(1 - tail))})

	size := float64(n)
	crossed := (min(under, size-under) + 1) / (size + 1)
	z := max(0, -normalQuantile(min(crossed, 0.5)))
	if crossed < far && est > 0 && !math.IsInf(est, 0) {
		near := r.quantile(far)
		if est < 1 {
			near = r.quantile(1 - far)
		}
		if reach := math.Log(est/near) / math.Log(est); reach > 0 && !math.IsInf(reach, 0) {
			z = max(z, -normalQuantile(far)/reach)
		}
	}
	if windows > 1 {
		return e.Lo, e.Hi, portable(studentTwoSided(z/widen, windows-1))
	}
	return e.Lo, e.Hi, portable(min(1, 2*upperTail(z)))
}

// far is the share of replicates beyond which there are too few to count.
const far = 0.01

// ends keeps the lowest and the highest of n values: all that an interval
// reads of its replicates, at a tenth of the cost of sorting them.
type ends struct {
	n, keep   int
	low, high []float64 // ascending; descending
}

// newEnds keeps enough for quantiles up to share and from 1−share on.
func newEnds(n int, share float64) *ends {
	keep := min(n, int(share*float64(n))+3)
	return &ends{n: n, keep: keep, low: make([]float64, 0, keep), high: make([]float64, 0, keep)}
}

func (e *ends) add(v float64) {
	// Most values lie between the ends, and are gone after two comparisons.
	last := e.keep - 1
	if len(e.low) < e.keep {
		last = len(e.low)
		e.low, e.high = append(e.low, v), append(e.high, v)
	} else if v >= e.low[last] && v <= e.high[last] {
		return
	}
	if low := e.low; v <= low[last] {
		i := last
		for ; i > 0 && v < low[i-1]; i-- {
			low[i] = low[i-1]
		}
		low[i] = v
	}
	if high := e.high; v >= high[last] {
		i := last
		for ; i > 0 && v > high[i-1]; i-- {
			high[i] = high[i-1]
		}
		high[i] = v
	}
}

// quantile is [Quantile] of all values added.
func (e *ends) quantile(p float64) float64 {
	i, f := position(e.n, p)
	if f == 0 {
		return e.at(i)
	}
	return between(e.at(i), e.at(i+1), f)
}

func (e *ends) at(i int) float64 {
	if i < len(e.low) {
		return e.low[i]
	}
	return e.high[e.n-1-i]
}

func quantileOf(sorted []float64, p float64) *float64 {
	q, ok := Quantile(sorted, p)
	if !ok {
		return nil
	}
	return &q
}

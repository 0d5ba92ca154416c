package stats

import (
	"math"
	"slices"
)

// resample draws a number of bootstrap replicates of the p-quantile of one
// cell: windows with replacement, then as many values as a drawn window has,
// with replacement, from it. With fixed windows only the values are drawn.
//
// The windows drawn depend on their number and the plan's seed alone, so that
// the r-th replicates of two cells with the same windows share their weather
// and may be set against each other; the values drawn depend on the cell's
// content, so that two cells draw independently.
//
// Source: Davison & Hinkley, "Bootstrap Methods and their Application" (1997),
// section 3.8 (hierarchical data).
func resample(windows [][]float64, p float64, plan draw) []float64 {
	var pool []float64
	for _, w := range windows {
		pool = append(pool, w...)
	}
	slices.Sort(pool)
	content := newHash()
	content.word(plan.seed)
	var start []int
	var rank []int32 // of each value, windows after each other, in the pool
	for _, w := range windows {
		start = append(start, len(rank))
		for _, v := range w {
			i, _ := slices.BinarySearch(pool, v)
			rank = append(rank, int32(i))
			content.number(v)
		}
		content.word(uint64(len(w)))
	}
	start = append(start, len(rank))
	weather, trials := PCG(plan.seed), PCG(content.sum())
	count := make([]int32, len(pool))
	out := make([]float64, plan.replicates)
	for r := range out {
		clear(count)
		n := 0
		for k := range windows {
			if !plan.fixed {
				k = below(weather, len(windows))
			}
			ranks := rank[start[k]:start[k+1]]
			for range ranks {
				count[ranks[below(trials, len(ranks))]]++
			}
			n += len(ranks)
		}
		out[r] = countedQuantile(pool, count, n, p)
	}
	return out
}

// draw is what the replicates of two cells must have in common.
type draw struct {
	seed       uint64
	replicates int
	fixed      bool // windows are not resampled
}

// countedQuantile is [Quantile] of n values given by how often each value of
// the sorted pool occurs, counted from the top, where tails lie.
func countedQuantile(pool []float64, count []int32, n int, p float64) float64 {
	i, f := position(n, p)
	above, k := n-1-i, len(pool) // above: values higher than the lower of the two
	hi := 0.0
	for above >= 0 {
		k--
		if count[k] == 0 {
			continue
		}
		c := int(count[k])
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
	r := make([]float64, min(len(a), len(b)))
	for i := range r {
		r[i] = ratio(a[i], b[i])
	}
	slices.Sort(r)
	tail := (1 - conf) / 2
	widen := 1.0
	if windows > 1 {
		widen = math.Sqrt(float64(windows) / float64(windows-1))
		tail = portable(upperTail(widen * studentQuantile(1-conf, windows-1)))
	}
	e := Estimate{Lo: quantileOf(r, tail), Hi: quantileOf(r, 1-tail)}
	e = positive(e)

	under := 0.0
	for _, v := range r {
		if v < 1 {
			under++
		} else if v == 1 {
			under += 0.5
		}
	}
	size := float64(len(r))
	crossed := (min(under, size-under) + 1) / (size + 1)
	z := max(0, -normalQuantile(min(crossed, 0.5)))
	if crossed < 0.01 && est > 0 && !math.IsInf(est, 0) {
		near := quantileOf(r, 0.01)
		if est < 1 {
			near = quantileOf(r, 0.99)
		}
		if reach := math.Log(est / *near) / math.Log(est); reach > 0 && !math.IsInf(reach, 0) {
			z = max(z, -normalQuantile(0.01)/reach)
		}
	}
	if windows > 1 {
		return e.Lo, e.Hi, portable(studentTwoSided(z/widen, windows-1))
	}
	return e.Lo, e.Hi, portable(min(1, 2*upperTail(z)))
}

func quantileOf(sorted []float64, p float64) *float64 {
	q, ok := Quantile(sorted, p)
	if !ok {
		return nil
	}
	return &q
}

package stats

import (
	"math"
	"slices"
)

// Cluster is one window's share of a ratio of sums: what was spent (Num) for
// what came of it (Den).
type Cluster struct{ Num, Den float64 }

// RatioOfSums is ΣNum ÷ ΣDen, such as dollars per useful result, with Fieller's
// interval over the clusters: all R for which the mean of Num − R·Den is not
// significantly different from zero by Student's t with n−1 degrees of freedom.
//
// The clusters are the units of independence, so the interval covers what
// windows share. Fieller's set, unlike the delta method's interval, stays right
// where few results were useful: if even their presence is in doubt, the ratio
// has no upper end, and Hi is nil. Lo is nil where zero spend cannot be
// excluded, both are with fewer than two clusters, and Value is where ΣDen is
// zero. Both quantities must be ≥ 0.
//
// Sources: Fieller, "Some problems in interval estimation", JRSS B 16 (1954);
// Cochran, "Sampling Techniques", 3rd ed. (1977), 6.15 for clusters.
func RatioOfSums(clusters []Cluster, conf float64) (e Estimate) {
	c := slices.Clone(clusters)
	slices.SortFunc(c, func(a, b Cluster) int {
		return slices.Compare([]float64{a.Den, a.Num}, []float64{b.Den, b.Num})
	})
	var num, den float64
	for _, v := range c {
		num += v.Num
		den += v.Den
	}
	if den > 0 {
		e.Value = new(num / den)
	}
	if len(c) < 2 {
		return e
	}
	n := float64(len(c))
	num, den = num/n, den/n
	var vnn, vdd, vnd float64 // variances of the means, and their covariance
	for _, v := range c {
		x, y := v.Num-num, v.Den-den
		vnn += float64(x * x)
		vdd += float64(y * y)
		vnd += float64(x * y)
	}
	scale := n * (n - 1)
	vnn, vdd, vnd = vnn/scale, vdd/scale, vnd/scale
	// The ends solve (num − R·den)² = t²·(vnn − 2R·vnd + R²·vdd).
	t := portable(studentQuantile(1-conf, len(c)-1))
	t2 := t * t
	qa := float64(den*den) - float64(t2*vdd)
	qb := float64(num*den) - float64(t2*vnd)
	qc := float64(num*num) - float64(t2*vnn)
	disc := float64(qb*qb) - float64(qa*qc)
	// A constant ratio has no variance, and rounding alone must not open its ends.
	if disc < 0 && disc > -1e-12*float64(qb*qb) {
		disc = 0
	}
	if disc < 0 || qa == 0 {
		return e
	}
	root := math.Sqrt(disc)
	lo, hi := (qb-root)/qa, (qb+root)/qa
	if qa < 0 {
		// The set is what lies outside the roots; of it, R ≥ 0 starts at the upper.
		if qc > 0 {
			e.Lo = new(lo)
		}
		return e
	}
	if lo > 0 {
		e.Lo = &lo
	}
	e.Hi = &hi
	return e
}

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

// CostRatio is [RatioOfSums] for what is spent, of which a few clusters may hold
// most. Its interval holds Fieller's upper end, Student's around the logarithm, and
// Hall's, which takes the skewness of the clusters' parts out: where costs are
// lognormal with a standard deviation of 1.5, Fieller's alone misses its aim by six
// to twelve points, and has no lower end in up to a quarter of cases. Hi is nil
// where Fieller's has none; Lo is above zero wherever something was spent.
//
// Sources: Hall, "On the removal of skewness by transformation", JRSS B 54 (1992);
// Woodruff, JASA 66 (1971), for the parts.
func CostRatio(clusters []Cluster, conf float64) Estimate {
	e := RatioOfSums(clusters, conf)
	if e.Value == nil || *e.Value <= 0 || len(clusters) < 2 {
		return e
	}
	c := slices.Clone(clusters)
	slices.SortFunc(c, func(a, b Cluster) int {
		return slices.Compare([]float64{a.Den, a.Num}, []float64{b.Den, b.Num})
	})
	var num, den, square, cube float64
	for _, v := range c {
		num, den = num+v.Num, den+v.Den
	}
	n := float64(len(c))
	for _, v := range c {
		u := float64(n*v.Num)/num - float64(n*v.Den)/den // parts of the relative error, of mean 0
		square, cube = square+float64(u*u), cube+float64(u*u*u)
	}
	if square <= nothing*n*n {
		e.Lo, e.Hi = new(*e.Value), new(*e.Value)
		return e
	}
	se, t := math.Sqrt(square/(n-1)/n), studentQuantile(1-conf, len(c)-1)
	skew := 0.0
	if n > 2 {
		skew = cube / n / math.Pow(square/n, 1.5) * math.Sqrt(n*(n-1)) / (n - 2)
	}
	lo := min(math.Exp(-float64(t*se)), 1-float64(se*unskewed(t, skew/math.Sqrt(n))))
	if lo <= 0 {
		lo = math.Exp(-float64(t * se))
	}
	hi := max(math.Exp(t*se), 1-float64(se*unskewed(-t, skew/math.Sqrt(n))))
	e.Lo = new(portable(*e.Value * lo))
	if e.Hi != nil {
		e.Hi = new(portable(max(*e.Hi, *e.Value*hi)))
	}
	return e
}

// unskewed inverts Hall's cubic transformation of a t statistic with the skewness
// a·√n of its values.
func unskewed(x, a float64) float64 {
	if math.Abs(a) < 1e-9 {
		return x
	}
	return (math.Cbrt(1+float64(a*(x-a/6))) - 1) * 3 / a
}

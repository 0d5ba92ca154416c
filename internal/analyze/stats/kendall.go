package stats

import (
	"cmp"
	"math"
	"slices"
)

// KendallTauB is Kendall's rank correlation of two variables over the same
// items, corrected for ties: (C − D) / √((n₀−n₁)(n₀−n₂)), where C and D count
// the concordant and discordant pairs of items, n₀ all pairs, n₁ and n₂ those
// tied in x and in y. It is false where a variable has fewer than two distinct
// values. Takes n² steps.
//
// Source: Kendall, "The treatment of ties in ranking problems", Biometrika 33
// (1945).
func KendallTauB(x, y []float64) (float64, bool) {
	var score, untiedX, untiedY int
	for i := range x {
		for j := range i {
			a, b := cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])
			score += a * b
			untiedX += a * a
			untiedY += b * b
		}
	}
	if untiedX == 0 || untiedY == 0 {
		return 0, false
	}
	return float64(score) / math.Sqrt(float64(untiedX)*float64(untiedY)), true
}

// Point is one measurement of y at x.
type Point struct{ X, Y float64 }

// TheilSen is the slope of y on x that half of the pairs of points exceed, in
// units of y per unit of x, with Sen's interval; it is blind to a quarter of
// the points being anything at all. Pairs with equal x have no slope. Takes
// memory for n²/2 slopes.
//
// The interval inverts Kendall's test that slope and x are unrelated: with N
// slopes it runs from the M-th smallest to the M-th largest, M being the whole
// part of (N + 1 − z·√Var(S))/2 (normal approximation with the continuity
// correction for a score that moves in steps of two), where 18·Var(S) =
// n(n−1)(2n+5) − Σ t(t−1)(2t+5) over the groups of equal x and again of equal
// y. It is open where M < 1.
//
// Sources: Theil, Proc. KNAW 53 (1950); Sen, "Estimates of the regression
// coefficient based on Kendall's tau", JASA 63 (1968), equation 2.6 and
// section 3; Hollander, Wolfe & Chicken, 3rd ed. (2014), 9.2 and 9.3.
func TheilSen(points []Point, conf float64) (e Estimate) {
	var slopes []float64
	for i, p := range points {
		for _, q := range points[:i] {
			if p.X != q.X {
				slopes = append(slopes, (p.Y-q.Y)/(p.X-q.X))
			}
		}
	}
	slices.Sort(slopes)
	slope, ok := Quantile(slopes, 0.5)
	if !ok {
		return e
	}
	e.Value = &slope
	n := len(points)
	variance := spread(n)
	for _, of := range []func(Point) float64{func(p Point) float64 { return p.X }, func(p Point) float64 { return p.Y }} {
		groups := map[float64]int{}
		for _, p := range points {
			groups[of(p)]++
		}
		for _, t := range groups {
			variance -= spread(t)
		}
	}
	c := portable(normalQuantile((1+conf)/2)) * math.Sqrt(float64(max(variance, 0))/18)
	size := len(slopes)
	if lo := int(math.Floor((float64(size+1) - c) / 2)); lo >= 1 {
		e.Lo, e.Hi = new(slopes[lo-1]), new(slopes[size-lo])
	}
	return e
}

// spread is 18 times the variance of Kendall's score of n untied items.
func spread(n int) int { return n * (n - 1) * (2*n + 5) }

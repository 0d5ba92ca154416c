package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// tTwoSided is P(|T| ≥ |t|) of Student's t with any positive number of degrees
// of freedom: the regularised incomplete beta function I(ν/(ν+t²); ν/2, ½). It
// keeps its digits far out in the tail.
//
// Source: Abramowitz & Stegun, "Handbook of Mathematical Functions" (1964), 26.7.1.
func tTwoSided(t, nu float64) float64 {
	if math.IsInf(t, 0) {
		return 0
	}
	return mathext.RegIncBeta(nu/2, 0.5, nu/(nu+float64(t*t)))
}

// tQuantile is the t with P(|T| ≥ t) = alpha, by Newton's method on log P, from
// the normal quantile with two terms of its Cornish–Fisher expansion.
//
// Source: Abramowitz & Stegun (1964), 26.7.5.
func tQuantile(alpha, nu float64) float64 {
	if alpha >= 1 {
		return 0
	}
	z := -normalQuantile(alpha / 2)
	t := z + (float64(z*z*z)+z)/(4*nu)
	if nu > 3 {
		t += (5*math.Pow(z, 5) + 16*math.Pow(z, 3) + 3*z) / (96 * nu * nu)
	}
	lg, _ := math.Lgamma((nu + 1) / 2)
	lh, _ := math.Lgamma(nu / 2)
	scale := lg - lh - math.Log(nu*math.Pi)/2 // log density at zero
	want := math.Log(alpha)
	for range 60 {
		p := tTwoSided(t, nu)
		density := 2 * math.Exp(scale-float64((nu+1)/2*math.Log1p(t*t/nu)))
		step := (math.Log(p) - want) * p / density
		next := max(t+step, t/4)
		if math.Abs(next-t) <= 1e-13*t {
			return next
		}
		t = next
	}
	return t
}

// trigamma is ψ′(x), x > 0: the Hurwitz zeta function ζ(2, x).
func trigamma(x float64) float64 { return mathext.Zeta(2, x) }

// inverseTrigamma is the y with ψ′(y) = x, x > 0.
//
// Source: Smyth (2004), appendix: Newton's method on 1/ψ′, which is convex and
// almost linear, so that it converges from any side.
func inverseTrigamma(x float64) float64 {
	switch {
	case x > 1e7:
		return 1 / math.Sqrt(x)
	case x < 1e-6:
		return 1 / x
	}
	y := 0.5 + 1/x
	for range 50 {
		t := trigamma(y)
		step := t * (1 - t/x) / (-2 * mathext.Zeta(3, y))
		y += step
		if math.Abs(step) < 1e-12*y {
			break
		}
	}
	return y
}

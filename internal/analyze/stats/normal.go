package stats

import (
	"math"
	"strconv"
	"sync"
)

// upperTail is P(Z ≥ z) of the standard normal distribution.
func upperTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// normalQuantile is the z with P(Z ≤ z) = p.
func normalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// studentTwoSided is P(|T| ≥ |t|) of Student's t with nu degrees of freedom,
// by the closed sums of Abramowitz & Stegun, "Handbook of Mathematical
// Functions" (1964), 26.7.3 and 26.7.4. It falls no lower than 1e-16, where
// the difference from 1 has no digits left.
func studentTwoSided(t float64, nu int) float64 {
	if math.IsInf(t, 0) {
		return 1e-16
	}
	theta := math.Atan(math.Abs(t) / math.Sqrt(float64(nu)))
	sin, cos := math.Sincos(theta)
	cos2 := cos * cos
	var a float64
	if nu%2 == 1 {
		term, sum := cos, 0.0
		for k := 1; k <= nu-2; k += 2 {
			sum += term
			term *= cos2 * float64(k+1) / float64(k+2)
		}
		a = 2 / math.Pi * (theta + float64(sin*sum))
	} else {
		term, sum := 1.0, 0.0
		for k := 0; k <= nu-2; k += 2 {
			sum += term
			term *= cos2 * float64(k+1) / float64(k+2)
		}
		a = sin * sum
	}
	return max(1-a, 1e-16)
}

var studentMemo sync.Map // rankKey → float64

// studentQuantile is the t with P(|T| ≥ t) = alpha.
func studentQuantile(alpha float64, nu int) float64 {
	key := rankKey{n: nu, conf: alpha}
	if t, ok := studentMemo.Load(key); ok {
		return t.(float64)
	}
	t := searchStudent(alpha, nu)
	studentMemo.Store(key, t)
	return t
}

func searchStudent(alpha float64, nu int) float64 {
	lo, hi := 0.0, 1.0
	for studentTwoSided(hi, nu) > alpha {
		hi *= 2
	}
	for range 100 {
		mid := (lo + hi) / 2
		if studentTwoSided(mid, nu) > alpha {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// portable rounds to twelve significant digits: what is left of a number when
// the last bits of exp, log and erf are the processor's own.
func portable(x float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 11, 64), 64)
	if err != nil {
		return x
	}
	return r
}

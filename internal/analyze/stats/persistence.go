package stats

import "math"

// A persistence is one way in which values of neighbouring windows may depend on
// each other: white noise, with the share nu of the variance, over a level that
// wanders back to its mean, correlated rho^|t| over a time t (a first-order
// autoregression, seen at any times). rho = 0 is independence.
type persistence struct{ rho, nu float64 }

// rhos and nus span what is thought possible; independence stands before them.
var (
	rhos     = []float64{.1, .2, .3, .4, .5, .6, .7, .8, .87, .92, .95}
	nus      = []float64{0, .2, .4, .6}
	noisyNus = []float64{0, .2, .4, .6, .8, .9}
)

// trusting and doubtful are prior weights of independence.
const (
	trusting = 0.9
	doubtful = 0.5
)

// persistences with their prior weights for data of so many windows. Independent
// windows have nine tenths; the rest lies evenly over rho, up to 1 − 1.5/windows:
// what wanders more slowly looks like a level in so few windows. Where windows
// are noisy the data can hardly deny dependence, and the prior has to: half.
func persistences(windows int, noisy bool) (list []persistence, prior []float64) {
	independent, nus := trusting, nus
	if noisy {
		independent, nus = doubtful, noisyNus
	}
	list, prior = []persistence{{}}, []float64{independent}
	total := 0.0
	for i, r := range rhos {
		if r > 1-1.5/float64(windows)+1e-9 {
			break
		}
		below, above := 0.0, 1.0
		if i > 0 {
			below = rhos[i-1]
		}
		if i+1 < len(rhos) {
			above = rhos[i+1]
		}
		for _, nu := range nus {
			weight := (above - below) / 2 / float64(len(nus))
			list, prior = append(list, persistence{r, nu}), append(prior, weight)
			total += weight
		}
	}
	for i := 1; i < len(prior); i++ {
		prior[i] *= (1 - independent) / total
	}
	return list, prior
}

// whitener turns values at some times into uncorrelated ones of equal variance,
// without their mean: the sum of squares of the result is that of the residuals
// from the generalised least squares mean. It is linear in the values, and takes
// a number of steps in proportion to them.
//
// It is the Kalman filter of a level that is observed with noise. logDet is the
// logarithm of the determinant of the covariance of an orthonormal basis of
// contrasts, which the restricted likelihood needs, and meanVariance the variance
// of the plain mean, both for values of variance 1.
//
// Sources: Patterson & Thompson, "Recovery of inter-block information when block
// sizes are unequal", Biometrika 58 (1971); Harville, "Bayesian inference for
// variance components using only error contrasts", Biometrika 61 (1974), for the
// determinant; Jones, "Maximum likelihood fitting of ARMA models to time series
// with missing observations", Technometrics 22 (1980), for the filter.
type whitener struct {
	step, gain, scale []float64 // of the filter, at each time
	ones              []float64 // the filtered constant, of length 1
	logDet            float64
	meanVariance      float64
}

// newWhitener is for values at times that rise.
func newWhitener(k persistence, times []float64) *whitener {
	n := len(times)
	w := &whitener{step: make([]float64, n), gain: make([]float64, n), scale: make([]float64, n), ones: make([]float64, n)}
	level, noise := 1-k.nu, k.nu // variances
	if k.rho == 0 {
		level, noise = 0, 1
	}
	variance, run := level, 0.0 // run is Σ over earlier times of the correlation with this one
	pairs := 0.0
	for i := range times {
		phi := 0.0
		if i > 0 && k.rho > 0 {
			phi = math.Pow(k.rho, times[i]-times[i-1])
			variance = float64(phi*phi*variance) + float64(level*(1-float64(phi*phi)))
			run = phi * (run + 1)
			pairs += run
		}
		total := variance + noise
		w.step[i], w.gain[i], w.scale[i] = phi, variance/total, 1/math.Sqrt(total)
		w.logDet += math.Log(total)
		variance *= noise / total
	}
	w.meanVariance = (float64(n) + float64(2*level*pairs)) / float64(n*n)
	constant := make([]float64, n)
	for i := range constant {
		constant[i] = 1
	}
	w.filter(w.ones, constant)
	size := 0.0
	for _, v := range w.ones {
		size += float64(v * v)
	}
	w.logDet += math.Log(size) - math.Log(float64(n))
	for i := range w.ones {
		w.ones[i] /= math.Sqrt(size)
	}
	return w
}

// filter writes what each value adds to those before it, in its standard deviation.
func (w *whitener) filter(out, y []float64) {
	state := 0.0
	for i, v := range y {
		state *= w.step[i]
		e := v - state
		state += float64(w.gain[i] * e)
		out[i] = e * w.scale[i]
	}
}

// whiten writes the uncorrelated values.
func (w *whitener) whiten(out, y []float64) {
	w.filter(out, y)
	along := 0.0
	for i, v := range out {
		along += float64(v * w.ones[i])
	}
	for i := range out {
		out[i] -= float64(along * w.ones[i])
	}
}

// contrastVariance is the variance of the sum of the values at these times, each
// with its weight, for values of variance 1.
func (k persistence) contrastVariance(times, weights []float64) float64 {
	level, noise := 1-k.nu, k.nu
	if k.rho == 0 {
		level, noise = 0, 1
	}
	var square, cross, run float64 // run is Σ over earlier times of weight × correlation with this one
	for i, c := range weights {
		if i > 0 && k.rho > 0 {
			run = math.Pow(k.rho, times[i]-times[i-1]) * (run + weights[i-1])
			cross += float64(c * run)
		}
		square += float64(c * c)
	}
	return float64((level+noise)*square) + float64(2*level*cross)
}

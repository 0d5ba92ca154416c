package service

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"aircheck/internal/analyze/stats"
)

// The providers of a world. The first two are alike in all; of the third
// everything is planted that there is.
const (
	Plain   = "a-plain"
	Twin    = "b-twin"
	Planted = "c-planted"
)

var providers = []string{Plain, Twin, Planted}

// The shape of a world and what is planted in it.
const (
	windows  = 12
	windowSD = 0.1  // standard deviation, on the log scale, of a provider's level in a window
	spread   = 0.2  // and of single first-token times, one in ten of which takes twice as long
	firstMs  = 300. // median of first-token times at rest

	cliffAt    = 4    // streams beyond which everything takes cliffTimes as long
	cliffTimes = 4.   //
	perStream  = 0.05 // what each further stream adds, everywhere
	refused    = 0.3  // share of requests that Planted refuses beyond cliffAt

	failing     = 0.03 // share of pings that fail by themselves
	outageFrom  = 150 * time.Second
	outageUntil = 330 * time.Second

	coldMs   = 400. // what silence costs Planted
	behindMs = 40.  // what each place in a burst costs it
	perToken = 0.05 // ms that each input token takes it; no time at the others
)

var day = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// world is one seed's.
type world struct {
	*tables
	model string
	r     *rand.Rand
}

// Model names the world of a seed.
func Model(seed int) string { return fmt.Sprintf("seed-%04d", seed) }

// write adds the world of a seed.
func (t *tables) write(seed int) {
	w := &world{t, Model(seed), rand.New(stats.PCG(stats.Seed("service", fmt.Sprint(seed))))}
	w.loops()
	w.pings()
	w.colds()
	w.bursts()
	w.sweeps()
	w.probes()
}

// row is one of a provider in a window, at a time after the window's begin.
func (w *world) row(provider, scenario string, window int, at time.Duration) result {
	return result{
		RunID: w.model, Provider: provider, Model: w.model, Scenario: scenario, Concurrency: 1,
		WindowKey: fmt.Sprintf("w%02d", window), Phase: "measure", Measured: true,
		StartedAt: day.Add(time.Duration(window)*2*time.Hour + at).Truncate(time.Microsecond),
	}
}

// level is a provider's conditions in one window.
func (w *world) level() float64 { return math.Exp(windowSD * w.r.NormFloat64()) }

// noise is a factor of one request, with a median of little above one.
func (w *world) noise() float64 {
	v := math.Exp(spread * w.r.NormFloat64())
	if w.r.IntN(10) == 0 {
		v *= 2
	}
	return v
}

// quantile of first-token times over all windows to come: of the median, times
// lognormal conditions and spread, times two for one in ten.
func quantile(p float64) float64 {
	sd := math.Hypot(windowSD, spread)
	below := func(x float64) float64 {
		phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
		return 0.9*phi(x/sd) + 0.1*phi((x-math.Ln2)/sd)
	}
	lo, hi := -3., 3.
	for range 100 {
		if mid := (lo + hi) / 2; below(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return firstMs * math.Exp(hi)
}

func text(s string) *string { return &s }

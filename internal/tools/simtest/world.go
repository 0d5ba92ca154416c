// Package simtest measures how often the comparison of providers errs, by
// simulating data sets whose truth is known: identical providers, of which any
// decided pair is false, and planted differences, which should be found.
package simtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"aircheck/internal/analyze/stats"
)

// Statistic is what a world compares.
type Statistic string

const (
	Median Statistic = "median"
	Tail   Statistic = "p95"
	Share  Statistic = "share"
	Cost   Statistic = "cost"
)

// Drift is a level on the log scale that wanders from window to window: a
// first-order autoregression with this correlation and standard deviation.
type Drift struct{ Rho, SD float64 }

// World describes data sets: providers serve models, and but for what is listed
// here they are identical. Within a window times are lognormal with a standard
// deviation of 0.2 on the log scale, and one in ten takes twice as long:
// first-token times of the hosts in the LLMPerf leaderboard's recordings spread
// by 0.05 to 0.27 in the middle, and have tails.
type World struct {
	Name                               string
	Providers, Models, Windows, Trials int
	Statistic                          Statistic

	Own       Drift   // of each provider and model by itself
	Shared    Drift   // of each model, for all providers
	SharedDay float64 // half the swing of a day's cycle, for all; windows are an hour apart
	OwnDay    float64 // the same, with a phase of each provider's own
	Sigma     float64 // of the trials, log scale; 0: as above
	Hetero    bool    // the sd of Own rises from 0.05 to 0.4 over the providers
	Jumps     bool    // the first provider's level jumps, every ten windows
	SlowFail  bool    // providers lose their slowest 0 to 30 %
	Spells    bool    // failures (share) come in spells of each provider's own
	Unequal   bool    // providers have between a third and all of the trials
	Lost      bool    // each provider has no data in one window
	// Flip makes the first provider faster than all others by this factor on the
	// first model, and as much slower on the second (of one model: faster).
	Flip float64

	// From is from how many windows on errors are held to the limit; 0: they are
	// printed only, since nothing in the windows tells the world from a difference.
	From int
}

// Held reports whether errors of the world may not exceed the limit.
func (w World) Held() bool { return w.From > 0 && w.Windows >= w.From }

func (w World) own() Drift {
	if w.Own.SD == 0 {
		return Drift{0, 0.1}
	}
	return w.Own
}

func (w World) measure() stats.Measure {
	m := stats.Measure{Quantile: 0.5, Margin: stats.Margin{Ratio: 1.10, Abs: 50}}
	switch w.Statistic {
	case Tail:
		m.Quantile = 0.95
	case Share:
		m = stats.Measure{Shares: true, Higher: true, Margin: stats.Margin{Ratio: 1, Abs: 0.01}}
	case Cost:
		m = stats.Measure{Margin: stats.Margin{Ratio: 1.10}}
	}
	return m
}

// effect is the true logarithm of provider p's level on model m.
func (w World) effect(m, p int) float64 {
	switch {
	case w.Flip == 0 || p > 0 || m > 1:
		return 0
	case m == 0:
		return -math.Log(w.Flip)
	}
	return math.Log(w.Flip)
}

// wander draws a path.
func (v Drift) wander(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		x := r.NormFloat64()
		if i > 0 {
			x = v.Rho*out[i-1]/max(v.SD, 1e-300) + math.Sqrt(1-v.Rho*v.Rho)*x
		}
		out[i] = v.SD * x
	}
	return out
}

// Draw makes the data set of a seed: entries by model.
func (w World) Draw(seed int) [][]stats.Entry {
	r := rand.New(stats.PCG(stats.Seed("error rates", w.Name, fmt.Sprint(w.Providers, w.Models, w.Windows, w.Statistic, seed))))
	phase := make([]float64, w.Providers)
	for p := range phase {
		phase[p] = 2 * math.Pi * r.Float64()
	}
	common := 2 * math.Pi * r.Float64()
	spread := r.Perm(w.Providers)
	out := make([][]stats.Entry, w.Models)
	for m := range out {
		shared := w.Shared.wander(r, w.Windows)
		for p := range w.Providers {
			drift := w.own()
			if w.Hetero {
				drift.SD = 0.05 * math.Pow(8, float64(spread[p])/float64(w.Providers-1))
			}
			own := drift.wander(r, w.Windows)
			level, lost := 0.0, r.IntN(w.Windows)
			spell := Drift{0.8, 1}.wander(r, w.Windows)
			e := stats.Entry{Provider: p}
			for i := range w.Windows {
				if w.Statistic == Cost {
					own[i] -= drift.SD * drift.SD / 2 // equal means, of which a ratio of sums is made
				}
				if w.Jumps && p == 0 && (i == 0 || r.IntN(10) == 0) {
					level = 0.3 * r.NormFloat64()
				}
				at := shared[i] + own[i] + level + w.effect(m, p)
				at += w.SharedDay * math.Sin(2*math.Pi*float64(i)/24+common)
				at += w.OwnDay * math.Sin(2*math.Pi*float64(i)/24+phase[p])
				o := w.window(r, i, p, at, spell[i])
				if !w.Lost || i != lost {
					e.Windows = append(e.Windows, o)
				}
			}
			out[m] = append(out[m], e)
		}
	}
	return out
}

// window draws the requests of a window whose level is at.
func (w World) window(r *rand.Rand, i, p int, at, spell float64) stats.Observed {
	o := stats.Observed{Window: i}
	trials := w.Trials
	if w.Unequal {
		trials = w.Trials/3 + r.IntN(w.Trials-w.Trials/3+1)
	}
	switch w.Statistic {
	case Share:
		fails := min(0.9, 0.05*math.Exp(at))
		if w.Spells {
			fails = 0.02
			if spell > 1.2 {
				fails = 0.6
			}
		}
		o.Den = int64(trials)
		for range trials {
			if r.Float64() >= fails {
				o.Num++
			}
		}
		return o
	case Cost:
		for range trials {
			o.Num += int64(1e6 * math.Exp(at+w.noise(r))) // nano-dollars
			if r.IntN(20) > 0 {
				o.Den++
			}
		}
		return o
	}
	for range trials {
		o.Values = append(o.Values, 600*math.Exp(at+w.noise(r)))
	}
	slices.Sort(o.Values)
	if w.SlowFail {
		for range trials {
			if r.Float64() < 0.1*float64(p%4) {
				o.Values = o.Values[:len(o.Values)-1]
				o.Failures++
			}
		}
	}
	return o
}

// noise of one request, on the log scale.
func (w World) noise(r *rand.Rand) float64 {
	if w.Sigma > 0 {
		return w.Sigma * r.NormFloat64()
	}
	v := 0.2 * r.NormFloat64()
	if r.IntN(10) == 0 {
		v += math.Ln2
	}
	return v
}

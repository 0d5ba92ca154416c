package simulate

import (
	"math"
	"strconv"
	"time"
)

// DayCycle makes all times longer and shorter with the time of the day: by
// e^Amplitude at the hour Peak, by e^−Amplitude twelve hours later.
type DayCycle struct {
	Amplitude float64       `yaml:"amplitude"`
	Peak      time.Duration `yaml:"peak"` // after midnight, UTC
}

// conditions is the multiplier of a request's times by its window and hour.
func (b *Behaviour) conditions(f *Fleet, p place) float64 {
	m := 1.0
	if n := len(b.Conditions); n > 0 {
		m = b.Conditions[((p.window%n)+n)%n]
	}
	if b.ConditionsSigma > 0 {
		m *= math.Exp(b.ConditionsSigma * f.level(b.ConditionsRho, p.window, p.provider))
	}
	if b.ConditionsOwn > 0 {
		m *= math.Exp(b.ConditionsOwn * f.level(b.ConditionsRho, p.window, p.provider, p.model))
	}
	if b.Day.Amplitude != 0 {
		at := f.timeOfDay(p.at) - b.Day.Peak
		m *= math.Exp(b.Day.Amplitude * math.Cos(2*math.Pi*at.Hours()/24))
	}
	return m
}

// level is a window's value of a stationary AR(1) process of variance 1, by
// itself for whom it is named after.
func (f *Fleet) level(rho float64, window int, whom ...string) float64 {
	// "weather" is only part of the seed: another word would draw other markets.
	fresh := func(w int) float64 {
		return random(f.Seed, append([]string{"weather"}, append(whom, strconv.Itoa(w))...)...).NormFloat64()
	}
	if rho == 0 || window <= 0 {
		return fresh(window)
	}
	key := levelKey{rho, len(whom), whom[0], whom[len(whom)-1]}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.levels == nil {
		f.levels = map[levelKey][]float64{}
	}
	all := f.levels[key]
	for w := len(all); w <= window; w++ {
		next := fresh(w)
		if w > 0 {
			next = rho*all[w-1] + math.Sqrt(1-rho*rho)*next
		}
		all = append(all, next)
	}
	f.levels[key] = all
	return all[window]
}

type levelKey struct {
	rho         float64
	names       int
	first, last string
}

// timeOfDay is the time since midnight, UTC, at an offset on the fleet's clock.
func (f *Fleet) timeOfDay(at time.Duration) time.Duration {
	t := f.Starts.Add(at).UTC()
	return t.Sub(t.Truncate(24 * time.Hour))
}

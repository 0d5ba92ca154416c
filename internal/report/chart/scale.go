package chart

import "math"

// Scale is a logarithmic axis over positive numbers.
type Scale struct{ Lo, Hi float64 }

// LogScale spans the values with a little air on both sides. Without values
// it spans one decade.
func LogScale(values []float64) Scale {
	lo, hi := math.Inf(1), 0.0
	for _, v := range values {
		lo, hi = min(lo, v), max(hi, v)
	}
	if hi == 0 {
		return Scale{100, 1000}
	}
	air := math.Pow(hi/lo, 0.04)
	lo, hi = lo/max(air, 1.12), hi*max(air, 1.12)
	return Scale{round(lo), round(hi)}
}

// round keeps three figures, so that options stay short.
func round(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return math.Round(v/unit) * unit
}

// At is the place of v on the axis, 0 to 1, kept inside.
func (s Scale) At(v float64) float64 {
	return min(max(math.Log(v/s.Lo)/math.Log(s.Hi/s.Lo), 0), 1)
}

// tickSteps are the round numbers of a decade, from fine to coarse.
var tickSteps = [][]float64{{1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}}

// Ticks are round numbers inside the scale, as many as keep the labels at least
// gap apart, where the axis is length long (both in pixels). The finer steps
// serve short axes only: a grid should not shout.
func (s Scale) Ticks(length, gap float64) []float64 {
	decade := length / math.Log10(s.Hi/s.Lo)
	for i, steps := range tickSteps {
		if ticks := s.ticks(steps, 1); decade*closest(steps) >= gap && (i > 1 || len(ticks) <= 7) {
			return ticks
		}
	}
	return s.ticks([]float64{1}, int(math.Ceil(gap/decade)))
}

// ticks are the steps of every n-th decade that lie inside the scale.
func (s Scale) ticks(steps []float64, n int) []float64 {
	var ticks []float64
	for e := int(math.Floor(math.Log10(s.Lo))); e <= int(math.Ceil(math.Log10(s.Hi))); e++ {
		for _, step := range steps {
			if v := tick(step, e); e%n == 0 && v >= s.Lo && v <= s.Hi {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// closest is the smallest distance between neighbours, in decades.
func closest(steps []float64) float64 {
	distance := math.Log10(10 / steps[len(steps)-1])
	for i := range len(steps) - 1 {
		distance = min(distance, math.Log10(steps[i+1]/steps[i]))
	}
	return distance
}

// tick is step × 10^e without the dust of a negative power.
func tick(step float64, e int) float64 {
	if e < 0 {
		return step / math.Pow10(-e)
	}
	return step * math.Pow10(e)
}

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

// Ticks are round numbers inside the scale: as many of 1-2-5, else of 1-3,
// else of powers of ten, as keep the labels at least gap apart, where the axis
// is length long (both in pixels).
func (s Scale) Ticks(length, gap float64) []float64 {
	decade := length / math.Log10(s.Hi/s.Lo)
	steps := []float64{1}
	switch {
	case decade*math.Log10(2) >= gap:
		steps = []float64{1, 2, 5}
	case decade*math.Log10(3) >= gap:
		steps = []float64{1, 3}
	}
	every := 1 // of the powers of ten
	for decade*float64(every) < gap && every < 12 {
		every++
	}
	var ticks []float64
	for e := int(math.Floor(math.Log10(s.Lo))); e <= int(math.Ceil(math.Log10(s.Hi))); e++ {
		if e%every != 0 {
			continue
		}
		for _, step := range steps {
			if v := tick(step, e); v >= s.Lo && v <= s.Hi {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// tick is step × 10^e without the dust of a negative power.
func tick(step float64, e int) float64 {
	if e < 0 {
		return step / math.Pow10(-e)
	}
	return step * math.Pow10(e)
}

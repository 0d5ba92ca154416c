package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"aircheck/stats"
)

// world describes simulated data sets: four providers serve three models, and
// but for what is listed here they are identical. Times are lognormal.
type world struct {
	name            string
	windows, trials int
	quantile        float64 // 0: median
	// weather is the standard deviation (log scale) of a window's level, drawn
	// for every provider, model and window by itself: the hardest case.
	weather float64
	// regime makes everything half as slow again from the middle of the run on.
	regime bool
	// change lets the speed of provider 0 change for good, on each model by
	// half up or down, between two windows chosen at random. That is a real
	// difference of these windows, so what is claimed here is no error; it
	// shows how far "over 12 windows" may be from "always".
	change bool
	// failing providers lose none, 10, 20 and 30 % of their requests.
	failing bool
	// flip makes provider 0 faster than 1 by this factor on model 0, slower on
	// model 1.
	flip float64
}

const (
	providers = 4
	models    = 3
)

// cells draws one data set, [model][provider].
func (w world) cells(seed int) (cells [models][providers]*stats.Cell) {
	r := rand.New(stats.PCG(stats.Seed("error rates", w.name, fmt.Sprint(seed))))
	for m := range models {
		for p := range providers {
			level := math.Log(600 * float64(m+1))
			switch {
			case w.flip > 0 && m == p && m < 2:
				level -= math.Log(w.flip) / 2
			case w.flip > 0 && m+p == 1:
				level += math.Log(w.flip) / 2
			}
			at, by := w.windows, math.Log(1.5)
			switch {
			case w.regime:
				at = w.windows / 2
			case w.change && p == 0:
				at = 1 + r.IntN(w.windows-1)
				if r.IntN(2) == 0 {
					by = -by
				}
			}
			var windows []stats.Window
			for i := range w.windows {
				if i == at {
					level += by
				}
				now := level + w.weather*r.NormFloat64()
				win := stats.Window{ID: fmt.Sprintf("%03d", i)}
				for range w.trials {
					v := math.Exp(now + 0.3*r.NormFloat64())
					if w.failing && r.IntN(10) < p {
						win.Failures++
						continue
					}
					win.Values = append(win.Values, v)
				}
				windows = append(windows, win)
			}
			cells[m][p] = stats.NewCell(windows)
		}
	}
	return cells
}

var margin = stats.Margin{Ratio: 1.10, Abs: 50}

// flips reports whether the method supports any flip of a data set, whether it
// supports the planted one, and whether tests on pooled requests, each at 5 %,
// would have claimed any (asked for by heap, since it takes time).
func (w world) flips(seed int, heap bool) (any, planted, pooled bool) {
	cells := w.cells(seed)
	type place struct{ m, a, b int }
	var places []place
	var sides []stats.Side
	var p []*float64
	for m := range models {
		for a := range providers {
			for b := range a {
				s := cells[m][b].Against(cells[m][a], stats.Options{Quantile: w.quantile})
				places, sides, p = append(places, place{m, b, a}), append(sides, s), append(p, s.P)
			}
		}
	}
	q := stats.BenjaminiHochberg(p)
	for i, x := range places {
		for j, y := range places[:i] {
			if x.a != y.a || x.b != y.b || sides[i].Ratio == nil || sides[j].Ratio == nil {
				continue
			}
			if (*sides[i].Ratio < 1) == (*sides[j].Ratio < 1) {
				continue
			}
			if sides[i].Decided(q[i], 0.05, margin) && sides[j].Decided(q[j], 0.05, margin) {
				any = true
				planted = planted || x.a == 0 && x.b == 1 && x.m == 1 && y.m == 0
			}
			if heap && !pooled {
				pooled = heaped(cells[x.m], x.a, x.b) && heaped(cells[y.m], y.a, y.b)
			}
		}
	}
	return any, planted, pooled
}

// heaped is the test that the method replaces: all requests of a side in one
// heap.
func heaped(cells [providers]*stats.Cell, a, b int) bool {
	t, _ := stats.MannWhitney(cells[a].All(), cells[b].All())
	return t.P <= 0.05
}

func (w world) String() string {
	s := fmt.Sprintf("%s/windows=%d/trials=%d", w.name, w.windows, w.trials)
	if w.quantile > 0 {
		s += fmt.Sprintf("/p%.0f", 100*w.quantile)
	}
	return s
}

func worlds() (all []world) {
	for _, n := range []int{3, 6, 8, 12} {
		all = append(all,
			world{name: "calm", windows: n, trials: 5},
			world{name: "weather-10", windows: n, trials: 5, weather: 0.10},
			world{name: "weather-20", windows: n, trials: 5, weather: 0.20},
			world{name: "regime", windows: n, trials: 5, weather: 0.10, regime: true},
			world{name: "change", windows: n, trials: 5, weather: 0.10, change: true},
			world{name: "failing", windows: n, trials: 5, weather: 0.10, failing: true},
			world{name: "planted-1.5", windows: n, trials: 5, weather: 0.10, flip: 1.5},
		)
	}
	for _, n := range []int{6, 12} {
		all = append(all,
			world{name: "weather-20", windows: n, trials: 15, weather: 0.20, quantile: 0.95},
			world{name: "regime", windows: n, trials: 15, weather: 0.10, regime: true, quantile: 0.95},
			world{name: "planted-2.5", windows: n, trials: 15, weather: 0.10, flip: 2.5, quantile: 0.95},
		)
	}
	return all
}

// TestErrorRates is the benchmark below in small: 100 data sets a world.
func TestErrorRates(t *testing.T) {
	for _, w := range worlds() {
		if w.windows != 12 || w.quantile > 0 || w.change {
			continue
		}
		const seeds = 100
		hits := 0
		for seed := range seeds {
			any, planted, _ := w.flips(seed, false)
			if planted || any && w.flip == 0 {
				hits++
			}
		}
		// By the method's promise, and what 100 data sets can show of it.
		if w.flip == 0 && hits > 5 {
			t.Errorf("%s: %d of %d data sets have a flip that is not there", w, hits, seeds)
		}
		if w.flip > 0 && hits < 80 {
			t.Errorf("%s: the planted flip is found in %d of %d data sets", w, hits, seeds)
		}
	}
}

// BenchmarkErrorRates counts, over 400 data sets each, how many have a
// supported flip where none exists (or the planted one, as power), with the
// ends of Wilson's interval, all in percent. Run it with -benchtime 1x.
func BenchmarkErrorRates(b *testing.B) {
	const seeds = 400
	for _, w := range worlds() {
		b.Run(w.String(), func(b *testing.B) {
			for range b.N {
				var hits, pools int
				for seed := range seeds {
					any, planted, pooled := w.flips(seed, w.quantile == 0 && w.flip == 0)
					if planted || any && w.flip == 0 {
						hits++
					}
					if pooled {
						pools++
					}
				}
				e := stats.Wilson(hits, seeds, 0.95)
				unit := "false_%"
				switch {
				case w.flip > 0:
					unit = "power_%"
				case w.change:
					unit = "claimed_%"
				}
				b.ReportMetric(100**e.Value, unit)
				b.ReportMetric(100**e.Lo, "lo_%")
				b.ReportMetric(100**e.Hi, "hi_%")
				if w.quantile == 0 && w.flip == 0 {
					b.ReportMetric(100*float64(pools)/seeds, "pooled_%")
				}
			}
		})
	}
}

// BenchmarkCompare is one side of the flips view: what 60 providers × 40
// models × 10 metrics take 708,000 times.
func BenchmarkCompare(b *testing.B) {
	for _, c := range []struct {
		name    string
		windows int
		o       stats.Options
	}{{"paired", 12, stats.Options{}}, {"within", 4, stats.Options{}}, {"tail", 12, stats.Options{Quantile: 0.95}}} {
		b.Run(c.name, func(b *testing.B) {
			x, y := stats.NewCell(weather("a", c.windows, 10, 1000)), stats.NewCell(weather("b", c.windows, 10, 900))
			for b.Loop() {
				x.Against(y, c.o)
			}
		})
	}
}

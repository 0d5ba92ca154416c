// Package simtest measures how often the comparison of providers errs, by
// simulating data sets whose truth is known: identical providers, of which any
// supported flip is false, and planted flips, which should be found.
package simtest

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"text/tabwriter"

	"aircheck/internal/analyze/stats"
)

// World describes data sets: four providers serve three models, and but for
// what is listed here they are identical. Within a window times are lognormal
// with a standard deviation of 0.2 on the log scale, and one in ten takes
// twice as long: first-token times of the hosts in the LLMPerf
// leaderboard's recordings spread by 0.05 to 0.27 in the middle, and have
// tails.
type World struct {
	Name            string
	Windows, Trials int
	Quantile        float64 // compared; 0: median
	// Weather is the standard deviation (log scale) of a window's level, drawn
	// for every provider, model and window by itself: the hardest case.
	Weather float64
	// Regime makes everything half as slow again from the middle of the run on.
	Regime bool
	// Change lets the speed of the first provider change for good, on each
	// model by half up or down, between two windows chosen at random. That is a
	// real difference of these windows, so what is claimed here is no error; it
	// shows how far "over 12 windows" may be from "always".
	Change bool
	// Failing providers lose none, 10, 20 and 30 % of their requests.
	Failing bool
	// Share, above 0, compares shares of requests answered instead of times: this
	// share of them fails, times e^Weather·N in each window of each provider.
	Share float64
	// Flip makes the first provider faster than the second by this factor on
	// the first model, and as much slower on the second.
	Flip float64
}

const (
	providers = 4
	models    = 3
)

// Margin is the project's: 10 % and 50 ms.
var Margin = stats.Margin{Ratio: 1.10, Abs: 50}

type dataset [models][providers][]stats.Window

// draw makes the data set of a seed.
func (w World) draw(seed int) (d dataset) {
	r := rand.New(stats.PCG(stats.Seed("error rates", w.Name, fmt.Sprint(seed))))
	for m := range models {
		for p := range providers {
			level := math.Log(600 * float64(m+1))
			switch {
			case w.Flip > 0 && m == p && m < 2:
				level -= math.Log(w.Flip) / 2
			case w.Flip > 0 && m+p == 1:
				level += math.Log(w.Flip) / 2
			}
			at, by := w.Windows, math.Log(1.5)
			switch {
			case w.Regime:
				at = w.Windows / 2
			case w.Change && p == 0:
				at = 1 + r.IntN(w.Windows-1)
				if r.IntN(2) == 0 {
					by = -by
				}
			}
			for i := range w.Windows {
				if i == at {
					level += by
				}
				weather := w.Weather * r.NormFloat64()
				now := level + weather
				win := stats.Window{ID: fmt.Sprintf("%03d", i)}
				for range w.Trials {
					if w.Share > 0 {
						win.Failures += fails(r, w.Share*math.Exp(weather))
						continue
					}
					v := math.Exp(now + 0.2*r.NormFloat64())
					if r.IntN(10) == 0 {
						v *= 2
					}
					if w.Failing && r.IntN(10) < p {
						win.Failures++
						continue
					}
					win.Values = append(win.Values, v)
				}
				d[m][p] = append(d[m][p], win)
			}
		}
	}
	return d
}

func fails(r *rand.Rand, p float64) int {
	if r.Float64() < p {
		return 1
	}
	return 0
}

// shares are the windows of a provider as answers over attempts.
func (w World) shares(windows []stats.Window) []stats.Sums {
	out := make([]stats.Sums, len(windows))
	for i, v := range windows {
		out[i] = stats.Sums{ID: v.ID, Num: int64(w.Trials - v.Failures), Den: int64(w.Trials)}
	}
	return out
}

// margin is that of what the world compares: one point for shares.
func (w World) margin() stats.Margin {
	if w.Share > 0 {
		return stats.Margin{Ratio: 1, Abs: 0.01}
	}
	return Margin
}

// side is a provider pair on a model.
type side struct {
	model, a, b int
	stats.Side
	q *float64
}

// compare runs the method over all sides of a data set.
func (w World) compare(d dataset) []side {
	var sides []side
	var p []*float64
	for m := range models {
		var cells [providers]*stats.Cell
		for i := range cells {
			cells[i] = stats.NewCell(d[m][i])
		}
		for b := range providers {
			for a := range b {
				s := cells[a].Against(cells[b], stats.Options{Quantile: w.Quantile})
				if w.Share > 0 {
					s = stats.CompareSums(w.shares(d[m][a]), w.shares(d[m][b]), true, stats.Options{})
				}
				sides, p = append(sides, side{model: m, a: a, b: b, Side: s}), append(p, s.P)
			}
		}
	}
	for i, q := range stats.BenjaminiHochberg(p) {
		sides[i].q = q
	}
	return sides
}

// found reports whether the method supports any flip of a data set, and whether
// it supports the planted one.
func (w World) found(d dataset) (any, planted bool) {
	flips(w.compare(d), func(x, y side) {
		if x.Decided(x.q, 0.05, w.margin()) && y.Decided(y.q, 0.05, w.margin()) {
			any = true
			planted = planted || x.a == 0 && x.b == 1 && x.model == 1 && y.model == 0
		}
	})
	return any, planted
}

// pooled reports whether tests of requests in one heap, each at 5 %, would
// claim a flip.
func (w World) pooled(d dataset) (any bool) {
	heap := func(m, p int) (all []float64) {
		for _, win := range d[m][p] {
			all = append(all, win.Values...)
		}
		return all
	}
	rejects := func(s side) bool {
		t, ok := stats.MannWhitney(heap(s.model, s.a), heap(s.model, s.b))
		return ok && t.P <= 0.05
	}
	flips(w.compare(d), func(x, y side) { any = any || rejects(x) && rejects(y) })
	return any
}

// flips visits the pairs of sides in which two providers change order.
func flips(sides []side, visit func(x, y side)) {
	for i, x := range sides {
		for _, y := range sides[:i] {
			if x.a == y.a && x.b == y.b && x.Ratio != nil && y.Ratio != nil && (*x.Ratio < 1) != (*y.Ratio < 1) {
				visit(x, y)
			}
		}
	}
}

// Rate is in how many of its data sets a world shows a flip.
type Rate struct {
	World
	Seeds  int
	Flips  int  // supported: false ones, or the planted one
	Pooled *int // claimed by pooled tests; nil where that is not the question
}

// Run draws and judges data sets.
func (w World) Run(seeds int) Rate {
	r := Rate{World: w, Seeds: seeds}
	if w.Flip == 0 && w.Quantile == 0 && w.Share == 0 {
		r.Pooled = new(int)
	}
	for seed := range seeds {
		d := w.draw(seed)
		any, planted := w.found(d)
		if planted || any && w.Flip == 0 {
			r.Flips++
		}
		if r.Pooled != nil && w.pooled(d) {
			*r.Pooled++
		}
	}
	return r
}

// Meaning says what a flip is in this world.
func (w World) Meaning() string {
	switch {
	case w.Flip > 0:
		return "power"
	case w.Change:
		return "claimed"
	}
	return "false"
}

// Worlds are the cases that docs/decisions/0010 reports.
func Worlds() (all []World) {
	for _, n := range []int{3, 6, 8, 12} {
		all = append(all,
			World{Name: "calm", Windows: n, Trials: 5},
			World{Name: "weather 10 %", Windows: n, Trials: 5, Weather: 0.10},
			World{Name: "weather 20 %", Windows: n, Trials: 5, Weather: 0.20},
			World{Name: "regime shift", Windows: n, Trials: 5, Weather: 0.10, Regime: true},
			World{Name: "lasting change", Windows: n, Trials: 5, Weather: 0.10, Change: true},
			World{Name: "failing", Windows: n, Trials: 5, Weather: 0.10, Failing: true},
			World{Name: "planted 1.5×", Windows: n, Trials: 5, Weather: 0.10, Flip: 1.5},
		)
	}
	for _, n := range []int{6, 12} {
		all = append(all,
			World{Name: "weather 20 %", Windows: n, Trials: 15, Weather: 0.20, Quantile: 0.95},
			World{Name: "regime shift", Windows: n, Trials: 15, Weather: 0.10, Regime: true, Quantile: 0.95},
			World{Name: "planted 2.5×", Windows: n, Trials: 15, Weather: 0.10, Flip: 2.5, Quantile: 0.95},
			World{Name: "2 % fail", Windows: n, Trials: 15, Share: 0.02},
			World{Name: "10 % fail, in spells", Windows: n, Trials: 15, Share: 0.10, Weather: 1},
		)
	}
	return all
}

// Targets that the method must meet where plans are meant to decide: twelve
// windows of five trials, medians.
const (
	MaxFalse = 0.05 // data sets without a difference in which a flip is supported
	MinPower = 0.90 // data sets with a planted flip of 1.5× in which it is
)

// Target says what a world must show: the bound, whether it is a lower one, and
// whether there is one at all. No target stands for windows too few to decide
// anything, and none for real changes.
func (w World) Target() (bound float64, atLeast, ok bool) {
	switch {
	case w.Change:
		return 0, false, false
	case w.Flip == 0:
		return MaxFalse, false, true
	case w.Windows >= 12 && w.Quantile == 0:
		return MinPower, true, true
	}
	return 0, false, false
}

// Print runs all worlds and writes a line for each: the share of data sets with
// a supported flip, the ends of its exact (Clopper–Pearson) interval at 95 %,
// and whether the share meets the target. It gives the worlds that miss theirs.
func Print(out io.Writer, seeds int) (missed []string, err error) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "world\twindows × trials\tstatistic\tdata sets\tsupported flips\t\ttarget\t\tpooled tests claim")
	for _, w := range Worlds() {
		r := w.Run(seeds)
		statistic, pooled := "median", ""
		if w.Quantile > 0 {
			statistic = fmt.Sprintf("p%.0f", 100*w.Quantile)
		}
		if w.Share > 0 {
			statistic = "share"
		}
		if r.Pooled != nil {
			pooled = fmt.Sprintf("%.1f %%", 100*float64(*r.Pooled)/float64(seeds))
		}
		share := float64(r.Flips) / float64(seeds)
		target, verdict := "", ""
		if bound, atLeast, ok := w.Target(); ok {
			target, verdict = fmt.Sprintf("≤ %.0f %%", 100*bound), "pass"
			if atLeast {
				target = fmt.Sprintf("≥ %.0f %%", 100*bound)
			}
			if atLeast && share < bound || !atLeast && share > bound {
				verdict = "FAIL"
				missed = append(missed, fmt.Sprintf("%s, %d × %d: %.1f %%, want %s", w.Name, w.Windows, w.Trials, 100*share, target))
			}
		}
		lo, hi := stats.ClopperPearson(r.Flips, seeds, 0.95)
		fmt.Fprintf(t, "%s\t%d × %d\t%s\t%d\t%s %.1f %%\t(%.1f–%.1f)\t%s\t%s\t%s\n",
			w.Name, w.Windows, w.Trials, statistic, seeds, w.Meaning(), 100*share, 100*lo, 100*hi, target, verdict, pooled)
	}
	return missed, t.Flush()
}

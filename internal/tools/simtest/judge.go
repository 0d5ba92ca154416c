package simtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"aircheck/internal/analyze/stats"
)

// Rate is what the method claims of a world's data sets.
type Rate struct {
	World
	Seeds int
	// Data sets in which a pair is decided, or a flip supported, that is false.
	FalseSides, FalseFlips int
	// Planted is how many planted differences there are in all data sets, Found
	// those supported (flips; of one model, the pairs), Oracle those that the same
	// rule finds if it knows variance and dependence.
	Planted, Found, Oracle int
	// Sides in all data sets; Withheld are those without a verdict of any kind;
	// intervals, and those that hold the truth.
	Sides, Withheld, Intervals, Covered int
	// Squares and product over data sets of covered and intervals: sides of one
	// data set are right or wrong together.
	cc, ii, ci float64
}

// coverHigh is the upper end at 99 % of the share of intervals that hold the
// truth, with data sets as clusters (Cochran, "Sampling Techniques", 3rd ed.
// (1977), 6.15).
func (r *Rate) coverHigh() float64 {
	share, n := float64(r.Covered)/float64(r.Intervals), float64(r.Seeds)
	variance := (r.cc - 2*share*r.ci + share*share*r.ii) * n / (n - 1) / float64(r.Intervals) / float64(r.Intervals)
	return share + 2.576*math.Sqrt(max(0, variance))
}

func (r *Rate) add(o Rate) {
	r.Seeds += o.Seeds
	r.FalseSides += o.FalseSides
	r.FalseFlips += o.FalseFlips
	r.Planted += o.Planted
	r.Found += o.Found
	r.Oracle += o.Oracle
	r.Sides += o.Sides
	r.Withheld += o.Withheld
	r.Intervals += o.Intervals
	r.Covered += o.Covered
	r.cc, r.ii, r.ci = r.cc+o.cc, r.ii+o.ii, r.ci+o.ci
}

// Run draws and judges so many data sets, from the seed first on, by so many
// workers. Rates that a choice was tuned on say little: they are stated of seeds
// that no choice has seen.
func (w World) Run(first, seeds, workers int) Rate {
	return w.run(first, seeds, workers, w.judge)
}

func (w World) run(first, seeds, workers int, judge func(seed int) Rate) Rate {
	total := Rate{World: w}
	rates := make([]Rate, seeds)
	var g sync.WaitGroup
	for k := range max(1, workers) {
		g.Go(func() {
			for seed := k; seed < seeds; seed += max(1, workers) {
				rates[seed] = judge(first + seed)
			}
		})
	}
	g.Wait()
	for _, r := range rates {
		total.add(r)
	}
	return total
}

// claim is 1 or −1 for a side that is decided, else 0.
func claim(v *stats.Verdict) int {
	switch {
	case !v.Decided:
		return 0
	case v.Difference > 0:
		return 1
	}
	return -1
}

func (w World) judge(seed int) Rate {
	r := Rate{World: w, Seeds: 1}
	data := w.Draw(seed)
	times := make([]float64, w.Windows)
	for i := range times {
		times[i] = float64(i)
	}
	verdicts, _ := w.measure().Judge(times, data, 1)
	claims, truth := make([][]int, w.Models), make([][]int, w.Models)
	for m := range verdicts {
		for j := range verdicts[m] {
			v := &verdicts[m][j]
			real := w.effect(m, v.A) - w.effect(m, v.B)
			sign := 0
			if real != 0 {
				sign = int(math.Copysign(1, real))
			}
			claims[m], truth[m] = append(claims[m], claim(v)), append(truth[m], sign)
			r.Sides++
			if !v.Decided && v.Why != stats.WhyMargin && v.Why != stats.WhyPower {
				r.Withheld++
			}
			if v.Error > 0 && w.Statistic != Share {
				r.Intervals++
				if math.Abs(v.Difference-real) <= v.Half(0.95) {
					r.Covered++
				}
			}
		}
	}
	c, i := float64(r.Covered), float64(r.Intervals)
	r.cc, r.ii, r.ci = c*c, i*i, c*i
	r.tally(claims, truth)
	if w.Flip > 0 && w.Statistic == Median {
		found := Rate{World: w}
		found.tally(w.oracle(data), truth)
		r.Oracle = found.Found
	}
	return r
}

// tally counts false sides and flips, and the planted ones that were found.
func (r *Rate) tally(claims, truth [][]int) {
	side, flip := false, false
	for m := range claims {
		for j, c := range claims[m] {
			side = side || c != 0 && c != truth[m][j]
			if r.Models == 1 && truth[m][j] != 0 {
				r.Planted++
				if c == truth[m][j] {
					r.Found++
				}
			}
			for n := range m {
				planted := truth[m][j]*truth[n][j] < 0
				claimed := c*claims[n][j] < 0
				flip = flip || claimed && !planted
				if planted {
					r.Planted++
					if claimed {
						r.Found++
					}
				}
			}
		}
	}
	if side {
		r.FalseSides++
	}
	if flip {
		r.FalseFlips++
	}
}

// oracle decides by the same rule, knowing how much windows vary and depend.
func (w World) oracle(data [][]stats.Entry) [][]int {
	own, n := w.own(), float64(w.Windows)
	inflation := 1.0
	for k := 1; k < w.Windows; k++ {
		inflation += 2 * (1 - float64(k)/n) * math.Pow(own.Rho, float64(k))
	}
	sd := math.Sqrt(2 * (own.SD*own.SD*inflation + w.medianVariance()) / n)
	var p []*float64
	var difference []float64
	for _, contest := range data {
		for b := range contest {
			for a := range b {
				sum := 0.0
				for i := range contest[a].Windows {
					x, _ := stats.Quantile(contest[a].Windows[i].Values, 0.5)
					y, _ := stats.Quantile(contest[b].Windows[i].Values, 0.5)
					sum += math.Log(x / y)
				}
				difference = append(difference, sum/n)
				p = append(p, new(math.Erfc(math.Abs(sum/n)/sd/math.Sqrt2)))
			}
		}
	}
	claims := make([]int, len(p))
	for i, q := range stats.BenjaminiHochberg(p) {
		if *q <= stats.Level && math.Abs(difference[i]) > math.Log(1.1) {
			claims[i] = int(math.Copysign(1, difference[i]))
		}
	}
	return slices.Collect(slices.Chunk(claims, len(claims)/w.Models))
}

// medianVariance is that of the logarithm of a window's median, from the trials.
func (w World) medianVariance() float64 {
	r := rand.New(stats.PCG(stats.Seed("median of trials")))
	const draws = 4000
	var sum, square float64
	v := make([]float64, w.Trials)
	for range draws {
		for i := range v {
			v[i] = w.noise(r)
		}
		slices.Sort(v)
		m, _ := stats.Quantile(v, 0.5)
		sum, square = sum+m, square+m*m
	}
	return square/draws - sum*sum/draws/draws
}

package main

import (
	"fmt"
	"math"
	"strings"

	"aircheck/internal/kit/human"
)

// pair works the first side of the flip through.
func (p *example) pair() {
	w, s := p.windows(model1), p.side(model1)
	if p.err != nil || len(w) == 0 {
		return
	}
	n := len(w)
	p.printf("## One side by hand\n\nIs %s faster than %s on %s, seen from %s? %d windows have both. One value is its own median.\n\n", a, b, model1, at, n)
	p.printf("```\nanalyze sql traces \"SELECT \\\"window\\\", provider, e2e_ms FROM results\n  WHERE measured AND model = '%s' AND vantage = '%s' AND provider IN ('%s', '%s') ORDER BY ALL\"\n```\n\n", model1, at, a, b)
	p.printf("| window (UTC) | %s, ms | %s, ms | ratio | its logarithm |\n|---|---:|---:|---:|---:|\n", a, b)
	for _, x := range w {
		p.printf("| %s | %.3f | %.3f | %.4f | %.4f |\n", strings.Replace(x.id[:16], "T", " ", 1), x.a, x.b, x.ratio(), math.Log(x.ratio()))
	}
	mean, spread := logs(w)
	plain := spread / math.Sqrt(float64(n))
	p.printf("\n**The ratio.** What a window did to both cancels in its ratio. The mean of the logarithms is %.4f, which is a ratio of %.4f: %s is 1 ÷ %.4f = %s faster. (A window far from the others would be drawn in to three spreads from their middle; none of these is.)\n\n",
		mean, s.ratio, a, s.ratio, human.Ratio(1/s.ratio))
	p.printf("**How far chance goes.** The logarithms spread by %.4f. If windows told nothing of each other, their mean would be uncertain by %.4f ÷ √%d = %.4f. Two things change that. Neighbouring windows of a provider resemble each other: over all providers and models of the metric their correlation is %.2f, so that %d windows are worth %.1f. And %d windows tell how far a pair spreads only roughly, so that its spread is drawn towards that of all pairs. Together they make the interval %.4f to %.4f, and p = %s, of a difference of a quarter of the margin at most. The formulas stand at `stats.Panel.Compare`.\n\n",
		spread, spread, n, plain, s.rho, n, s.worth, n, s.lo, s.hi, figures(s.p))

	p.adjust(s)

	p.printf("**The margin.** 1 ÷ %.4f = %.2f is more than 1.10. The levels are %.1f ms and %.1f ms, %.1f ms apart, which is more than 50 ms. There are %d windows, and eight would do. The side is decided. Each quarter of the day was seen on two days or more, so that it is not the time of day: the verdict is lasting.\n\n",
		s.ratio, 1/s.ratio, s.levelA, s.levelB, s.levelB-s.levelA, n)

	t := p.side(model2)
	p.printf("## The other side\n\nOn %s, over %d windows, %s takes %.4f times as long (%.4f to %.4f); p = %s, q = %s, the levels are %.1f ms and %.1f ms. That is decided, too, the other way round: the flip is supported.\n\n",
		model2, t.windows, a, t.ratio, t.lo, t.hi, figures(t.p), figures(t.q), t.levelA, t.levelB)
	p.printf("## What it does not say\n\nThat the order holds in other months, or from other places: nothing tells the same two apart on both models from Virginia or Seattle. The tool that wrote these results asked from one client a place; its network is in every number. And both sides lie close to their margin: a reader who asks for 30 %% has no flip left.\n")
}

// logs gives mean and standard deviation of the windows' logarithms.
func logs(w []window) (mean, spread float64) {
	for _, x := range w {
		mean += math.Log(x.ratio()) / float64(len(w))
	}
	for _, x := range w {
		spread += math.Pow(math.Log(x.ratio())-mean, 2) / float64(len(w)-1)
	}
	return mean, math.Sqrt(spread)
}

// adjust shows Benjamini and Hochberg's step for the side.
func (p *example) adjust(s side) {
	all := p.family()
	last := 0 // how many p-values are as small
	for last < len(all) && all[last] <= s.p {
		last++
	}
	best, q := last, 2.0
	for j := last; j <= len(all); j++ {
		if v := all[j-1] * float64(len(all)) / float64(j); v < q {
			best, q = j, v
		}
	}
	p.printf("**All sides together.** The metric has %d sides with a test, and this p-value is the %dth from below. Benjamini and Hochberg's q is the smallest of p × %d ÷ place over this and all larger ones. Here that is the one at place %d: %s × %d ÷ %d = %s, below 0.05.\n\n",
		len(all), last, len(all), best, figures(all[best-1]), len(all), best, figures(s.q))
}

// figures writes a small number with three significant digits.
func figures(v float64) string { return fmt.Sprintf("%.3g", v) }

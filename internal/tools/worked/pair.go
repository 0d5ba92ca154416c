package worked

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/kit/human"
)

// pair works the first side of the flip through.
func (p *page) pair() {
	w, s := p.windows(model1), p.side(model1)
	if p.err != nil || len(w) == 0 {
		return
	}
	n := len(w)
	p.printf("## One side by hand\n\nIs %s faster than %s on %s, seen from %s? %d windows have both. One value is its own median.\n\n", a, b, model1, at, n)
	p.printf("```\nanalyze sql traces \"SELECT \\\"window\\\", provider, ttft_ms FROM results\n  WHERE measured AND model = '%s' AND vantage = '%s' AND provider IN ('%s', '%s') ORDER BY ALL\"\n```\n\n", model1, at, a, b)
	p.table(w)

	count := subsets(n)
	plus, minus := rankSums(w)
	small := min(plus, minus)
	p.printf(`**The test.** Order the windows by the larger value over the smaller (that is the order of |log ratio|) and number them. Where %s is the slower one the number counts as +, else as −. The sums are %d and %d. If it were all the same, each of the 2^%d = %d ways to set the signs would be as likely. Sums of %d or less come up in %d of them (%s), so

    p = 2 × %d ÷ %d = %s

`, a, plus, minus, n, 1<<n, small, upTo(count, small), tally(count, small), upTo(count, small), 1<<n, figures(s.p))

	m := means(w)
	k := 1
	for 40*upTo(count, k) <= 1<<n { // the sums below k+1 have 2.5 % at most
		k++
	}
	mid := len(m) / 2
	p.printf("**The ratio.** Multiply every two ratios and take the root, each with itself, too: %d numbers, in order\n\n", len(m))
	p.list(m, []int{k - 1, mid - 1, mid, len(m) - k})
	p.printf("The middle two are %.4f and %.4f; the root of their product is the estimate, %.4f: %s takes %.4f times as long, or is 1 ÷ %.4f = %s faster. The interval runs from the %dth number to the %dth from the end, since sums below %d have %d of %d ways (%.2f %%, and one more would be over 2.5 %%): %.4f to %.4f, turned over %.4f to %.4f.\n\n",
		m[mid-1], m[mid], s.ratio, a, s.ratio, s.ratio, human.Ratio(1/s.ratio), k, k, k, upTo(count, k-1), 1<<n, 100*float64(upTo(count, k-1))/float64(int(1)<<n), m[k-1], m[len(m)-k], 1/m[len(m)-k], 1/m[k-1])

	p.adjust(s)

	p.printf("**The margin.** 1 ÷ %.4f = %.2f is more than 1.10. The medians of the columns are %.1f ms and %.1f ms, %.1f ms apart, which is more than 50 ms. There are %d windows, and six would do. The side is decided.\n\n",
		s.ratio, 1/s.ratio, s.levelA, s.levelB, s.levelB-s.levelA, n)

	t := p.side(model2)
	p.printf("## The other side\n\nOn %s, over %d windows, %s takes %.4f times as long (%.4f to %.4f); p = %s, q = %s, the medians are %.1f ms and %.1f ms. That is decided, too, the other way round: the flip is supported.\n\n",
		model2, t.windows, a, t.ratio, t.lo, t.hi, figures(t.p), figures(t.q), t.levelA, t.levelB)
	p.printf("## What it does not say\n\nThat the order holds in other months, or from other places: from Paris and Virginia the same two are too close to rank on both models. The tool that wrote these results asked from one client a place; its network is in every number. And one side lies close to its margin: a reader who asks for 25 %% and 50 ms has no flip left.\n")
}

// table lists the windows with rank and sign.
func (p *page) table(w []window) {
	rank := ranks(w)
	p.printf("| window (UTC) | %s, ms | %s, ms | ratio | larger ÷ smaller | number |\n|---|---:|---:|---:|---:|---:|\n", a, b)
	for i, x := range w {
		sign := "−"
		if x.ratio() > 1 {
			sign = "+"
		}
		p.printf("| %s | %.3f | %.3f | %.4f | %.4f | %s%d |\n", strings.Replace(x.id[:16], "T", " ", 1), x.a, x.b, x.ratio(), x.factor(), sign, rank[i])
	}
	p.printf("\n")
}

// ranks numbers windows by their factor, 1 for the smallest.
func ranks(w []window) []int {
	order := make([]int, len(w))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(w[i].factor(), w[j].factor()) })
	out := make([]int, len(w))
	for place, i := range order {
		out[i] = place + 1
	}
	return out
}

func rankSums(w []window) (plus, minus int) {
	for i, rank := range ranks(w) {
		if w[i].ratio() > 1 {
			plus += rank
		} else {
			minus += rank
		}
	}
	return plus, minus
}

// tally writes how many ways each sum up to the last has: "1 + 1 + 1 + 2 + …".
func tally(count []int, last int) string {
	var parts []string
	for _, c := range count[:last+1] {
		parts = append(parts, human.Count(int64(c)))
	}
	return strings.Join(parts, " + ")
}

// list writes numbers in rows of thirteen, those at some places in bold.
func (p *page) list(m []float64, bold []int) {
	const wide = 13
	p.printf("|%s\n|%s\n", strings.Repeat(" |", wide), strings.Repeat("---:|", wide))
	for i, v := range m {
		mark := ""
		if slices.Contains(bold, i) {
			mark = "**"
		}
		p.printf("| %s%.3f%s ", mark, v, mark)
		if i%wide == wide-1 || i == len(m)-1 {
			p.printf("|\n")
		}
	}
	p.printf("\n")
}

// adjust shows Benjamini and Hochberg's step for the side.
func (p *page) adjust(s side) {
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

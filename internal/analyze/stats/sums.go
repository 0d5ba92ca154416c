package stats

import (
	"cmp"
	"math"
	"slices"
)

// Sums is what one window holds of a quantity that is a ratio of sums: answers
// over attempts, dollars over useful results. Both are ≥ 0.
type Sums struct {
	ID       string
	Num, Den int64
}

// sums is one window; ratio is +Inf where nothing came of what was spent.
type sums struct {
	id       string
	num, den int64
	ratio    float64
}

// SumCell is the windows of one provider in one contest, for a ratio of sums,
// ordered once for all the comparisons that it takes part in. It may be used by
// several goroutines.
type SumCell struct{ windows []sums }

// NewSumCell adds up windows of one ID, orders them, and leaves those without
// anything out.
func NewSumCell(windows []Sums) *SumCell {
	byID := map[string]sums{}
	for _, w := range windows {
		s := byID[w.ID]
		byID[w.ID] = sums{id: w.ID, num: s.num + w.Num, den: s.den + w.Den}
	}
	var out []sums
	for _, s := range byID {
		if s.num == 0 && s.den == 0 {
			continue
		}
		s.ratio = float64(s.num) / float64(s.den)
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b sums) int { return cmp.Compare(a.id, b.id) })
	return &SumCell{out}
}

// Ratio is ΣNum ÷ ΣDen over all windows; nil where nothing came.
func (c *SumCell) Ratio() *float64 {
	_, v := total(c.windows)
	return v
}

// Against sets ratios of sums against each other, over the windows that
// both sides have. Level is ΣNum ÷ ΣDen, Ratio that of the levels, NA and NB
// are ΣDen.
//
// Six common windows or more: P is Wilcoxon's signed rank test of the windows'
// ratios, paired, and the interval Student's around log Ratio, with the
// variance of the ratio's linear approximation over windows, which counts what
// the sides share in a window.
//
// Fewer windows: where Num counts cases among Den (shares), P is the
// Mann–Whitney test within windows of a 1 for each case and a 0 for each other,
// with ties, which is the test of stratified 2×2 tables. Every window must agree
// in direction, else Evidence is none. Other ratios have neither test nor
// evidence then, since a sum has no spread within a window.
//
// Sources: Woodruff, "A simple method for approximating the variance of a
// complicated estimate", JASA 66 (1971), for the interval; Lehmann,
// "Nonparametrics" (1975), 3.3 for the sum over strata.
func (a *SumCell) Against(b *SumCell, shares bool, o Options) Comparison {
	o = o.filled()
	x, y := commonSums(a.windows, b.windows)
	s := Comparison{Evidence: EvidenceNone, Windows: len(x)}
	s.sums(x, y)
	switch {
	case len(x) >= o.Windows:
		pairs := make([]Pair, len(x))
		for i := range x {
			pairs[i] = Pair{x[i].ratio, y[i].ratio}
		}
		t, _ := SignedRankRatio(pairs)
		s.P, s.Evidence = &t.P, EvidenceWindows
		s.around(varianceOf(influence(x, y)), len(x)-1, o.Confidence)
	case len(x) > 0 && shares:
		strata := make([]Stratum, len(x))
		for i := range x {
			strata[i] = Stratum{x[i].cases(), y[i].cases()}
		}
		t, ok := StratifiedMannWhitney(strata)
		if !ok {
			break
		}
		s.P = &t.P
		if agreeSums(x, y) {
			s.Evidence = EvidenceWithin
		}
	}
	return s
}

// sums sets levels, counts and ratio.
func (s *Comparison) sums(x, y []sums) {
	na, la := total(x)
	nb, lb := total(y)
	s.NA, s.NB, s.LevelA, s.LevelB = int(na), int(nb), la, lb
	if la != nil && lb != nil {
		s.Ratio = positive(Estimate{Value: new(ratio(*la, *lb))}).Value
	}
}

// total is ΣDen, and ΣNum ÷ ΣDen.
func total(w []sums) (den int64, ratio *float64) {
	var num int64
	for _, e := range w {
		num, den = num+e.num, den+e.den
	}
	if den > 0 {
		ratio = new(float64(num) / float64(den))
	}
	return den, ratio
}

// around sets the interval Ratio · exp(±t·√variance).
func (s *Comparison) around(variance float64, nu int, conf float64) {
	if s.Ratio == nil {
		return
	}
	half := studentQuantile(1-conf, nu) * math.Sqrt(variance)
	e := positive(Estimate{Lo: new(portable(*s.Ratio * math.Exp(-half))), Hi: new(portable(*s.Ratio * math.Exp(half)))})
	s.Lo, s.Hi = e.Lo, e.Hi
}

// varianceOf parts that add up to zero: n/(n−1) · Σu².
func varianceOf(u []float64) float64 {
	sum := 0.0
	for _, v := range u {
		sum += float64(v * v)
	}
	n := float64(len(u))
	return sum * n / (n - 1)
}

// influence is each window's part in the logarithm of the ratio; the parts add
// up to zero.
func influence(x, y []sums) []float64 {
	u := pull(x)
	for i, v := range pull(y) {
		u[i] -= v
	}
	return u
}

// pull is each window's part in log(ΣNum ÷ ΣDen).
func pull(w []sums) []float64 {
	var num, den int64
	for _, e := range w {
		num, den = num+e.num, den+e.den
	}
	u := make([]float64, len(w))
	for i, e := range w {
		u[i] = float64(e.num)/float64(num) - float64(e.den)/float64(den)
	}
	return u
}

// cases are a 1 for each case and a 0 for each other.
func (s sums) cases() []float64 {
	v := make([]float64, s.den)
	for i := range min(s.num, s.den) {
		v[i] = 1
	}
	return v
}

// agreeSums reports whether no window points against the levels.
func agreeSums(x, y []sums) bool {
	var c Comparison
	c.sums(x, y)
	if c.LevelA == nil || c.LevelB == nil {
		return false
	}
	way := cmp.Compare(*c.LevelA, *c.LevelB)
	for i := range x {
		if way*cmp.Compare(x[i].ratio, y[i].ratio) < 0 {
			return false
		}
	}
	return way != 0
}

func commonSums(x, y []sums) (a, b []sums) {
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch cmp.Compare(x[i].id, y[j].id) {
		case -1:
			i++
		case 1:
			j++
		default:
			a, b = append(a, x[i]), append(b, y[j])
			i++
			j++
		}
	}
	return a, b
}

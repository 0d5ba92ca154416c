package stats

import (
	"cmp"
	"math"
	"slices"
)

// Calls is what one provider answered of one kind of request (stratum) on one
// day: how many, and the sum of the logarithms of their values.
type Calls struct {
	Stratum, Day string
	N            int
	Sum          float64
}

// Thresholds below which requests of two providers are not compared.
const (
	LeastDays    = 5   // that have a kind of request in common
	LeastOverlap = 0.5 // of either provider's calls, in kinds and days that both have
)

// Alike compares two providers over requests that are alike.
type Alike struct {
	Raw                float64 // difference of the mean logarithms, whatever was asked
	Difference         float64 // the same within kinds and days
	Error              float64 // standard error of Difference
	P                  float64 // two-sided, of no difference; 1 without a test
	Days               int     // with a kind in common
	OverlapA, OverlapB float64 // share of calls in kinds and days that both have
	Comparable         bool    // days and overlaps suffice
}

// Half is half the width of the interval of the difference.
func (a *Alike) Half(conf float64) float64 { return tQuantile(1-conf, float64(a.Days-1)) * a.Error }

// CompareAlike takes traffic, in which providers got different requests. The
// difference is Σ w·(mean A − mean B) ÷ Σ w over all kinds and days that both
// have, with w = nA·nB ÷ (nA + nB), the weight of a difference of two means. Days
// are the clusters: what a day does to a provider is in all its calls of the day.
//
// Sources: Cochran, "Some methods for strengthening the common χ² tests",
// Biometrics 10 (1954), for the weights; Liang & Zeger,
// "Longitudinal data analysis using generalized linear models", Biometrika 73
// (1986), for the variance over clusters.
func CompareAlike(a, b []Calls) Alike {
	var out Alike
	type key struct{ day, stratum string }
	other := map[key]Calls{}
	var nA, nB int
	var sumA, sumB float64
	for _, c := range b {
		other[key{c.Day, c.Stratum}] = c
		nB, sumB = nB+c.N, sumB+c.Sum
	}
	type day struct{ num, den float64 }
	days := map[string]day{}
	var inA, inB int
	list := slices.Clone(a)
	slices.SortFunc(list, func(x, y Calls) int { return cmp.Or(cmp.Compare(x.Day, y.Day), cmp.Compare(x.Stratum, y.Stratum)) })
	for _, c := range list {
		nA, sumA = nA+c.N, sumA+c.Sum
		o, ok := other[key{c.Day, c.Stratum}]
		if !ok {
			continue
		}
		x, y := float64(c.N), float64(o.N)
		w := x * y / (x + y)
		d := days[c.Day]
		days[c.Day] = day{d.num + float64(w*(c.Sum/x-o.Sum/y)), d.den + w}
		inA, inB = inA+c.N, inB+o.N
	}
	out.P = 1
	if nA == 0 || nB == 0 {
		return out
	}
	out.Raw = sumA/float64(nA) - sumB/float64(nB)
	out.OverlapA, out.OverlapB = float64(inA)/float64(nA), float64(inB)/float64(nB)
	out.Days = len(days)
	var num, den, square float64
	names := make([]string, 0, len(days))
	for name := range days {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		num, den = num+days[name].num, den+days[name].den
	}
	if den == 0 {
		return out
	}
	out.Difference = num / den
	for _, name := range names {
		u := days[name].num - float64(out.Difference*days[name].den)
		square += float64(u * u)
	}
	if n := float64(out.Days); n > 1 {
		out.Error = math.Sqrt(n/(n-1)*square) / den
	}
	out.Comparable = out.Days >= LeastDays && min(out.OverlapA, out.OverlapB) >= LeastOverlap
	switch {
	case !out.Comparable:
	case out.Error > 0:
		out.P = portable(tTwoSided(out.Difference/out.Error, float64(out.Days-1)))
	case out.Difference != 0:
		out.P = 1e-16
	}
	return out
}

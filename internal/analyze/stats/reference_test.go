package stats_test

import (
	"math"
	"slices"
	"testing"

	"aircheck/internal/analyze/stats"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tol {
		t.Errorf("%s: got %.12g, want %.12g", what, got, want)
	}
}

func nearEstimate(t *testing.T, what string, e stats.Estimate, value, lo, hi, tol float64) {
	t.Helper()
	if e.Value == nil || e.Lo == nil || e.Hi == nil {
		t.Fatalf("%s: an end is missing: %+v", what, e)
	}
	near(t, what+" value", *e.Value, value, tol)
	near(t, what+" lo", *e.Lo, lo, tol)
	near(t, what+" hi", *e.Hi, hi, tol)
}

func TestQuantileType7(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	// By hand: position 1 + 3p.
	for p, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 2.5, 0.9: 3.7, 1: 4} {
		got, ok := stats.Quantile(x, p)
		if !ok {
			t.Fatal("no quantile")
		}
		near(t, "quantile", got, want, 1e-12)
	}
	if _, ok := stats.Quantile(nil, 0.5); ok {
		t.Error("an empty sample has a median")
	}
	inf := math.Inf(1)
	if got, _ := stats.Quantile([]float64{1, inf, inf}, 0.75); !math.IsInf(got, 1) {
		t.Errorf("between two that never came: %v", got)
	}
}

// The smallest samples that bound a percentile on both sides at 95 %, and the
// textbook ranks for the median (David & Nagaraja, table in 7.1).
func TestQuantileRanks(t *testing.T) {
	for p, n := range map[float64]int{0.5: 6, 0.9: 36, 0.95: 72, 0.99: 368} {
		if _, _, lo, hi := stats.QuantileRanks(n, p, 0.95); !lo || !hi {
			t.Errorf("p=%v: n=%d does not bound it", p, n)
		}
		if _, _, lo, hi := stats.QuantileRanks(n-1, p, 0.95); lo && hi {
			t.Errorf("p=%v: n=%d bounds it", p, n-1)
		}
	}
	for _, c := range []struct{ n, lo, hi int }{{6, 1, 6}, {8, 1, 8}, {9, 2, 8}, {10, 2, 9}, {20, 6, 15}, {25, 8, 18}, {100, 40, 61}} {
		for range 2 { // the second time from memory
			if lo, hi, _, _ := stats.QuantileRanks(c.n, 0.5, 0.95); lo != c.lo || hi != c.hi {
				t.Errorf("n=%d: ranks %d, %d, want %d, %d", c.n, lo, hi, c.lo, c.hi)
			}
		}
	}
	// p95 of 30: bounded below, not above.
	if _, _, lo, hi := stats.QuantileRanks(30, 0.95, 0.95); !lo || hi {
		t.Errorf("p95 of 30: lo %v, hi %v", lo, hi)
	}
	// A large sample against the normal approximation of the binomial.
	lo, hi, _, _ := stats.QuantileRanks(1_000_000, 0.95, 0.95)
	near(t, "lo", float64(lo), 950000-1.96*math.Sqrt(1e6*0.95*0.05), 2)
	near(t, "hi", float64(hi), 950001+1.96*math.Sqrt(1e6*0.95*0.05), 2)
}

func TestQuantileInterval(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	nearEstimate(t, "median", stats.QuantileInterval(x, 0.5, 0.95), 5.5, 2, 9, 0)
	if e := stats.QuantileInterval(x, 0.95, 0.95); e.Value == nil || e.Lo == nil || e.Hi != nil {
		t.Errorf("p95 of ten: %+v", e)
	}
}

// Fisher's tea taster, and two tables checked with R and SciPy.
func TestFisher(t *testing.T) {
	near(t, "tea", stats.FisherTest(3, 4, 1, 4), 34.0/70, 1e-12)
	near(t, "8/10 against 1/6", stats.FisherTest(8, 10, 1, 6), 0.034965034965034975, 1e-12)
	near(t, "40/100 against 20/100", stats.FisherTest(40, 100, 20, 100), 0.0031918168259287634, 1e-12)
	near(t, "nothing", stats.FisherTest(0, 0, 0, 5), 1, 1e-15)
}

// Newcombe 1998 (the first of two papers), table I.
func TestProportions(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}} {
		nearEstimate(t, "Wilson", stats.Wilson(c.k, c.n, 0.95), float64(c.k)/float64(c.n), c.lo, c.hi, 5e-5)
	}
	if e := stats.Wilson(0, 0, 0.95); e.Value != nil || e.Lo != nil {
		t.Errorf("no attempts have a share: %+v", e)
	}
}

// Hollander & Wolfe, table 3.1 (depression scores): V = 40, one-sided 0.0195,
// estimate 0.46, interval 0.010 to 0.786.
func TestSignedRankDepression(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	got, ok := stats.SignedRank(d)
	if !ok || !got.Exact || got.Statistic != 40 {
		t.Errorf("test: %+v", got)
	}
	near(t, "p", got.P, 0.0390625, 1e-15)
	nearEstimate(t, "estimate", stats.HodgesLehmann(d, 0.95), 0.46, 0.010, 0.786, 1e-9)
}

// Values that SciPy 1.17 gives (wilcoxon, method approx, Pratt, corrected).
func TestSignedRankLarge(t *testing.T) {
	var d, zeros []float64
	for i := range 80 {
		d = append(d, float64((i*37)%101)-40.5+float64(i%3))
	}
	for i := range 70 {
		zeros = append(zeros, float64((i*7)%11)-4)
	}
	got, _ := stats.SignedRank(d)
	near(t, "p", got.P, 0.0038245477006051388, 1e-12)
	got, _ = stats.SignedRank(zeros)
	near(t, "p with zeros and ties", got.P, 0.018085051461528605, 1e-12)
	if got.Exact || got.N != 70 {
		t.Errorf("test: %+v", got)
	}
}

func TestSignedRankEdges(t *testing.T) {
	if _, ok := stats.SignedRank(nil); ok {
		t.Error("a test of nothing")
	}
	if got, ok := stats.SignedRank([]float64{0, 0, 0}); !ok || got.P != 1 {
		t.Errorf("only zeros: %+v", got)
	}
	for n := 1; n <= 12; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(i + 1)
		}
		got, _ := stats.SignedRank(d)
		near(t, "smallest p", got.P, math.Ldexp(1, 1-n), 0)
	}
}

// Hollander & Wolfe, table 4.1 (permeability of membranes): W = 35, one-sided
// 0.1272; shift and interval as R's wilcox.test gives them.
func TestMannWhitneyPermeability(t *testing.T) {
	a := []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	b := []float64{1.15, 0.88, 0.90, 0.74, 1.21}
	got, ok := stats.MannWhitney(a, b)
	if !ok || !got.Exact || got.Statistic != 35 {
		t.Errorf("test: %+v", got)
	}
	near(t, "p", got.P, 0.2544122544122544, 1e-12)
	nearEstimate(t, "shift", stats.Shift([]stats.Stratum{{A: a, B: b}}, 0.95), 0.305, -0.15, 0.76, 1e-9)
}

// With ties, against SciPy's asymptotic value.
func TestMannWhitneyTies(t *testing.T) {
	var a, b []float64
	for i := range 30 {
		a = append(a, float64((i*7)%13))
	}
	for i := range 40 {
		b = append(b, float64((i*5)%17)-1)
	}
	got, _ := stats.MannWhitney(a, b)
	near(t, "U", got.Statistic, 525.5, 0)
	near(t, "p", got.P, 0.3788852194176333, 1e-12)
	if got, _ := stats.MannWhitney([]float64{1, 1}, []float64{1, 1, 1}); got.P != 1 {
		t.Errorf("equal values: %+v", got)
	}
	if _, ok := stats.MannWhitney(nil, b); ok {
		t.Error("a test against nothing")
	}
}

// The fifteen p-values of Benjamini & Hochberg 1995, section 4: four rejected
// at 5 % (Bonferroni: three). q by hand, such as 15·0.0095/4.
func TestBenjaminiHochberg(t *testing.T) {
	p := []float64{0.0095, 0.0001, 0.0004, 0.0019, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000}
	in := []*float64{nil}
	for _, v := range p {
		in = append(in, &v)
	}
	q := stats.BenjaminiHochberg(in)
	if q[0] != nil {
		t.Error("a side without a test got a q-value")
	}
	rejected := 0
	for _, v := range q[1:] {
		if *v <= 0.05 {
			rejected++
		}
	}
	if rejected != 4 {
		t.Errorf("%d rejected, want 4", rejected)
	}
	near(t, "q", *q[1], 15*0.0095/4, 1e-15)
	near(t, "q of the sixth, lowered by the seventh", *q[6], 15*0.0298/7, 1e-15)
	near(t, "q of the last", *q[15], 1, 0)
	if slices.ContainsFunc(q[1:], func(v *float64) bool { return *v > 1 }) {
		t.Error("a q-value above 1")
	}
}

// By hand: of six pairs four agree, one is tied in x and one in y, so
// (4−0)/√(5·5).
func TestKendall(t *testing.T) {
	tau, ok := stats.KendallTauB([]float64{1, 2, 2, 3}, []float64{1, 2, 3, 3})
	if !ok {
		t.Fatal("no tau")
	}
	near(t, "tau", tau, 0.8, 1e-15)
	tau, _ = stats.KendallTauB([]float64{12, 2, 1, 12, 2}, []float64{1, 4, 7, 1, 0})
	near(t, "tau", tau, -0.4714045207910316, 1e-12) // SciPy
	if _, ok := stats.KendallTauB([]float64{1, 1}, []float64{1, 2}); ok {
		t.Error("a constant is correlated")
	}
}

// Sen 1968, section 5: slope 4. Intervals as SciPy's theilslopes gives them.
func TestTheilSen(t *testing.T) {
	x := []float64{1, 2, 3, 4, 10, 12, 18}
	y := []float64{9, 15, 19, 20, 45, 55, 78}
	var points []stats.Point
	for i := range x {
		points = append(points, stats.Point{X: x[i], Y: y[i]})
	}
	nearEstimate(t, "Sen", stats.TheilSen(points, 0.95), 4, 26.0/7, 35.0/8, 1e-12)

	points = nil
	for i, x := range slices.Concat(slices.Repeat([]float64{1000}, 6), slices.Repeat([]float64{8000}, 6), slices.Repeat([]float64{32000}, 6)) {
		points = append(points, stats.Point{X: x, Y: 120 + float64(i*37%50) + x/100})
	}
	nearEstimate(t, "sweep", stats.TheilSen(points, 0.95), 0.009916666666666667, 0.009387096774193549, 0.010916666666666667, 1e-12)

	if e := stats.TheilSen([]stats.Point{{1, 2}, {1, 3}}, 0.95); e.Value != nil {
		t.Errorf("one length has a slope: %+v", e)
	}
	if e := stats.TheilSen([]stats.Point{{1, 2}, {2, 4}}, 0.95); e.Value == nil || *e.Value != 2 || e.Lo != nil {
		t.Errorf("two points: %+v", e)
	}
}

package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"aircheck/internal/analyze/stats"
)

// windows names windows w0, w1, … in order.
func windows(values ...[]float64) []stats.Window {
	w := make([]stats.Window, len(values))
	for i, v := range values {
		w[i] = stats.Window{ID: fmt.Sprintf("w%d", i), Values: v}
	}
	return w
}

func repeat(n int, f func(i int) []float64) []stats.Window {
	v := make([][]float64, n)
	for i := range v {
		v[i] = f(i)
	}
	return windows(v...)
}

func value(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: missing, want %v", what, want)
		return
	}
	near(t, what, *got, want, 1e-12)
}

// Six windows of very different levels, A always twice B: by hand, all signs
// agree, so p = 2/64.
func TestComparePaired(t *testing.T) {
	a := repeat(6, func(i int) []float64 { m := 200 * float64(i+1); return []float64{m - 10, m, m + 30} })
	b := repeat(6, func(i int) []float64 { m := 100 * float64(i+1); return []float64{m, m + 1, m - 1, m + 2, m - 2} })
	s := stats.Compare(a, b, stats.Options{})
	value(t, "ratio", s.Ratio, 2)
	value(t, "lo", s.Lo, 2)
	value(t, "hi", s.Hi, 2)
	value(t, "p", s.P, 2.0/64)
	value(t, "level a", s.LevelA, 700)
	value(t, "level b", s.LevelB, 350)
	if s.Evidence != stats.EvidenceWindows || s.Windows != 6 || s.NA != 18 || s.NB != 30 {
		t.Errorf("side: %+v", s)
	}
	margin := stats.Margin{Ratio: 1.10, Abs: 50}
	for q, want := range map[float64]bool{0.03125: true, 0.06: false} {
		if s.Decided(&q, 0.05, margin) != want {
			t.Errorf("q = %v: decided is not %v", q, want)
		}
	}
	if s.Decided(nil, 0.05, margin) || s.Beyond(stats.Margin{Ratio: 2.1}) || s.Beyond(stats.Margin{Ratio: 1.1, Abs: 351}) {
		t.Error("decided without a test, or inside a margin")
	}
}

func TestCompareEqual(t *testing.T) {
	same := repeat(7, func(i int) []float64 { return []float64{5, 5, 5} })
	s := stats.Compare(same, same, stats.Options{})
	value(t, "ratio", s.Ratio, 1)
	value(t, "p", s.P, 1)
	value(t, "hi", s.Hi, 1)
	if s.Beyond(stats.Margin{Ratio: 1}) {
		t.Error("equal values differ")
	}
}

func TestCompareZeros(t *testing.T) {
	zero := repeat(6, func(i int) []float64 { return []float64{0, 0} })
	some := repeat(6, func(i int) []float64 { return []float64{3, 4} })
	s := stats.Compare(zero, some, stats.Options{})
	value(t, "p", s.P, 2.0/64)
	value(t, "level", s.LevelA, 0)
	if s.Ratio != nil || s.Lo != nil || s.Hi != nil {
		t.Errorf("a ratio with zero: %+v", s)
	}
	if !s.Beyond(stats.Margin{Ratio: 100, Abs: 3}) || s.Beyond(stats.Margin{Ratio: 1.1, Abs: 4}) {
		t.Error("3.5 against nothing lies beyond any ratio, and within a bound of 4")
	}
	s = stats.Compare(zero, zero, stats.Options{})
	value(t, "ratio of nothing to nothing", s.Ratio, 1)
	value(t, "p", s.P, 1)
	// One zero among six windows moves the interval, not the estimate.
	some[0].Values, zero = []float64{0}, repeat(6, func(i int) []float64 { return []float64{7} })
	s = stats.Compare(some, zero, stats.Options{})
	value(t, "ratio", s.Ratio, 0.5)
	if s.Lo != nil {
		t.Errorf("lower end %v", *s.Lo)
	}
}

func TestCompareWithinWindows(t *testing.T) {
	// Hand-computed: in each window all of A above all of B, 1 of 6·6·6 orders
	// at either end.
	a := windows([]float64{20, 22}, []float64{200, 220}, []float64{2, 3})
	b := windows([]float64{10, 11}, []float64{100, 110}, []float64{1, 1.5})
	s := stats.Compare(a, b, stats.Options{})
	value(t, "p", s.P, 2.0/216)
	value(t, "ratio", s.Ratio, 2)
	if s.Evidence != stats.EvidenceWithin || s.Windows != 3 {
		t.Errorf("side: %+v", s)
	}
	q := 0.0001
	if s.Decided(&q, 0.05, stats.Margin{Ratio: 1.1}) {
		t.Error("three windows decided a side")
	}
	// A third window against the other two.
	a[2].Values, b[2].Values = b[2].Values, a[2].Values
	if s = stats.Compare(a, b, stats.Options{}); s.Evidence != stats.EvidenceNone || s.P == nil || s.Ratio == nil {
		t.Errorf("contradicting windows: %+v", s)
	}
	one := stats.Compare(a[:1], b[:1], stats.Options{})
	value(t, "p of one window", one.P, 2.0/6)
	if one.Evidence != stats.EvidenceWithin {
		t.Errorf("one window: %+v", one)
	}
}

func TestCompareUsesCommonWindows(t *testing.T) {
	a := []stats.Window{{ID: "x", Values: []float64{1}}, {ID: "y", Values: []float64{4}}, {ID: "z", Failures: 5}}
	b := []stats.Window{{ID: "z", Values: []float64{9}}, {ID: "y", Values: []float64{2}}, {ID: "w", Values: []float64{8}}}
	s := stats.Compare(a, b, stats.Options{})
	if s.Windows != 1 || s.NA != 1 || s.NB != 1 {
		t.Errorf("side: %+v", s)
	}
	value(t, "ratio", s.Ratio, 2)
	// Counted as never, the failures of z make a second window.
	if s = stats.Compare(a, b, stats.Options{Never: true}); s.Windows != 2 || s.NA != 6 {
		t.Errorf("with failures: %+v", s)
	}
	if s = stats.Compare(a, nil, stats.Options{}); s.Evidence != stats.EvidenceNone || s.P != nil || s.Ratio != nil || s.LevelA != nil {
		t.Errorf("against nothing: %+v", s)
	}
	bad := []stats.Window{{ID: "y", Values: []float64{math.NaN(), -1, math.Inf(1), 4}}}
	if s = stats.Compare(bad, b, stats.Options{}); s.Ignored != 3 || s.NA != 1 {
		t.Errorf("unusable values: %+v", s)
	}
}

// levels makes a cell: windows of one lognormal level each, values around it.
func levels(seed string, n, trials int, scale float64) []stats.Window {
	r := rand.New(stats.PCG(stats.Seed(seed)))
	return repeat(n, func(int) []float64 {
		level := scale * math.Exp(0.1*r.NormFloat64())
		v := make([]float64, trials)
		for i := range v {
			v[i] = level * math.Exp(0.3*r.NormFloat64())
		}
		return v
	})
}

func TestCompareTail(t *testing.T) {
	a, b := levels("a", 12, 20, 1000), levels("b", 12, 20, 500)
	s := stats.Compare(a, b, stats.Options{Quantile: 0.95})
	if s.Evidence != stats.EvidenceWindows || s.Ratio == nil || *s.Ratio < 1.6 || *s.Ratio > 2.4 || *s.P > 0.001 || *s.Lo < 1.3 || *s.Hi > 3 || *s.Lo > *s.Ratio || *s.Hi < *s.Ratio {
		t.Errorf("twice as slow: %v in %v to %v, p %v", *s.Ratio, *s.Lo, *s.Hi, *s.P)
	}
	s = stats.Compare(a, levels("c", 12, 20, 1000), stats.Options{Quantile: 0.95})
	if *s.P < 0.05 || *s.Lo > 1 || *s.Hi < 1 {
		t.Errorf("alike: %v in %v to %v, p %v", *s.Ratio, *s.Lo, *s.Hi, *s.P)
	}
	s = stats.Compare(a, a, stats.Options{Quantile: 0.95})
	value(t, "ratio to itself", s.Ratio, 1)
	value(t, "p to itself", s.P, 1)
	if s = stats.Compare(a[:3], b[:3], stats.Options{Quantile: 0.95}); s.Evidence != stats.EvidenceNone || s.P != nil || s.Lo != nil || s.Ratio == nil {
		t.Errorf("60 values a side: %+v", s)
	}
	if s = stats.Compare(a[:5], b[:5], stats.Options{Quantile: 0.95}); s.Evidence != stats.EvidenceWithin || s.P == nil {
		t.Errorf("five windows: %+v", s)
	}
	// p99 needs 368 values a side before its upper end means anything.
	if s = stats.Compare(a, b, stats.Options{Quantile: 0.99}); s.P != nil {
		t.Errorf("p99 of 240: %+v", s)
	}
	// A tenth of A's requests never answer: its p95 is never.
	for i := range a {
		a[i].Failures = 3
	}
	s = stats.Compare(a, b, stats.Options{Quantile: 0.95, Never: true})
	if s.LevelA != nil || s.LevelB == nil || s.Ratio != nil || s.Lo != nil || *s.P > 0.01 {
		t.Errorf("failing tail: %+v, p %v", s, *s.P)
	}
}

// Identical providers: the bootstrap's p falls to 5 % in about 5 % of cases,
// and its interval misses 1 as rarely.
func TestTailIsCalibrated(t *testing.T) {
	const cases = 300
	low, missed := 0, 0
	for i := range cases {
		a, b := levels(fmt.Sprint("a", i), 12, 12, 1000), levels(fmt.Sprint("b", i), 12, 12, 1000)
		s := stats.Compare(a, b, stats.Options{Quantile: 0.95, Replicates: 600})
		if *s.P <= 0.05 {
			low++
		}
		if *s.Lo > 1 || *s.Hi < 1 {
			missed++
		}
	}
	for _, n := range []int{low, missed} {
		if n < 2 || n > 28 { // 5 % ± four standard errors, which is 0.1 to 27.9
			t.Errorf("%d p-values at 5 %%, %d intervals without 1, of %d", low, missed, cases)
		}
	}
}

// The same data in any order, by any number of goroutines, from either end,
// and recorded under another name.
func TestCompareIsDeterministic(t *testing.T) {
	for _, n := range []int{4, 12} {
		for _, o := range []stats.Options{{}, {Quantile: 0.95, Replicates: 500}} {
			a, b := levels("a", n, 25, 1000), levels("b", n, 30, 900)
			want := stats.Compare(a, b, o)
			x, y := stats.NewCell(a), stats.NewCell(b)
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					r := rand.New(rand.NewPCG(uint64(i), 0))
					shuffled := make([]stats.Window, len(a))
					for k, p := range r.Perm(len(a)) {
						shuffled[k] = a[p]
						v := append([]float64{}, a[p].Values...)
						r.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
						shuffled[k].Values = v
					}
					if got := stats.Compare(shuffled, b, o); !reflect.DeepEqual(got, want) {
						t.Errorf("shuffled: %+v, want %+v", got, want)
					}
					if got := x.Against(y, o); !reflect.DeepEqual(got, want) {
						t.Errorf("prepared: %+v, want %+v", got, want)
					}
				})
			}
			wg.Wait()
			if got := stats.Compare(renamed(a), renamed(b), o); !reflect.DeepEqual(got, want) {
				t.Errorf("under another name: %+v, want %+v", got, want)
			}
			back := stats.Compare(b, a, o)
			near(t, "p from the other end", *back.P, *want.P, 1e-9)
			near(t, "ratio from the other end", *back.Ratio, 1 / *want.Ratio, 1e-12)
			near(t, "interval from the other end", *back.Lo, 1 / *want.Hi, 2e-3)
		}
	}
}

// renamed is windows as another run has them.
func renamed(windows []stats.Window) []stats.Window {
	out := slices.Clone(windows)
	for i := range out {
		out[i].ID = "again/" + out[i].ID
	}
	return out
}

// A cell is compared over the windows that it shares, and draws kept for some
// of them must not serve others of the same number.
func TestDrawsOfOtherWindows(t *testing.T) {
	a, b := levels("a", 12, 25, 1000), levels("b", 12, 25, 900)
	for i := range a[:6] {
		for k := range a[i].Values {
			a[i].Values[k] *= 3
		}
	}
	o := stats.Options{Quantile: 0.95, Replicates: 500}
	x := stats.NewCell(a)
	for _, part := range [][]stats.Window{b[:6], b[6:]} {
		if got, want := x.Against(stats.NewCell(part), o), stats.Compare(a, part, o); !reflect.DeepEqual(got, want) {
			t.Errorf("kept draws: %+v, want %+v", got, want)
		}
	}
}

package stats_test

import (
	"fmt"
	"math"
	"testing"

	"aircheck/internal/analyze/stats"
)

func sumsOf(pairs ...[2]int64) []stats.Sums {
	out := make([]stats.Sums, len(pairs))
	for i, p := range pairs {
		out[i] = stats.Sums{ID: fmt.Sprintf("w%02d", i), Num: p[0], Den: p[1]}
	}
	return out
}

// Six windows, A answers 5 of 5 in each, B 4 of 5: ratio 30/24, all six signs
// agree, and constant windows leave no spread.
func TestCompareSumsPaired(t *testing.T) {
	a := sumsOf([2]int64{5, 5}, [2]int64{5, 5}, [2]int64{5, 5}, [2]int64{5, 5}, [2]int64{5, 5}, [2]int64{5, 5})
	b := sumsOf([2]int64{4, 5}, [2]int64{4, 5}, [2]int64{4, 5}, [2]int64{4, 5}, [2]int64{4, 5}, [2]int64{4, 5})
	s := stats.CompareSums(a, b, true, stats.Options{})
	value(t, "ratio", s.Ratio, 1.25)
	value(t, "lo", s.Lo, 1.25)
	value(t, "hi", s.Hi, 1.25)
	value(t, "level a", s.LevelA, 1)
	value(t, "level b", s.LevelB, 0.8)
	value(t, "p", s.P, 2.0/64)
	if s.Evidence != stats.EvidenceWindows || s.Windows != 6 || s.NA != 30 || s.NB != 30 {
		t.Errorf("side: %+v", s)
	}
	q := 0.03125
	if !s.Decided(&q, 0.05, stats.Margin{Ratio: 1, Abs: 0.01}) || s.Decided(&q, 0.05, stats.Margin{Ratio: 1, Abs: 0.21}) {
		t.Error("a difference of 0.2 is decided by a margin of 0.01, not by one of 0.21")
	}
}

// By hand: A has 10 of 10 and 8 of 10, its parts are 10/18 − 10/20 = 1/18 and
// −1/18; B 5 of 10 twice, parts 0. Six windows of three such pairs: variance
// 6/5 · 6/(54²) (parts of 54 answers), t(0.975, 5) = 2.570582.
func TestCompareSumsInterval(t *testing.T) {
	a := sumsOf([2]int64{10, 10}, [2]int64{8, 10}, [2]int64{10, 10}, [2]int64{8, 10}, [2]int64{10, 10}, [2]int64{8, 10})
	b := sumsOf([2]int64{5, 10}, [2]int64{5, 10}, [2]int64{5, 10}, [2]int64{5, 10}, [2]int64{5, 10}, [2]int64{5, 10})
	s := stats.CompareSums(a, b, true, stats.Options{})
	half := 2.5705818356363146 * math.Sqrt(6.0/5*6/(54*54))
	near(t, "ratio", *s.Ratio, 1.8, 1e-12)
	near(t, "lo", *s.Lo, 1.8*math.Exp(-half), 1e-9)
	near(t, "hi", *s.Hi, 1.8*math.Exp(half), 1e-9)
}

// What windows share cancels: both sides fail together.
func TestCompareSumsPairing(t *testing.T) {
	var same []stats.Sums
	for i := range int64(6) {
		same = append(same, stats.Sums{ID: fmt.Sprint(i), Num: 10 - i, Den: 10})
	}
	s := stats.CompareSums(same, same, true, stats.Options{})
	value(t, "ratio", s.Ratio, 1)
	value(t, "hi", s.Hi, 1)
	value(t, "p", s.P, 1)
}

// Below six windows shares are 2×2 tables. One window, 4 of 4 against 0 of 4:
// U = 16, mean 8, variance 16/12·(9 − 2·(4³−4)/(8·7)) = 64/7, so that
// z = 7.5/√(64/7) = 2.480.
func TestCompareSumsWithin(t *testing.T) {
	s := stats.CompareSums(sumsOf([2]int64{4, 4}), sumsOf([2]int64{0, 4}), true, stats.Options{})
	near(t, "p", *s.P, math.Erfc(7.5/math.Sqrt(64.0/7)/math.Sqrt2), 1e-9)
	if s.Evidence != stats.EvidenceWithin || s.Ratio != nil || !s.Beyond(stats.Margin{Ratio: 1, Abs: 0.5}) {
		t.Errorf("side: %+v", s)
	}
	// Another window says the opposite.
	s = stats.CompareSums(sumsOf([2]int64{4, 4}, [2]int64{1, 2}), sumsOf([2]int64{0, 4}, [2]int64{2, 2}), true, stats.Options{})
	if s.Evidence != stats.EvidenceNone {
		t.Errorf("contradicting windows: %+v", s)
	}
	// Spend has no spread within a window, so it has no test.
	s = stats.CompareSums(sumsOf([2]int64{400, 4}), sumsOf([2]int64{100, 4}), false, stats.Options{})
	value(t, "ratio", s.Ratio, 4)
	if s.P != nil || s.Evidence != stats.EvidenceNone {
		t.Errorf("side: %+v", s)
	}
}

// Spend without a useful result is no number, but it ranks last in its window.
func TestCompareSumsNothingUseful(t *testing.T) {
	a := sumsOf([2]int64{10, 0}, [2]int64{10, 1}, [2]int64{10, 1}, [2]int64{10, 1}, [2]int64{10, 1}, [2]int64{10, 1}, [2]int64{0, 0})
	b := sumsOf([2]int64{5, 1}, [2]int64{5, 1}, [2]int64{5, 1}, [2]int64{5, 1}, [2]int64{5, 1}, [2]int64{5, 1}, [2]int64{5, 1})
	s := stats.CompareSums(a, b, false, stats.Options{})
	value(t, "p", s.P, 2.0/64)
	value(t, "level a", s.LevelA, 12)
	value(t, "ratio", s.Ratio, 2.4)
	if s.Windows != 6 {
		t.Errorf("%d windows, want 6: one has nothing", s.Windows)
	}
	for i := range a {
		a[i].Den = 0
	}
	if s = stats.CompareSums(a, b, false, stats.Options{}); s.LevelA != nil || s.Ratio != nil || s.Beyond(stats.Margin{Ratio: 1.1}) {
		t.Errorf("a price of nothing: %+v", s)
	}
}

// Published: Newcombe, Statistics in Medicine 17 (1998), table I, method 5.
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{{81, 263, 0.2527, 0.3676}, {15, 148, 0.0578, 0.1617}, {0, 20, 0, 0.1684}, {1, 29, 0.0009, 0.1776}} {
		lo, hi := stats.ClopperPearson(c.k, c.n, 0.95)
		near(t, fmt.Sprintf("%d of %d, lower end", c.k, c.n), lo, c.lo, 5e-5)
		near(t, fmt.Sprintf("%d of %d, upper end", c.k, c.n), hi, c.hi, 5e-5)
	}
	if lo, hi := stats.ClopperPearson(20, 20, 0.95); hi != 1 || math.Abs(lo-(1-0.1684)) > 5e-5 {
		t.Errorf("20 of 20: %v to %v", lo, hi)
	}
}

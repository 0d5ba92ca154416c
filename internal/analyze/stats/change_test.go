package stats_test

import (
	"fmt"
	"math"
	"testing"

	"aircheck/internal/analyze/stats"
)

// Six windows after, all above six before: 1 of C(12,6) = 924 orders at either
// end. The ratio is the median of 36 quotients, all 2.
func TestChangeBetweenWindows(t *testing.T) {
	before := repeat(6, func(i int) []float64 { return []float64{100, 99, 101} })
	after := repeat(6, func(i int) []float64 { return []float64{200, 190, 210, 200} })
	s := stats.Change(after, before, stats.Options{})
	value(t, "p of tied medians", s.P, math.Erfc(17.5/math.Sqrt(36.0/12*(13-2*210.0/(12*11)))/math.Sqrt2))
	value(t, "ratio", s.Ratio, 2)
	value(t, "level", s.LevelA, 200)
	if s.Evidence != stats.EvidenceWindows || s.Windows != 6 || s.NA != 24 || s.NB != 18 {
		t.Errorf("side: %+v", s)
	}
	for i := range before {
		before[i].Values, after[i].Values = []float64{100 + float64(i)}, []float64{200 + float64(i)}
	}
	value(t, "exact p", stats.Change(after, before, stats.Options{}).P, 2.0/924)
}

// Names of windows mean nothing here: nothing is paired.
func TestChangeIgnoresNames(t *testing.T) {
	before := repeat(7, func(i int) []float64 { return []float64{float64(3 + i*i%5)} })
	after := repeat(9, func(i int) []float64 { return []float64{float64(4 + i*i%7)} })
	want := stats.Change(after, before, stats.Options{})
	for i := range after {
		after[i].ID = fmt.Sprintf("x%d", 9-i)
	}
	if got := stats.Change(after, before, stats.Options{}); *got.P != *want.P || *got.Ratio != *want.Ratio {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestChangeOfFewWindows(t *testing.T) {
	s := stats.Change(windows([]float64{5, 6, 7}), windows([]float64{1, 2, 3}), stats.Options{})
	value(t, "p", s.P, 2.0/20)
	value(t, "ratio", s.Ratio, 3) // of 5, 2.5, 5/3, 6, 3, 2, 7, 3.5, 7/3
	if s.Evidence != stats.EvidenceWithin {
		t.Errorf("one window decides: %+v", s)
	}
	if s = stats.Change(nil, windows([]float64{1}), stats.Options{}); s.Evidence != stats.EvidenceNone || s.P != nil {
		t.Errorf("nothing to compare: %+v", s)
	}
}

func TestChangeOfATail(t *testing.T) {
	before := repeat(12, func(i int) []float64 { return spreadOut(100, i) })
	after := repeat(12, func(i int) []float64 { return spreadOut(300, i+1) })
	o := stats.Options{Quantile: 0.95}
	s := stats.Change(after, before, o)
	if s.Ratio == nil || s.Lo == nil || s.P == nil || *s.Ratio < 2.5 || *s.Ratio > 3.5 || *s.Lo < 1.5 || *s.P > 0.001 {
		t.Errorf("three times the tail: %+v", s)
	}
	same := stats.Change(before, before, o)
	value(t, "ratio", same.Ratio, 1)
	if *same.Lo >= 1 || *same.Hi <= 1 {
		t.Errorf("draws of the two sides must differ: %v to %v", *same.Lo, *same.Hi)
	}
}

// spreadOut is ten values of a window, from its level to twice of it.
func spreadOut(level float64, window int) []float64 {
	v := make([]float64, 10)
	for i := range v {
		v[i] = level * (1 + float64(window*5%7)/20) * (1 + float64(i)/10)
	}
	return v
}

// Seven and six windows of shares, 9 of 10 against 6 of 10 in each.
func TestChangeSums(t *testing.T) {
	var before, after []stats.Sums
	for i := range 7 {
		after = append(after, stats.Sums{ID: fmt.Sprint("a", i), Num: 9, Den: 10})
		before = append(before, stats.Sums{ID: fmt.Sprint("b", i), Num: 6, Den: 10})
	}
	s := stats.ChangeSums(after, before[:6], true, stats.Options{})
	value(t, "ratio", s.Ratio, 1.5)
	if s.Evidence != stats.EvidenceWindows || *s.P > 0.01 {
		t.Errorf("side: %+v", s)
	}
	few := stats.ChangeSums(after[:1], before[:1], true, stats.Options{})
	value(t, "Fisher", few.P, stats.FisherTest(9, 10, 6, 10))
	if few.Evidence != stats.EvidenceWithin {
		t.Errorf("side: %+v", few)
	}
	if s = stats.ChangeSums(after[:1], before[:1], false, stats.Options{}); s.P != nil {
		t.Errorf("spend within a window has a test: %+v", s)
	}
}

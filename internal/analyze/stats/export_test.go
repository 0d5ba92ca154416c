package stats

import (
	"cmp"
	"math"
)

// What tests ask of values, where the program asks it of cells, of pairs or of
// sorted strata.

func Compare(a, b []Window, o Options) Comparison { return NewCell(a).Against(NewCell(b), o) }

func CompareSums(a, b []Sums, shares bool, o Options) Comparison {
	return NewSumCell(a).Against(NewSumCell(b), shares, o)
}

func Change(after, before []Window, o Options) Comparison {
	return NewCell(after).Since(NewCell(before), o)
}

func ChangeSums(after, before []Sums, shares bool, o Options) Comparison {
	return NewSumCell(after).Since(NewSumCell(before), shares, o)
}

func SignedRank(differences []float64) (Test, bool) {
	s := make([]signed, len(differences))
	for i, d := range differences {
		s[i] = signed{math.Abs(d), cmp.Compare(d, 0)}
	}
	return signedRank(s)
}

func Shift(strata []Stratum, conf float64) Estimate {
	return cross(sortStrata(strata), conf, scale{
		mean: func(x, y float64) float64 { return (x + y) / 2 },
		over: func(a, b float64) float64 { return a - b },
	})
}

func ShiftRatio(strata []Stratum, conf float64) Estimate {
	return shiftRatio(sortStrata(strata), conf)
}

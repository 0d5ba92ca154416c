package simtest

import "testing"

// What Print measures over 400 data sets, in small: at most 5 % of data sets with
// a false pair or flip, and planted flips found, with what 60 may show by chance.
func TestErrorRates(t *testing.T) {
	const seeds = 60
	for _, w := range Cells([]int{12, 24}, Small) {
		if !w.Held() && w.Flip < 1.5 {
			continue
		}
		r := w.Run(0, seeds, 2)
		if w.Held() && (r.FalseSides > 8 || r.FalseFlips > 8) {
			t.Errorf("%s, %s, %d windows: %d of %d data sets have a false pair, %d a false flip", w.Name, w.Statistic, w.Windows, r.FalseSides, seeds, r.FalseFlips)
		}
		if w.Flip > 0 && w.Own.SD == 0 && 100*r.Found < 85*r.Planted {
			t.Errorf("%s, %d windows: %d of %d planted flips are found", w.Name, w.Windows, r.Found, r.Planted)
		}
	}
}

// The simulation can tell: providers that stay away from their level for as long
// as the windows last are taken for different ones, and are said to be so.
func TestWorldsThatCannotBeTold(t *testing.T) {
	w := World{Name: "one provider jumps", Jumps: true, Providers: 4, Models: 3, Windows: 12, Trials: 5, Statistic: Median}
	if r := w.Run(0, 60, 2); r.FalseSides < 10 {
		t.Errorf("a provider that jumps between levels is told from the others in only %d of %d data sets", r.FalseSides, r.Seeds)
	}
}

// Fewer than eight windows decide nothing, nor do fewer than 24 of a lone pair.
func TestTooFewWindowsDecideNothing(t *testing.T) {
	for _, w := range append(Cells([]int{6}, Small), Cells([]int{12}, Pair)...) {
		if w.Statistic != Median {
			continue
		}
		if r := w.Run(0, 10, 2); r.FalseSides+r.Found > 0 {
			t.Errorf("%s, %d × %d, %d windows: %d false pairs and %d found", w.Name, w.Providers, w.Models, w.Windows, r.FalseSides, r.Found)
		}
	}
}

// Changes over time: no more false ones than 60 data sets may show by chance, and a
// doubled level is found.
func TestSteps(t *testing.T) {
	const seeds = 60
	for _, w := range StepCells([]int{24}, Small) {
		if w.Held() && w.Statistic == Median {
			if r := w.RunSteps(0, seeds, 2); r.FalseSides > 8 {
				t.Errorf("%s: %d of %d data sets have a false change", w.Name, r.FalseSides, seeds)
			}
		}
	}
	w := World{Name: "doubled", Flip: 2, Providers: 4, Models: 3, Windows: 24, Trials: 5, Statistic: Median}
	if r := w.RunSteps(0, seeds, 2); 100*r.Found < 95*r.Planted {
		t.Errorf("%d of %d doubled levels are found", r.Found, r.Planted)
	}
}

package simtest

import (
	"testing"
)

// What Print measures over 400 data sets, in small: a promise of at most 5 %
// false flips, and of the planted one in 90 %, less what 100 data sets may
// show by chance.
func TestErrorRates(t *testing.T) {
	for _, w := range Worlds() {
		if w.Windows != 12 || w.Quantile > 0 || w.Change || w.Share > 0 {
			continue
		}
		r := w.Run(100)
		if w.Flip == 0 && r.Flips > 5 {
			t.Errorf("%s: %d of %d data sets have a flip that is not there", w.Name, r.Flips, r.Seeds)
		}
		if w.Flip > 0 && r.Flips < 80 {
			t.Errorf("%s: the planted flip is found in %d of %d data sets", w.Name, r.Flips, r.Seeds)
		}
		// The simulation can tell: without windows as units it is easily fooled.
		if w.Name == "weather 20 %" && *r.Pooled < 10 {
			t.Errorf("%s: pooled tests claim a flip in only %d of %d data sets", w.Name, *r.Pooled, r.Seeds)
		}
	}
}

// Shares of requests answered, which fail in spells: no flip where none is.
func TestErrorRatesOfShares(t *testing.T) {
	for _, w := range Worlds() {
		if w.Windows == 12 && w.Share > 0 {
			if r := w.Run(100); r.Flips > 5 {
				t.Errorf("%s: %d of %d data sets have a flip that is not there", w.Name, r.Flips, r.Seeds)
			}
		}
	}
}

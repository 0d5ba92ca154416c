package stats

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// panelOf puts values by provider, model and window into a panel.
func panelOf(y [][][]float64) *Panel {
	p := &Panel{Indifference: math.Log(1.1) / 4, Winsorise: true, Workers: 2}
	for w := range y[0][0] {
		p.Times = append(p.Times, float64(w))
	}
	for m := range y[0] {
		var contest []Series
		for a := range y {
			s := Series{Provider: a}
			for w, v := range y[a][m] {
				if !math.IsNaN(v) {
					s.Windows, s.Values = append(s.Windows, w), append(s.Values, v)
				}
			}
			contest = append(contest, s)
		}
		p.Contests = append(p.Contests, contest)
	}
	return p
}

// The fixtures are from another implementation, which uses matrices where this
// one filters: three data sets, of which the first has a planted flip, the second
// providers that wander, and the third two providers alone.
func TestPanelFixtures(t *testing.T) {
	raw, err := os.ReadFile("testdata/panels.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixtures []struct {
		Values   [][][]float64 // by provider, model, window
		Sides    [][3]int      // model and two providers
		P, Q     []float64
		Estimate []float64
		Worth    float64 `json:"windows_worth"`
	}
	if err := json.Unmarshal(raw, &fixtures); err != nil {
		t.Fatal(err)
	}
	for i, f := range fixtures {
		got := panelOf(f.Values).Compare()
		byKey := map[[3]int]*Contrast{}
		for m := range got.Contrasts {
			for k := range got.Contrasts[m] {
				c := &got.Contrasts[m][k]
				byKey[[3]int{m, c.A, c.B}] = c
			}
		}
		ps := make([]*float64, len(f.Sides))
		for k, key := range f.Sides {
			c := byKey[key]
			ps[k] = &c.P
			if math.Abs(c.P-f.P[k]) > 1e-6 || math.Abs(c.Difference-f.Estimate[k]) > 1e-6 || math.Abs(c.NEffective-f.Worth) > 1e-6 {
				t.Errorf("fixture %d, side %v: p %.8g, estimate %.8g, windows %.8g; want %.8g, %.8g, %.8g",
					i, key, c.P, c.Difference, c.NEffective, f.P[k], f.Estimate[k], f.Worth)
			}
		}
		for k, q := range BenjaminiHochberg(ps) {
			if math.Abs(*q-f.Q[k]) > 1e-6 {
				t.Errorf("fixture %d, side %v: q %.8g, want %.8g", i, f.Sides[k], *q, f.Q[k])
			}
		}
	}
}

package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
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

// One provider whose level changes once, by a factor of seven, looks like
// persistence without end, in all of its series: it must not withhold the verdicts
// on the others, of which one is plainly slower.
func TestOneJumpWithholdsNoOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const windows = 16
	times := make([]float64, windows)
	for i := range times {
		times[i] = float64(i)
	}
	var contests [][]Entry
	for range 3 {
		var contest []Entry
		for p := range 5 {
			e := Entry{Provider: p}
			for w := range windows {
				level := 500 * math.Exp(0.1*r.NormFloat64())
				if p == 0 && w >= windows/2 {
					level *= 7
				}
				if p == 4 {
					level *= 2
				}
				e.Windows = append(e.Windows, Observed{Window: w, Values: []float64{level}})
			}
			contest = append(contest, e)
		}
		contests = append(contests, contest)
	}
	verdicts, _ := Measure{Quantile: 0.5, Margin: Margin{Ratio: 1.10, Abs: 50}}.Judge(times, contests, 1)
	for _, contest := range verdicts {
		for i := range contest {
			v := &contest[i]
			if v.A > 0 && v.Why == WhyDependent || v.A > 0 && v.B == 4 && !v.Decided {
				t.Errorf("%d and %d: %q, decided %v, worth %.1f windows", v.A, v.B, v.Why, v.Decided, v.NEffective)
			}
		}
	}
}

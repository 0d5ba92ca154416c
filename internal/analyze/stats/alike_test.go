package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// By hand: two days, two kinds. Day 1: long 2 calls each, means 3 and 1, weight 1;
// day 2: short, 1 and 1 call, means 1 and 1, weight ½. The difference is
// (1·2 + ½·0) ÷ 1.5 = 4/3; the days' parts are 2 − 4/3 = 2/3 and −2/3, so the
// error is √(2 · 8/9) ÷ 1.5 = 8/9. B's second kind on day 1 has no counterpart.
func TestCompareAlike(t *testing.T) {
	a := []Calls{{"long", "1", 2, 6}, {"short", "2", 1, 1}}
	b := []Calls{{"long", "1", 2, 2}, {"short", "1", 1, 7}, {"short", "2", 1, 1}}
	got := CompareAlike(a, b)
	if math.Abs(got.Difference-4.0/3) > 1e-12 || math.Abs(got.Error-8.0/9) > 1e-12 || got.Days != 2 || got.OverlapA != 1 || got.OverlapB != 0.75 || got.Comparable {
		t.Errorf("%+v", got)
	}
}

// traffic of seven days: A is faster by the effect on equal requests, and gets
// most of the long ones.
func traffic(r *rand.Rand, effect float64) (a, b []Calls) {
	sums := map[[3]string]*Calls{}
	var day [7][2]float64
	for d := range day {
		day[d] = [2]float64{0.08 * r.NormFloat64(), 0.08 * r.NormFloat64()}
	}
	for range 3000 {
		d, hour, long, output := r.IntN(7), r.IntN(24), r.Float64() < 0.3, r.IntN(2)
		chance := 0.35
		if long {
			chance = 0.8
		}
		if hour > 8 && hour < 18 {
			chance = min(0.97, chance+0.1)
		} else {
			chance -= 0.05
		}
		who, y := 1, 0.6*float64(output)+0.25*math.Sin(2*math.Pi*float64(hour)/24)+0.5*r.NormFloat64()
		if r.Float64() < chance {
			who, y = 0, y+effect
		}
		if long {
			y += 1.2
		}
		k := [3]string{fmt.Sprint(long, output, hour), fmt.Sprint(d), fmt.Sprint(who)}
		if sums[k] == nil {
			sums[k] = &Calls{Stratum: k[0], Day: k[1]}
		}
		sums[k].N++
		sums[k].Sum += y + day[d][who]
	}
	for k, c := range sums {
		if k[2] == "0" {
			a = append(a, *c)
		} else {
			b = append(b, *c)
		}
	}
	return a, b
}

// The headline of such traffic is the wrong way round; over alike requests it is
// right, its interval holds the truth, and no difference is found where none is.
func TestCompareAlikeUndoesTheMix(t *testing.T) {
	const n = 200
	effect := -math.Log(1.2)
	covered, wrong, found := 0, 0, 0
	r := rand.New(PCG(Seed("traffic")))
	for range n {
		got := CompareAlike(traffic(r, effect))
		if got.Raw > 0 {
			wrong++
		}
		if math.Abs(got.Difference-effect) <= got.Half(0.95) {
			covered++
		}
		if got = CompareAlike(traffic(r, 0)); !got.Comparable || got.P <= 0.05 {
			found++
		}
	}
	if wrong < n*95/100 || covered < n*90/100 || found > n*10/100 {
		t.Errorf("of %d: raw difference the wrong way round %d, covered %d, false %d", n, wrong, covered, found)
	}
}

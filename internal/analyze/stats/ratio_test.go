package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"aircheck/internal/analyze/stats"
)

func TestRatioOfSums(t *testing.T) {
	// One useful result a window makes the ratio a mean: 10 ± t(0.975, 2)·1/√3.
	half := 4.30265272974946 / math.Sqrt(3)
	nearEstimate(t, "mean", stats.RatioOfSums([]stats.Cluster{{9, 1}, {10, 1}, {11, 1}}, 0.95), 10, 10-half, 10+half, 1e-9)
	// A constant ratio is known exactly.
	nearEstimate(t, "constant", stats.RatioOfSums([]stats.Cluster{{0.5, 5}, {0.7, 7}, {0.6, 6}}, 0.95), 0.1, 0.1, 0.1, 1e-7)
}

// At both of Fieller's ends the mean of Num − R·Den lies exactly t standard
// errors from zero.
func TestFiellerEnds(t *testing.T) {
	c := []stats.Cluster{{0.52, 5}, {0.48, 4}, {0.61, 5}, {0.44, 3}, {0.50, 5}, {0.58, 4}}
	e := stats.RatioOfSums(c, 0.95)
	near(t, "ratio", *e.Value, 3.13/26, 1e-12)
	for _, r := range []float64{*e.Lo, *e.Hi} {
		var sum, sq float64
		for _, v := range c {
			d := v.Num - r*v.Den
			sum += d
			sq += d * d
		}
		n := float64(len(c))
		variance := (sq - sum*sum/n) / (n - 1)
		near(t, "t at the end", math.Abs(sum/n)/math.Sqrt(variance/n), 2.5705818356363146, 1e-6)
	}
	if *e.Lo >= *e.Value || *e.Value >= *e.Hi {
		t.Errorf("interval %v to %v around %v", *e.Lo, *e.Hi, *e.Value)
	}
}

func TestRatioOfSumsOpenEnds(t *testing.T) {
	// Useful results in one window of four: they may be chance, so there is no
	// upper end.
	e := stats.RatioOfSums([]stats.Cluster{{1, 0}, {1.1, 0}, {0.9, 0}, {1, 1}}, 0.95)
	if e.Value == nil || *e.Value != 4 || e.Hi != nil || e.Lo == nil || *e.Lo <= 0 || *e.Lo >= 4 {
		t.Errorf("rarely useful: %+v", e)
	}
	if e := stats.RatioOfSums([]stats.Cluster{{1, 0}, {1, 0}}, 0.95); e.Value != nil {
		t.Errorf("never useful: %+v", e)
	}
	if e := stats.RatioOfSums([]stats.Cluster{{1, 2}}, 0.95); *e.Value != 0.5 || e.Lo != nil || e.Hi != nil {
		t.Errorf("one window: %+v", e)
	}
	if e := stats.RatioOfSums(nil, 0.95); e.Value != nil {
		t.Errorf("nothing: %+v", e)
	}
}

// Costs of which a few hold most: 15 lognormal requests a window, σ 1.5, 19 of 20
// useful. The interval holds the truth in 93 % of draws (Fieller's: 88 %), has
// always a lower end, and never one below what the cheapest answer cost.
func TestCostRatioCoversSkewedCosts(t *testing.T) {
	for _, c := range []struct{ sigma, least float64 }{{0.2, 0.94}, {1.5, 0.90}} {
		r := rand.New(rand.NewPCG(3, uint64(10*c.sigma)))
		truth, covered, fieller := math.Exp(c.sigma*c.sigma/2)/0.95, 0, 0
		const draws = 1500
		for range draws {
			clusters := make([]stats.Cluster, 12)
			for i := range clusters {
				for range 15 {
					clusters[i].Num += math.Exp(c.sigma * r.NormFloat64())
					if r.IntN(20) > 0 {
						clusters[i].Den++
					}
				}
			}
			e := stats.CostRatio(clusters, 0.95)
			if e.Lo == nil || e.Hi == nil || *e.Lo <= 0 || *e.Lo > *e.Value || *e.Hi < *e.Value {
				t.Fatalf("σ %v: %v", c.sigma, e)
			}
			if *e.Lo <= truth && truth <= *e.Hi {
				covered++
			}
			f := stats.RatioOfSums(clusters, 0.95)
			if (f.Lo == nil || *f.Lo <= truth) && (f.Hi == nil || truth <= *f.Hi) {
				fieller++
			}
		}
		t.Logf("σ %v: %.1f %% covered, Fieller's %.1f %%", c.sigma, 100*float64(covered)/draws, 100*float64(fieller)/draws)
		if float64(covered) < c.least*draws || covered < fieller {
			t.Errorf("σ %v: %d of %d intervals hold the truth, Fieller's in %d", c.sigma, covered, draws, fieller)
		}
	}
}

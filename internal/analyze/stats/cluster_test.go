package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-5*math.Max(1, math.Abs(want)) {
		t.Errorf("%s: %v, want %v", what, shown(got), want)
	}
}

func shown(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// Seven windows of ten, one of which fails seven times: 63 of 70. The windows'
// variance is 7/6 · (6·1² + 6²)/70² = 0.01, that of independent requests
// 0.09/70, so the 70 are worth 9, and with t = 2.4469 for six degrees of freedom
// 5.77436.
func TestClusterShare(t *testing.T) {
	var w []ShareOf
	for range 6 {
		w = append(w, ShareOf{10, 10})
	}
	w = append(w, ShareOf{3, 10}, ShareOf{})
	e := ClusterShare(w, 0.95)
	near(t, "share", e.Value, 0.9)
	near(t, "lo", e.Lo, 0.492231)
	near(t, "hi", e.Hi, 0.988174)
}

// Where nothing spreads, and in one window, it is Wilson's.
func TestClusterShareWithoutSpread(t *testing.T) {
	want := Wilson(40, 40, 0.95)
	for _, w := range [][]ShareOf{{{40, 40}}, {{20, 20}, {20, 20}}} {
		if e := ClusterShare(w, 0.95); *e.Lo != *want.Lo || *e.Hi != 1 || *e.Value != 1 {
			t.Errorf("%v: %v to %v", w, *e.Lo, *e.Hi)
		}
	}
	if e := ClusterShare([]ShareOf{{30, 40}}, 0.95); *e.Lo != *Wilson(30, 40, 0.95).Lo {
		t.Errorf("one window: %v", *e.Lo)
	}
	if e := ClusterShare([]ShareOf{{0, 0}}, 0.95); e.Value != nil || e.Lo != nil || e.Hi != nil {
		t.Errorf("nothing: %v", e)
	}
}

// Six windows that each hold a value of every size are as good as one heap, but
// for six windows' uncertainty: (1.96/2.5706)² · 60 = 34.9, of which the median
// lies between the 11th and the 24th of 34, so between the 19th (11·60/34) and the
// 43rd (24·60/34, rounded up) of the 60.
func TestClusterQuantile(t *testing.T) {
	var w [][]float64
	for i := range 6 {
		var values []float64
		for j := range 10 {
			values = append(values, float64(1+i+6*j))
		}
		w = append(w, values)
	}
	e := ClusterQuantile(w, 0.5, 0.95)
	near(t, "median", e.Value, 30.5)
	near(t, "lo", e.Lo, 19)
	near(t, "hi", e.Hi, 43)
	if e := ClusterQuantile(w, 0.95, 0.95); e.Value == nil || e.Hi != nil {
		t.Error("35 values cannot bound a p95 from above")
	}
	// All of one window below all of the next: there are six values, not sixty.
	for i := range w {
		for j := range w[i] {
			w[i][j] = float64(i)
		}
	}
	if e := ClusterQuantile(w, 0.5, 0.95); e.Lo != nil || e.Hi != nil {
		t.Errorf("six windows: %v to %v", shown(e.Lo), shown(e.Hi))
	}
	if e := ClusterQuantile(nil, 0.5, 0.95); e.Value != nil {
		t.Error("a quantile of nothing")
	}
}

// One window: the interval of independent values.
func TestClusterQuantileOfOneWindow(t *testing.T) {
	var values []float64
	for i := range 40 {
		values = append(values, float64(i))
	}
	got, want := ClusterQuantile([][]float64{values}, 0.5, 0.95), QuantileInterval(values, 0.5, 0.95)
	if *got.Lo != *want.Lo || *got.Hi != *want.Hi || *got.Value != *want.Value {
		t.Errorf("%v to %v, want %v to %v", *got.Lo, *got.Hi, *want.Lo, *want.Hi)
	}
}

// Where windows differ the interval of a heap misses the truth far too often; that over
// windows holds what it says.
func TestClusterQuantileCovers(t *testing.T) {
	const sets, windows, trials = 400, 12, 10
	missed, heap := 0, 0
	for seed := range sets {
		r := rand.New(PCG(Seed("cluster coverage", fmt.Sprint(seed))))
		var w [][]float64
		var all []float64
		for range windows {
			level := 0.3 * r.NormFloat64()
			var values []float64
			for range trials {
				values = append(values, level+0.2*r.NormFloat64())
			}
			w, all = append(w, values), append(all, values...)
		}
		if e := ClusterQuantile(w, 0.5, 0.95); e.Lo != nil && *e.Lo > 0 || e.Hi != nil && *e.Hi < 0 {
			missed++
		}
		if e := QuantileInterval(ascending(all), 0.5, 0.95); *e.Lo > 0 || *e.Hi < 0 {
			heap++
		}
	}
	t.Logf("missed: %d of %d over windows, %d in one heap", missed, sets, heap)
	if e := Wilson(missed, sets, 0.999); *e.Lo > 0.05 {
		t.Errorf("missed in %d of %d", missed, sets)
	}
	if e := Wilson(heap, sets, 0.999); *e.Hi < 0.15 {
		t.Errorf("the heap missed in %d of %d only: the test does not test", heap, sets)
	}
}

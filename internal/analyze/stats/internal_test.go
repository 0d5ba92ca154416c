package stats

import (
	"math"
	"slices"
	"testing"
)

// Student's table: two-sided 5 % points, and probabilities from SciPy.
func TestStudent(t *testing.T) {
	for nu, want := range map[int]float64{1: 12.706, 2: 4.303, 5: 2.571, 11: 2.201, 30: 2.042, 500: 1.965} {
		if got := studentQuantile(0.05, nu); math.Abs(got-want) > 5e-4 {
			t.Errorf("t(0.975, %d) = %v, want %v", nu, got, want)
		}
	}
	for nu, want := range map[int]float64{1: 0.20483276469913345, 2: 0.09546596626670913, 5: 0.030099247897462586, 11: 0.01207983947192137, 30: 0.005389964065651945} {
		if got := studentTwoSided(-3, nu); math.Abs(got-want) > 1e-12 {
			t.Errorf("P(|T| ≥ 3), %d degrees: %v, want %v", nu, got, want)
		}
	}
}

// A quantile from counts is the quantile of the values counted out.
func TestCountedQuantile(t *testing.T) {
	r := PCG(Seed("counted"))
	for range 500 {
		pool := make([]float64, 1+below(r, 30))
		for i := range pool {
			pool[i] = float64(below(r, 100))
		}
		slices.Sort(pool)
		unit := make([]int32, len(pool))
		for i := range unit {
			unit[i] = int32(i)
		}
		count := make([]int32, len(pool))
		var all []float64
		for range 1 + below(r, 60) {
			i := below(r, len(pool))
			count[i]++
			all = append(all, pool[i])
		}
		slices.Sort(all)
		for _, p := range []float64{0, 0.3, 0.5, 0.9, 0.95, 0.99, 1} {
			want, _ := Quantile(all, p)
			if got := countedQuantile(pool, unit, count, len(all), p); got != want {
				t.Fatalf("p=%v of %v: %v, want %v", p, all, got, want)
			}
		}
	}
}

// With fixed windows the replicates of a median spread as its standard error
// says: for 400 normal values of one window, √(π/2)/√400.
func TestResampleSpreadsAsTheory(t *testing.T) {
	r := PCG(Seed("normal"))
	w := make([]float64, 400)
	for i := range w {
		w[i] = 10 + normalQuantile((float64(r.Uint64()>>11)+0.5)/(1<<53))
	}
	slices.Sort(w)
	reps := resample([][]float64{w}, 0.5, draw{seed: 1, replicates: 4000, fixed: true})
	var sum, sq float64
	for _, v := range reps {
		sum += v
		sq += v * v
	}
	mean := sum / 4000
	if sd := math.Sqrt(sq/4000 - mean*mean); math.Abs(sd-0.0627) > 0.02 {
		t.Errorf("standard error %v, theory says 0.063", sd)
	}
	// Windows alone: each of ten holds one value, so the spread is theirs.
	var each [][]float64
	for _, v := range w[:10] {
		each = append(each, []float64{v})
	}
	if fixed := resample(each, 0.5, draw{seed: 1, replicates: 50, fixed: true}); slices.Min(fixed) != slices.Max(fixed) {
		t.Error("fixed windows of one value vary")
	}
	if free := resample(each, 0.5, draw{seed: 1, replicates: 50}); slices.Min(free) == slices.Max(free) {
		t.Error("resampled windows do not vary")
	}
}

func TestEnds(t *testing.T) {
	r := PCG(Seed("ends"))
	for _, n := range []int{1, 2, 5, 400, 2000} {
		e := newEnds(n, 0.025)
		var all []float64
		for range n {
			v := float64(below(r, 1000))
			e.add(v)
			all = append(all, v)
		}
		slices.Sort(all)
		for _, p := range []float64{0, 0.001, 0.01, 0.025, 0.975, 0.99, 1} {
			want, _ := Quantile(all, p)
			if got := e.quantile(p); got != want {
				t.Errorf("n=%d p=%v: %v, want %v", n, p, got, want)
			}
		}
	}
}

// The k-th of many is what sorting them gives, whatever is equal among them.
func TestKth(t *testing.T) {
	r := PCG(Seed("kth"))
	for _, kinds := range []int{1, 2, 3, 40, 1 << 30} {
		for _, sides := range [][2]int{{3, 3000}, {150, 100}} {
			draws := func(n int) []float64 {
				v := make([]float64, n)
				for i := range v {
					v[i] = float64(1 + below(r, kinds))
				}
				slices.Sort(v)
				return v
			}
			a, b := draws(sides[0]), draws(sides[1])
			rows := staircase{lo: make([]int, len(a)), hi: make([]int, len(a)), left: len(a) * len(b)}
			rows.at = func(i, j int) float64 { return ratio(b[j], a[i]) }
			var all []float64
			for i := range a {
				rows.hi[i] = len(b)
				for j := range b {
					all = append(all, rows.at(i, j))
				}
			}
			slices.Sort(all)
			for _, k := range []int{0, 1, len(all) / 3, len(all) / 2, len(all) - 2} {
				v := rows.kth(k)
				if next := rows.after(k, v); v != all[k] || next != all[k+1] {
					t.Errorf("%d kinds, %v: number %d is %v, then %v; want %v, %v", kinds, sides, k, v, next, all[k], all[k+1])
				}
			}
			if v := rows.kth(len(all) - 1); v != all[len(all)-1] {
				t.Errorf("%d kinds, %v: the last is %v, want %v", kinds, sides, v, all[len(all)-1])
			}
		}
	}
}

package simtest

// Shape is how large a data set is.
type Shape struct{ Providers, Models int }

var (
	Small  = Shape{4, 3}
	Middle = Shape{12, 4}
	Large  = Shape{20, 12}
	Pair   = Shape{2, 1}
)

// nulls are worlds without any difference. Trials of medians are five a window,
// of the other statistics fifteen.
func nulls() []World {
	return []World{
		{Name: "calm", From: 6},
		{Name: "shared weather ρ 0.8 sd 0.5", Shared: Drift{0.8, 0.5}, From: 6},
		{Name: "shared day cycle", SharedDay: 0.4, From: 6},
		{Name: "lognormal σ 1.5", Sigma: 1.5, From: 6},
		{Name: "unequal counts", Unequal: true, From: 6},
		{Name: "one window lost", Lost: true, From: 6},
		{Name: "unlike providers", Hetero: true, From: 6},
		{Name: "own AR ρ 0.3 sd 0.1", Own: Drift{0.3, 0.1}, From: 8},
		{Name: "own AR ρ 0.3 sd 0.3", Own: Drift{0.3, 0.3}, From: 8},
		{Name: "own AR ρ 0.5 sd 0.1", Own: Drift{0.5, 0.1}, From: 8},
		{Name: "own AR ρ 0.5 sd 0.3", Own: Drift{0.5, 0.3}, From: 8},
		{Name: "own AR ρ 0.8 sd 0.3", Own: Drift{0.8, 0.3}, From: 12},
		{Name: "own AR ρ 0.8 sd 0.1", Own: Drift{0.8, 0.1}, From: 24},
		{Name: "own day phase", OwnDay: 0.4, From: 24},
		{Name: "own AR ρ 0.9 sd 0.3", Own: Drift{0.9, 0.3}},
		{Name: "one provider jumps", Jumps: true},
	}
}

// Cells are the cases that the bench runs, of the shapes given.
func Cells(windows []int, shapes ...Shape) (all []World) {
	add := func(s Shape, w World, statistic Statistic) {
		w.Providers, w.Models, w.Statistic, w.Trials = s.Providers, s.Models, statistic, 5
		if statistic != Median {
			w.Trials = 15
		}
		for _, n := range windows {
			w.Windows = n
			all = append(all, w)
		}
	}
	for _, s := range shapes {
		for _, w := range nulls() {
			add(s, w, Median)
		}
		add(s, World{Name: "slow answers fail", SlowFail: true, From: 6}, Median)
		if s == Small {
			for _, w := range nulls() {
				add(s, w, Tail)
				add(s, w, Share)
				add(s, w, Cost)
			}
			add(s, World{Name: "failures in spells", Spells: true, From: 8}, Share)
		}
		for _, flip := range []float64{1.3, 1.5} {
			name := map[float64]string{1.3: "planted 1.3×", 1.5: "planted 1.5×"}[flip]
			add(s, World{Name: name, Flip: flip}, Median)
			add(s, World{Name: name + ", own AR ρ 0.5 sd 0.1", Flip: flip, Own: Drift{0.5, 0.1}}, Median)
		}
	}
	return all
}

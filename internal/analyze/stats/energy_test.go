package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"aircheck/internal/analyze/stats"
)

// words makes a group of trials whose distance is 0 or 1: equal words or not.
// Trials are given as block, side, word.
func words(list ...string) stats.Group {
	var g stats.Group
	var said []string
	for _, s := range list {
		var block int
		var side, word string
		fmt.Sscan(s, &block, &side, &word)
		g.Trials = append(g.Trials, stats.Trial{Block: block, Second: side == "b"})
		said = append(said, word)
	}
	g.Distance = func(i, j int) int64 {
		if said[i] == said[j] {
			return 0
		}
		return 1
	}
	return g
}

// Three blocks in which a always says x and b always y. Of the four exchanges
// of whole blocks only the one seen separates them so well.
func TestEnergySwapsWholeBlocks(t *testing.T) {
	g := words("0 a x", "0 b y", "1 a x", "1 b y", "2 a x", "2 b y")
	s, ok := stats.EnergyTest([]stats.Group{g}, stats.EnergyOptions{Swap: true})
	if !ok || s.Energy != 2 || s.Between != 1 || s.WithinA != 0 || s.P != 0.25 || s.Least != 0.25 || s.Common != 3 || s.TrialsA != 3 {
		t.Errorf("got %+v, %v", s, ok)
	}
}

// Two trials a side in one block: six ways to share them out, two of which
// separate x from y.
func TestEnergyShufflesTrials(t *testing.T) {
	g := words("0 a x", "0 a x", "0 b y", "0 b y")
	s, ok := stats.EnergyTest([]stats.Group{g}, stats.EnergyOptions{Replicates: 20000})
	if !ok || s.Energy != 2 || math.Abs(s.P-1.0/3) > 0.015 || s.Least != 1.0/3 {
		t.Errorf("got %+v, %v", s, ok)
	}
}

// Own variation is no difference: a and b say x and y equally often. Without
// bias, the mean over all ways to share out is zero, and here it is below it.
func TestEnergyKnowsOwnVariation(t *testing.T) {
	g := words("0 a x", "0 a y", "0 b x", "0 b y")
	s, ok := stats.EnergyTest([]stats.Group{g}, stats.EnergyOptions{})
	if !ok || s.Between != 0.5 || s.WithinA != 1 || s.Energy != -1 || s.P != 1 {
		t.Errorf("got %+v, %v", s, ok)
	}
}

func TestEnergyNeedsTwoTrialsASide(t *testing.T) {
	if s, ok := stats.EnergyTest([]stats.Group{words("0 a x", "1 b y", "2 b y")}, stats.EnergyOptions{}); ok {
		t.Errorf("one trial of a gave %+v", s)
	}
	if _, ok := stats.EnergyTest(nil, stats.EnergyOptions{Swap: true}); ok {
		t.Error("nothing gave a test")
	}
}

// One block cannot be exchanged: nothing can be said.
func TestEnergyOfOneBlock(t *testing.T) {
	s, ok := stats.EnergyTest([]stats.Group{words("0 a x", "0 a x", "0 b y", "0 b y")}, stats.EnergyOptions{Swap: true})
	if !ok || s.P != 1 || s.Least != 1 {
		t.Errorf("got %+v, %v", s, ok)
	}
}

func TestEnergyIsTheSameInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var rows []string
	for b := range 16 {
		for range 3 {
			rows = append(rows, fmt.Sprintf("%d a %d", b, r.IntN(3)), fmt.Sprintf("%d b %d", b, r.IntN(4)))
		}
	}
	var first stats.Separation
	for i := range 4 {
		s, ok := stats.EnergyTest([]stats.Group{words(rows...), words(rows[:40]...)}, stats.EnergyOptions{Swap: true, Seed: 7})
		if !ok {
			t.Fatal("no test")
		}
		if i == 0 {
			first = s
		} else if s != first {
			t.Fatalf("shuffled rows gave %+v, then %+v", first, s)
		}
		// Rows of the second group stay its own.
		r.Shuffle(40, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		r.Shuffle(len(rows)-40, func(i, j int) { rows[40+i], rows[40+j] = rows[40+j], rows[40+i] })
	}
}

// The test holds its level where both sides draw from one distribution, even
// where answers of a side are all alike within a block, which only exchanges of
// whole blocks allow for. Bounds are those of a binomial share at 99.9 %.
func TestEnergyHoldsItsLevel(t *testing.T) {
	const seeds = 600
	for _, c := range []struct {
		name      string
		swap      bool
		clustered bool
	}{
		{"trials shuffled", false, false},
		{"blocks swapped", true, false},
		{"blocks swapped, one answer a block", true, true},
	} {
		rejected := 0
		for seed := range uint64(seeds) {
			r := rand.New(rand.NewPCG(seed, 3))
			var rows []string
			for b := range 8 {
				for _, side := range []string{"a", "b"} {
					word := r.IntN(4)
					for range 3 {
						if !c.clustered {
							word = r.IntN(4)
						}
						rows = append(rows, fmt.Sprintf("%d %s %d", b, side, word))
					}
				}
			}
			s, ok := stats.EnergyTest([]stats.Group{words(rows...)}, stats.EnergyOptions{Swap: c.swap, Replicates: 199, Seed: seed})
			if !ok {
				t.Fatal("no test")
			}
			if s.P <= 0.05 {
				rejected++
			}
		}
		if rejected > 48 { // P(more | 600, 0.05) < 0.001
			t.Errorf("%s: %d of %d rejected at 5 %%", c.name, rejected, seeds)
		}
	}
}

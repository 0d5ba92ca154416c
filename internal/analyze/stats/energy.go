package stats

import (
	"math"
	"slices"
)

// Trial is one observation: the block in which it was made, and which of two
// sides made it.
type Trial struct {
	Block  int // 0, 1, …; what is shared within a block does not count as a difference
	Second bool
}

// Group is the trials of two sides under one condition, such as their answers
// to one prompt. Distance, symmetric, is how far two trials lie apart, in any
// whole units.
type Group struct {
	Trials   []Trial
	Distance func(i, j int) int64
}

// EnergyOptions of a test. Swap exchanges the sides of whole blocks, for blocks
// within which a side's trials are not independent; without it trials change
// sides within their blocks one by one.
type EnergyOptions struct {
	Swap       bool
	Replicates int // of a test that cannot list all exchanges; 0 is 1999
	Seed       uint64
}

// Separation is how far two sides lie apart, beyond how far each of them lies
// from itself.
type Separation struct {
	Between          float64 // mean distance of trials of different sides
	WithinA, WithinB float64 // mean distance of trials of one side
	Energy           float64 // 2·Between − WithinA − WithinB
	P                float64 // that so much or more comes about if the sides are exchangeable
	Least            float64 // smallest P that these trials can reach
	TrialsA, TrialsB int
	Blocks, Common   int // blocks, and those of them that hold both sides
}

// EnergyTest compares two sides by the energy distance of their trials, the
// mean over groups of 2·E|A−B| − E|A−A'| − E|B−B'|, each expectation estimated
// without bias (no trial is compared with itself). It is zero on average where
// both sides draw from one distribution, whatever that distribution is, so it
// knows of no variation as a difference but what exceeds each side's own. Of a
// side with one trial in a group nothing is known of its own variation, and
// that group's term counts Between for it, which errs to no difference.
//
// P is that of a permutation test over the exchanges that the options allow:
// exact over all of them where there are 4096 at most and Swap is set, else by
// random exchanges, the one seen counted among them; of those there are fewer
// where the groups are many, 199 at least. It is false where there is no group
// with two trials of each side.
//
// Sources: Székely & Rizzo, "Energy statistics", Journal of Statistical
// Planning and Inference 143 (2013); Gao, Liang & Guestrin, "Model equality
// testing: which model is this API serving?" (2024) for answers of language
// models; Phipson & Smyth, SAGMB 9 (2010) on counting the one seen.
func EnergyTest(groups []Group, o EnergyOptions) (s Separation, ok bool) {
	var all []*atoms
	for _, g := range groups {
		a := newAtoms(g, o.Swap)
		if a.count[0] >= 2 && a.count[1] >= 2 {
			all = append(all, a)
		}
	}
	if len(all) == 0 {
		return s, false
	}
	blocks := map[int][2]bool{}
	for _, a := range all {
		between, aa, bb := a.means(a.second)
		s.Between, s.WithinA, s.WithinB = s.Between+between, s.WithinA+aa, s.WithinB+bb
		s.TrialsA, s.TrialsB = s.TrialsA+int(a.count[0]), s.TrialsB+int(a.count[1])
		for i, b := range a.block {
			has := blocks[b]
			has[side(a.second[i])] = true
			blocks[b] = has
		}
	}
	n := float64(len(all))
	s.Between, s.WithinA, s.WithinB = s.Between/n, s.WithinA/n, s.WithinB/n
	s.Energy = energyOf(all, nil)
	s.Blocks = len(blocks)
	var both []int
	for b, has := range blocks {
		if has[0] && has[1] {
			both = append(both, b)
		}
	}
	s.Common = len(both)
	if o.Replicates == 0 {
		o.Replicates = 1999
	}
	if o.Swap {
		s.P, s.Least = swapped(all, len(both), indexOf(both), s.Energy, o)
	} else {
		s.P, s.Least = shuffled(all, s.Energy, o)
	}
	return s, true
}

// atoms are the parts of a group that change sides as one: its trials, or the
// trials of one side in one block.
type atoms struct {
	block  []int
	second []bool
	size   []int64
	sum    [][]int64 // distances between the trials of two atoms; each pair once within one
	count  [2]int64  // trials by side, as they are
	choice []bool    // sides of the exchange at hand
	total  int64     // all distances
}

func newAtoms(g Group, whole bool) *atoms {
	a := &atoms{}
	type key struct {
		block  int
		second bool
	}
	of := make([]int, len(g.Trials))
	index := map[key]int{}
	for i, t := range g.Trials {
		k := key{t.Block, t.Second}
		at, known := index[k]
		if !known || !whole {
			at = len(a.block)
			index[k] = at
			a.block, a.second, a.size = append(a.block, t.Block), append(a.second, t.Second), append(a.size, 0)
		}
		a.size[at]++
		a.count[side(t.Second)]++
		of[i] = at
	}
	a.sum = make([][]int64, len(a.block))
	for i := range a.sum {
		a.sum[i] = make([]int64, len(a.block))
	}
	for i := range g.Trials {
		for j := range i {
			d := g.Distance(i, j)
			x, y := of[i], of[j]
			a.sum[x][y] += d
			if x != y {
				a.sum[y][x] += d
			}
			a.total += d
		}
	}
	a.choice = make([]bool, len(a.block))
	return a
}

func side(second bool) int {
	if second {
		return 1
	}
	return 0
}

// means are the mean distances under an assignment of atoms to sides.
func (a *atoms) means(second []bool) (between, aa, bb float64) {
	var n, within [2]int64
	for i, si := range second {
		s := side(si)
		n[s] += a.size[i]
		row := a.sum[i]
		within[s] += row[i]
		for j := range i {
			if second[j] == si {
				within[s] += row[j]
			}
		}
	}
	if n[0] == 0 || n[1] == 0 {
		return 0, 0, 0
	}
	between = float64(a.total-within[0]-within[1]) / float64(n[0]*n[1])
	aa, bb = between, between
	if n[0] > 1 {
		aa = float64(2*within[0]) / float64(n[0]*(n[0]-1))
	}
	if n[1] > 1 {
		bb = float64(2*within[1]) / float64(n[1]*(n[1]-1))
	}
	return between, aa, bb
}

// energyOf is the statistic; of what was seen where assign is nil.
func energyOf(all []*atoms, assign func(g int, a *atoms) []bool) float64 {
	sum := 0.0
	for g, a := range all {
		second := a.second
		if assign != nil {
			second = assign(g, a)
		}
		between, aa, bb := a.means(second)
		sum += 2*between - aa - bb
	}
	return sum / float64(len(all))
}

// reaches compares statistics that may differ by rounding alone.
func reaches(v, seen float64) bool { return v >= seen-1e-9*math.Max(1, math.Abs(seen)) }

// indexOf numbers blocks in ascending order.
func indexOf(blocks []int) map[int]int {
	slices.Sort(blocks)
	out := map[int]int{}
	for i, b := range blocks {
		out[b] = i
	}
	return out
}

// swapped exchanges the sides of whole blocks. Exchanging all of them changes
// nothing, so the first block may stay as it is.
func swapped(all []*atoms, blocks int, index map[int]int, seen float64, o EnergyOptions) (p, least float64) {
	if blocks < 2 {
		return 1, 1
	}
	swap := make([]bool, blocks)
	assign := func(_ int, a *atoms) []bool {
		for i, b := range a.block {
			k, both := index[b]
			a.choice[i] = a.second[i] != (both && swap[k])
		}
		return a.choice
	}
	work := 0
	for _, a := range all {
		work += len(a.block) * len(a.block)
	}
	if n := 1 << min(blocks-1, 13); n <= 4096 && affordable(work, n) == n {
		hits := 0
		for bits := range n {
			for k := range blocks - 1 {
				swap[k+1] = bits>>k&1 == 1
			}
			if reaches(energyOf(all, assign), seen) {
				hits++
			}
		}
		return float64(hits) / float64(n), 1 / float64(n)
	}
	replicates := affordable(work, o.Replicates)
	r := PCG(o.Seed)
	hits := 1
	for range replicates {
		for k := range swap {
			swap[k] = r.Uint64()&1 == 1
		}
		if reaches(energyOf(all, assign), seen) {
			hits++
		}
	}
	return float64(hits) / float64(replicates+1), 1 / float64(replicates+1)
}

// affordable bounds exchanges, each of which takes so much work, to a second
// or two.
func affordable(work, asked int) int {
	return max(min(asked, 199), min(asked, 400_000_000/max(work, 1)))
}

// shuffled exchanges trials within their blocks.
func shuffled(all []*atoms, seen float64, o EnergyOptions) (p, least float64) {
	type place struct{ group, block int }
	members := make([]map[int][]int, len(all))
	var order []place
	work, ways, even := 0, 1.0, true
	for g, a := range all {
		members[g] = map[int][]int{}
		for i, b := range a.block {
			if members[g][b] == nil {
				order = append(order, place{g, b})
			}
			members[g][b] = append(members[g][b], i)
		}
		work += len(a.block) * len(a.block)
	}
	for _, at := range order {
		n, k := len(members[at.group][at.block]), 0
		for _, i := range members[at.group][at.block] {
			k += side(all[at.group].second[i])
		}
		even = even && 2*k == n
		for i := range k {
			ways *= float64(n-i) / float64(i+1)
		}
	}
	if len(all) == 1 && even { // exchanging both sides altogether changes nothing
		ways /= 2
	}
	replicates := affordable(work, o.Replicates)
	least = max(1/ways, 1/float64(replicates+1))
	r := PCG(o.Seed)
	hits := 1
	for range replicates {
		for _, at := range order {
			a, list := all[at.group], members[at.group][at.block]
			for _, i := range list {
				a.choice[i] = a.second[i]
			}
			for n := len(list) - 1; n > 0; n-- {
				k := below(r, n+1)
				a.choice[list[n]], a.choice[list[k]] = a.choice[list[k]], a.choice[list[n]]
			}
		}
		if reaches(energyOf(all, func(_ int, a *atoms) []bool { return a.choice }), seen) {
			hits++
		}
	}
	return float64(hits) / float64(replicates+1), least
}

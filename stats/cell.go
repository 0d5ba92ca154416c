package stats

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Window is what one window (a repeated round of a plan, or an hour) holds of
// one cell: the values of its requests, and how many requests gave none.
type Window struct {
	ID       string
	Values   []float64
	Failures int
}

// Cell is the windows of one provider in one contest, sorted once for all the
// comparisons that it takes part in. It may be used by several goroutines.
type Cell struct {
	finite, never []window // by id; without and with failures as +Inf
	ignored       int

	mu    sync.Mutex
	memo  map[drawKey][]float64
	pools [2][]float64 // all values of finite and never, once asked for
}

// window holds at least one value.
type window struct {
	id     string
	values []float64 // ascending
	median float64
}

// NewCell sorts windows; those with the same ID are taken together. Values
// that are negative or no number are left out and counted.
func NewCell(windows []Window) *Cell {
	c := &Cell{memo: map[drawKey][]float64{}}
	values, failures := map[string][]float64{}, map[string]int{}
	for _, w := range windows {
		failures[w.ID] += w.Failures
		for _, v := range w.Values {
			if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
				c.ignored++
				continue
			}
			values[w.ID] = append(values[w.ID], v)
		}
	}
	for id, n := range failures {
		v := values[id]
		slices.Sort(v)
		if len(v) > 0 {
			c.finite = append(c.finite, window{id, v, median(v)})
		}
		if n > 0 {
			v = slices.Clone(v)
			for range n {
				v = append(v, math.Inf(1))
			}
		}
		if len(v) > 0 {
			c.never = append(c.never, window{id, v, median(v)})
		}
	}
	byID := func(a, b window) int { return cmp.Compare(a.id, b.id) }
	slices.SortFunc(c.finite, byID)
	slices.SortFunc(c.never, byID)
	return c
}

func median(sorted []float64) float64 {
	m, _ := Quantile(sorted, 0.5)
	return m
}

func (c *Cell) sorted(never bool) []window {
	if never {
		return c.never
	}
	return c.finite
}

// common keeps the windows that both have.
func common(x, y []window) (a, b []window) {
	if slices.EqualFunc(x, y, func(v, w window) bool { return v.id == w.id }) {
		return x, y
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch cmp.Compare(x[i].id, y[j].id) {
		case -1:
			i++
		case 1:
			j++
		default:
			a, b = append(a, x[i]), append(b, y[j])
			i++
			j++
		}
	}
	return a, b
}

type drawKey struct {
	plan     draw // its seed stands for the windows
	quantile float64
	never    bool
}

// replicates keeps the last few draws: the cells of one contest mostly share
// their windows, so one draw serves all pairs.
func (c *Cell) replicates(w []window, o Options, plan draw) []float64 {
	key := drawKey{plan, o.Quantile, o.Never}
	c.mu.Lock()
	r, ok := c.memo[key]
	c.mu.Unlock()
	if ok {
		return r
	}
	values := make([][]float64, len(w))
	for i, v := range w {
		values[i] = v.values
	}
	r = resample(values, o.Quantile, plan)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.memo) >= 8 {
		clear(c.memo)
	}
	c.memo[key] = r
	return r
}

// Quantile is the p-quantile of all values of the cell; nil without any.
func (c *Cell) Quantile(p float64) *float64 { return quantileOf(c.pooled(c.finite, false), p) }

// pooled is all values of some of the cell's windows, ascending. Mostly they
// are all of them, and asked for again.
func (c *Cell) pooled(w []window, never bool) []float64 {
	if len(w) != len(c.sorted(never)) {
		return pooled(w)
	}
	i := 0
	if never {
		i = 1
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pools[i] == nil {
		c.pools[i] = pooled(w)
	}
	return c.pools[i]
}

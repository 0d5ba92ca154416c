package stats

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// Window is what one window (a repeated round of a plan, or an hour) holds of
// one cell: the values of its requests, and how many requests gave none. Of a
// speed, Num ÷ Den is the ratio of sums over all of them, which stands for their
// median.
type Window struct {
	ID       string
	Values   []float64
	Failures int
	Num, Den float64
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
	flow   bool // median is the window's level
}

// NewCell sorts windows; those with the same ID are taken together. Values
// that are negative or no number are left out and counted. Values that ascend
// already are not copied, and must stay as they are.
func NewCell(windows []Window) *Cell {
	list := slices.Clone(windows)
	slices.SortStableFunc(list, func(a, b Window) int { return cmp.Compare(a.ID, b.ID) })
	c := &Cell{finite: make([]window, 0, len(list)), never: make([]window, 0, len(list))}
	for from, to := 0, 0; from < len(list); from = to {
		for to = from + 1; to < len(list) && list[to].ID == list[from].ID; {
			to++
		}
		c.add(list[from:to])
	}
	return c
}

// add takes in the parts of one window.
func (c *Cell) add(parts []Window) {
	id, v, failures := parts[0].ID, parts[0].Values, 0
	if len(parts) > 1 || !usable(v) {
		v = nil
		for _, p := range parts {
			for _, x := range p.Values {
				if x < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
					c.ignored++
					continue
				}
				v = append(v, x)
			}
		}
		slices.Sort(v)
	}
	for _, p := range parts {
		failures += p.Failures
	}
	if len(v) > 0 {
		c.finite = append(c.finite, levelled(id, v, parts))
	}
	if failures > 0 {
		v = slices.Clone(v)
		for range failures {
			v = append(v, math.Inf(1))
		}
	}
	if len(v) > 0 {
		c.never = append(c.never, levelled(id, v, parts))
	}
}

func levelled(id string, v []float64, parts []Window) window {
	num, den := 0.0, 0.0
	for _, p := range parts {
		num, den = num+p.Num, den+p.Den
	}
	if num > 0 && den > 0 {
		return window{id, v, num / den, true}
	}
	return window{id, v, median(v), false}
}

// usable reports whether values ascend and all of them count.
func usable(v []float64) bool {
	return len(v) == 0 || v[0] >= 0 && !math.IsInf(v[len(v)-1], 1) && slices.IsSorted(v)
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
	plan     draw
	windows  uint64 // which of the cell's
	quantile float64
	never    bool
}

// replicates keeps the last few draws: the cells of one contest mostly share
// their windows, so one draw serves all pairs.
func (c *Cell) replicates(w []window, o Options, plan draw) []float64 {
	names := newHash()
	for _, v := range w {
		names.text(v.id)
	}
	key := drawKey{plan, names.sum(), o.Quantile, o.Never}
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
	if c.memo == nil || len(c.memo) >= 8 {
		c.memo = map[drawKey][]float64{}
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

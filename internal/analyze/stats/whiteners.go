package stats

import "sync"

// windowSet is the whiteners of some windows, one for each persistence.
type windowSet struct {
	whiteners    []*whitener
	meanVariance []float64 // theirs
}

// whitenerCache keeps the sets that come again: mostly all windows.
type whitenerCache struct {
	mu   sync.Mutex
	sets map[string]*windowSet
	held int // numbers
}

// mostHeld bounds what is kept: 32 MB.
const mostHeld = 4 << 20

func (c *whitenerCache) get(at []float64, grid []persistence, windows []int) *windowSet {
	key := make([]byte, 0, 4*len(windows))
	for _, w := range windows {
		key = append(key, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	c.mu.Lock()
	set := c.sets[string(key)]
	c.mu.Unlock()
	if set != nil {
		return set
	}
	times := make([]float64, len(windows))
	for i, w := range windows {
		times[i] = at[w]
	}
	set = &windowSet{}
	for _, k := range grid {
		w := newWhitener(k, times)
		set.whiteners, set.meanVariance = append(set.whiteners, w), append(set.meanVariance, w.meanVariance)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held += 4 * len(times) * len(grid); c.held <= mostHeld {
		if c.sets == nil {
			c.sets = map[string]*windowSet{}
		}
		c.sets[string(key)] = set
	}
	return set
}

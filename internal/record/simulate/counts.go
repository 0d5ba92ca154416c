package simulate

import (
	"fmt"
	"sync"
	"time"
)

// counts is what a fleet remembers of the requests so far. Its times are
// offsets on the fleet's clock.
type counts struct {
	tag string // of request ids, so that those of two starts differ

	mu      sync.Mutex
	window  *int // set by hand
	count   int  // requests
	tallies map[*Model]*tally
}

// tally is what is remembered of one model at one provider.
type tally struct {
	requests    int
	window      int // the last one, and its requests
	inWindow    int
	open        int
	ended       bool // a response has
	lastEnd     time.Duration
	prompts     map[string]bool
	limitSlot   time.Duration
	limitInSlot int
}

func newCounts(f *Fleet, tag string) *counts {
	c := &counts{tag: tag, tallies: map[*Model]*tally{}}
	for _, p := range f.Providers {
		for _, m := range p.Models {
			c.tallies[m] = &tally{prompts: map[string]bool{}}
		}
	}
	return c
}

// setWindow sets the fleet's window by hand, from now on.
func (c *counts) setWindow(i int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.window = &i
}

// arrival is what arriving changes and finds.
type arrival struct {
	id       string
	place    place
	inFlight int
	idle     time.Duration // -1 before the first response
	repeated bool          // this prompt was seen before
}

// arrive counts a request in. The tally is nil for an unknown model.
func (c *counts) arrive(f *Fleet, p *Provider, m *Model, prompt string, at time.Duration) (arrival, *tally) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	a := arrival{id: fmt.Sprintf("sim-%s-%06d", c.tag, c.count), idle: -1}
	a.place = place{seed: f.Seed, provider: p.Name, at: at}
	switch {
	case c.window != nil:
		a.place.window = *c.window
	case f.Window > 0:
		a.place.window = int(at / f.Window)
	}
	if m == nil {
		return a, nil
	}
	t := c.tallies[m]
	t.requests++
	if t.window != a.place.window {
		t.window, t.inWindow = a.place.window, 0
	}
	t.inWindow++
	t.open++
	a.place.model, a.place.ordinal, a.place.inWindow = m.Name, t.requests, t.inWindow
	a.inFlight = t.open
	if t.ended {
		a.idle = max(0, at-t.lastEnd)
	}
	a.repeated = t.prompts[prompt]
	t.prompts[prompt] = true
	return a, t
}

// leave counts a request out.
func (c *counts) leave(t *tally, at time.Duration) {
	if t == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t.open--
	t.ended, t.lastEnd = true, at
}

// limited reports whether a request exceeds the rate limit, and for how long
// it will.
func (c *counts) limited(t *tally, l RateLimit, at time.Duration) (bool, time.Duration) {
	if l.Requests == 0 {
		return false, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slot := at / l.Per; slot != t.limitSlot {
		t.limitSlot, t.limitInSlot = slot, 0
	}
	t.limitInSlot++
	return t.limitInSlot > l.Requests, l.Per - at%l.Per
}

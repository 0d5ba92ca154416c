package capture

import (
	"context"
	"sync"
	"time"
)

// stall adds up how long the process did not run though it should have: it was
// stopped, or starved by others. No provider is to blame for that time.
type stall struct {
	mu    sync.Mutex
	beat  int64 // the last one; 0: nobody beats
	total int64
}

const (
	beatEvery = 100 * time.Millisecond
	// A beat that is late by less is no stall: a scheduler is never quite on time.
	beatSlack = 50 * time.Millisecond
)

// Beat measures the stalls of the process until ctx ends, and looks after steps
// of the wall clock.
func (c *Clock) Beat(ctx context.Context) {
	c.stall.mu.Lock()
	c.stall.beat = c.Now()
	c.stall.mu.Unlock()
	ticks := time.NewTicker(beatEvery)
	defer ticks.Stop()
	for n := 0; ; n++ {
		select {
		case <-ticks.C:
			c.Stalled()
			if n%10 == 0 {
				c.Check()
			}
		case <-ctx.Done():
			c.stall.mu.Lock()
			c.stall.beat = 0
			c.stall.mu.Unlock()
			return
		}
	}
}

// Stalled is how long the process has been stalled so far.
func (c *Clock) Stalled() int64 {
	s := &c.stall
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beat == 0 {
		return s.total
	}
	now := c.Now()
	if late := now - s.beat - int64(beatEvery); late > int64(beatSlack) {
		s.total += late
	}
	s.beat = now
	return s.total
}

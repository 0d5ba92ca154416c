package capture

import (
	"sync"
	"sync/atomic"
	"time"

	"aircheck/schema"
)

// Clock is the one clock of a run. Times are nanoseconds on the monotonic clock
// since the Clock was made; wall time only anchors it, so a wall clock that is
// set while the run goes on bends no duration.
type Clock struct {
	base time.Time
	// anchor is the wall time of offset 0 in the present epoch. A stamp of the
	// kernel's less that is a time of this clock.
	anchor atomic.Int64
	stall  stall
	// stepped is by how much wall time was stepped: tests step it, since no namespace
	// has a wall clock of its own.
	stepped atomic.Int64

	mu     sync.Mutex
	epochs []schema.Epoch
}

// stepNs is how far wall and monotonic time may drift apart before it counts
// as a step. Both are slewed together; only steps and suspends part them.
const stepNs = int64(200 * time.Microsecond)

// NewClock starts a clock.
func NewClock() *Clock {
	c := &Clock{base: time.Now()}
	c.Check()
	return c
}

// Now is the time since the clock was made, in nanoseconds.
func (c *Clock) Now() int64 { return int64(time.Since(c.base)) }

// Check compares the clock with wall time and begins a new epoch if wall time
// was stepped, or the machine slept, since the last Check. It takes microseconds.
func (c *Clock) Check() {
	now := c.measure()
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.epochs); n > 0 {
		if d := now.WallNs - c.epochs[n-1].WallNs; -stepNs < d && d < stepNs {
			return
		}
	}
	c.epochs = append(c.epochs, now)
	c.anchor.Store(now.WallNs)
}

// both gives the time, and the anchor by which a stamp of the kernel's that was
// taken before becomes a time of this clock; 0 if wall time has been stepped
// since: then a stamp may be from before or after, and says nothing.
func (c *Clock) both() (now, anchor int64) {
	t := time.Now() // one instant, on both clocks
	now, anchor = int64(t.Sub(c.base)), c.anchor.Load()
	if d := t.UnixNano() + c.stepped.Load() - now - anchor; d < -stepNs || d > stepNs {
		c.Check()
		return now, 0
	}
	return now, anchor
}

// measure takes the tightest of several readings of wall time between two of
// the monotonic clock.
func (c *Clock) measure() schema.Epoch {
	var best schema.Epoch
	for i := range 50 {
		before := c.Now()
		wall := time.Now().UnixNano() + c.stepped.Load()
		after := c.Now()
		if half := (after - before + 1) / 2; i == 0 || half < best.HalfWidthNs {
			best = schema.Epoch{WallNs: wall - (before+after)/2, HalfWidthNs: half}
		}
	}
	return best
}

// Wall is the UTC epoch time, in nanoseconds, of a time of this clock.
func (c *Clock) Wall(ns int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epochs[len(c.epochs)-1].WallNs + ns
}

// Epochs are the anchors so far; more than one says that wall time was stepped.
func (c *Clock) Epochs() []schema.Epoch {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]schema.Epoch(nil), c.epochs...)
}

package capture

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Timeouts bound a request. Zero means no bound.
type Timeouts struct {
	Connect   time.Duration // look-up, connect and TLS together
	FirstByte time.Duration // from the request's start, connecting left out, to the first byte of the body
	Idle      time.Duration // between bytes of the body
	Total     time.Duration // from the request's start to its end
}

// timeout is the cause of a request that was given up.
type timeout struct {
	reason string // end_reason
	after  time.Duration
	what   string
}

func (t *timeout) Error() string { return t.what + " within " + t.after.String() }

// watch gives up a request whose time has run out. One timer serves all
// bounds, and a byte that arrives costs one store: the timer looks when it
// fires, and sleeps on if it fired too early.
//
// Before a provider is blamed, the time for which this process was stalled is
// taken off, and bytes that lie in the socket are given time to be read: they
// came, and it was we who did not read them.
type watch struct {
	clock  *Clock
	limits Timeouts
	start  int64
	cancel context.CancelCauseFunc

	ready    atomic.Int64 // when the connection was there; 0: not yet
	lastByte atomic.Int64 // when bytes of the body were last read; 0: none yet
	unread   atomic.Pointer[func() int]

	mu    sync.Mutex
	timer *time.Timer
	done  bool
	// Stalls before the bounds began to run: that of the request, and that of the
	// wait for its next byte.
	stalledStart, stalledWait int64
	carried                   int64
	waitFrom                  int64
	drainFrom                 int64 // when a bound had run out while bytes were unread; 0: none has
}

// newWatch starts the clock of a request. The context it gives is cancelled
// with a *timeout as its cause.
func newWatch(ctx context.Context, clock *Clock, limits Timeouts, start int64) (*watch, context.Context) {
	w := &watch{clock: clock, limits: limits, start: start}
	ctx, w.cancel = context.WithCancelCause(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stalledStart = clock.Stalled()
	w.stalledWait, w.waitFrom = w.stalledStart, start
	w.timer = time.AfterFunc(time.Hour, w.look)
	w.rearm()
	return w, ctx
}

// connected says that the connection is there, and how many bytes lie in it.
func (w *watch) connected(unread func() int) {
	w.unread.Store(&unread)
	w.ready.Store(w.clock.Now())
	w.look()
}

// received says that bytes of the body came.
func (w *watch) received(at int64) {
	if w.lastByte.Swap(at) == 0 {
		w.look()
	}
}

// stop ends the watch.
func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = true
	w.timer.Stop()
	w.cancel(nil)
}

func (w *watch) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rearm()
}

const (
	// drainEvery is how often bytes that lie in the socket are looked after when a
	// bound has run out, drainFor how long they may lie there.
	drainEvery = 5 * time.Millisecond
	drainFor   = 2 * time.Second
)

// errStarved ends a request whose bytes were there, and were not read.
var errStarved = errors.New("the recorder did not get to read what had arrived")

// rearm gives up if a bound has passed, or sets the timer to the next one.
func (w *watch) rearm() {
	if w.done {
		return
	}
	at, why := w.next()
	if why == nil {
		w.timer.Stop()
		return
	}
	now := w.clock.Now()
	if left := time.Duration(at - now); left > 0 {
		w.drainFrom = 0
		w.timer.Reset(left)
		return
	}
	if unread := w.unread.Load(); unread != nil && (*unread)() > 0 {
		if w.drainFrom == 0 {
			w.drainFrom = now
		}
		if now-w.drainFrom < int64(drainFor) {
			w.timer.Reset(drainEvery)
			return
		}
		if why.reason != "timeout_total" {
			w.done = true
			w.cancel(errStarved)
			return
		}
	}
	w.done = true
	w.cancel(why)
}

// next is the bound that runs out first, and when.
func (w *watch) next() (at int64, why *timeout) {
	bound := func(from int64, limit time.Duration, reason, what string) {
		if t := from + int64(limit); limit > 0 && (why == nil || t < at) {
			at, why = t, &timeout{reason, limit, what}
		}
	}
	stalled := w.clock.Stalled()
	ready, last := w.ready.Load(), w.lastByte.Load()
	// When within the time since the last look a byte came is not known: a stall
	// then is taken off, too.
	if from := max(w.start, ready, last); from != w.waitFrom {
		w.waitFrom, w.carried, w.stalledWait = from, stalled-w.stalledWait, stalled
	}
	wait := w.carried + stalled - w.stalledWait
	switch {
	case ready == 0:
		bound(w.start+wait, w.limits.Connect, "timeout_connect", "no connection")
	case last == 0:
		bound(ready+wait, w.limits.FirstByte, "timeout_first_byte", "no byte of the body")
	default:
		bound(last+wait, w.limits.Idle, "timeout_idle", "no further byte")
	}
	bound(w.start+stalled-w.stalledStart, w.limits.Total, "timeout_total", "not over")
	return at, why
}

// timedOut finds the bound that ended a request.
func timedOut(ctx context.Context) *timeout {
	var t *timeout
	if errors.As(context.Cause(ctx), &t) {
		return t
	}
	return nil
}

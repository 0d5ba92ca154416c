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
type watch struct {
	clock  *Clock
	limits Timeouts
	start  int64
	cancel context.CancelCauseFunc

	ready    atomic.Int64 // when the connection was there; 0: not yet
	lastByte atomic.Int64 // of the body; 0: none yet

	mu    sync.Mutex
	timer *time.Timer
	done  bool
}

// newWatch starts the clock of a request. The context it gives is cancelled
// with a *timeout as its cause.
func newWatch(ctx context.Context, clock *Clock, limits Timeouts, start int64) (*watch, context.Context) {
	w := &watch{clock: clock, limits: limits, start: start}
	ctx, w.cancel = context.WithCancelCause(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(time.Hour, w.look)
	w.rearm()
	return w, ctx
}

// connected says that the connection is there.
func (w *watch) connected() {
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
	left := time.Duration(at - w.clock.Now())
	if left <= 0 {
		w.done = true
		w.cancel(why)
		return
	}
	w.timer.Reset(left)
}

// next is the bound that runs out first, and when.
func (w *watch) next() (at int64, why *timeout) {
	bound := func(from int64, limit time.Duration, reason, what string) {
		if t := from + int64(limit); limit > 0 && (why == nil || t < at) {
			at, why = t, &timeout{reason, limit, what}
		}
	}
	ready, last := w.ready.Load(), w.lastByte.Load()
	switch {
	case ready == 0:
		bound(w.start, w.limits.Connect, "timeout_connect", "no connection")
	case last == 0:
		bound(ready, w.limits.FirstByte, "timeout_first_byte", "no byte of the body")
	default:
		bound(last, w.limits.Idle, "timeout_idle", "no further byte")
	}
	bound(w.start, w.limits.Total, "timeout_total", "not over")
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

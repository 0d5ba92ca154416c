package runner

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"aircheck/internal/record/capture"
	"aircheck/internal/record/plan"
	"aircheck/internal/rules/prices"
)

// send runs the schedule's blocks one after the other. ctx ends the sending,
// hard the requests that are open.
func (r *Recorder) send(ctx, hard context.Context) {
	r.began.Store(r.clock.Now())
	began := time.Unix(0, r.record.StartedAtNs) // of the first window, also where the run is resumed
	window := -1
	for i := range r.blocks {
		b := &r.blocks[i]
		if b.Window != window {
			window = b.Window
			if !r.windowStart(ctx, window, began) {
				return
			}
		}
		if !r.silence(ctx, b) || ctx.Err() != nil {
			return
		}
		if q := &b.Requests[0]; q.Phase == plan.PhaseBurst && !r.paced(ctx, q.Target, len(b.Requests)) {
			return
		}
		r.clock.Check()
		if b.OpenLoop {
			r.openLoop(ctx, hard, b)
		} else {
			r.closedLoop(ctx, hard, b)
		}
		if ctx.Err() != nil || r.budget.exceeded() {
			return
		}
	}
}

// windowStart waits for a window's time. The first that comes late is noted.
func (r *Recorder) windowStart(ctx context.Context, w int, began time.Time) bool {
	every := r.plan.Windows.Every
	after := w - r.firstWindow
	late := time.Since(began.Add(time.Duration(after) * every))
	r.mu.Lock()
	r.status.Window = w
	r.mu.Unlock()
	if after > 0 && every > 0 && late > every/10 {
		if r.late++; r.late == 1 { // the others are counted at the end
			r.note(fmt.Sprintf("window %d began %s late: the one before took longer than %s", w+1, late.Round(time.Millisecond), every))
		}
	}
	if !r.sleep(ctx, -late, fmt.Sprintf("window %d of %d", w+1, r.plan.Windows.Count)) {
		return false
	}
	r.mu.Lock()
	r.windows = append(r.windows, r.plan.WindowName(w))
	r.mu.Unlock()
	return true
}

// silence waits until none of the block's targets was asked anything for the
// time that the block wants. Before the run nothing is known, so its start
// counts as the last request.
func (r *Recorder) silence(ctx context.Context, b *plan.Block) bool {
	if b.Idle == 0 {
		return true
	}
	var last int64
	r.mu.Lock()
	for i := range b.Requests {
		t := b.Requests[i].Target
		last = max(last, r.lanes[lane{t.Provider, t.Model}].ended)
	}
	r.mu.Unlock()
	return r.sleep(ctx, time.Duration(last+int64(b.Idle)-r.clock.Now()), "silence before "+b.Requests[0].Scenario)
}

// closedLoop keeps a number of requests open until all are done.
func (r *Recorder) closedLoop(ctx, hard context.Context, b *plan.Block) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(b.Streams, len(b.Requests)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(b.Requests) {
					return
				}
				q := &b.Requests[i]
				if b.Apart {
					r.together[q.Target.Provider].Lock()
				}
				if ctx.Err() == nil {
					r.request(ctx, hard, b, q)
				}
				if b.Apart {
					r.together[q.Target.Provider].Unlock()
				}
			}
		})
	}
	workers.Wait()
}

// request builds a request and sends it, unless its target is dead.
func (r *Recorder) request(ctx, hard context.Context, b *plan.Block, q *plan.Request) {
	if r.health.skips(q, b.Window) || q.Phase != plan.PhaseBurst && !r.paced(ctx, q.Target, 1) {
		return
	}
	if h := r.build(b, q); h != nil && r.budget.reserve(q) {
		row := Row(r.plan, b, q, h.Body)
		r.exchange(hard, b, q, h, row, r.start(q, row))
	}
}

// openLoop starts each request at its time. The next one is built while its
// time has not come, so that building does not make it late.
func (r *Recorder) openLoop(ctx, hard context.Context, b *plan.Block) {
	var open sync.WaitGroup
	defer open.Wait()
	start := r.clock.Now()
	for i := range b.Requests {
		q := &b.Requests[i]
		if r.health.skips(q, b.Window) {
			continue
		}
		h := r.build(b, q)
		if h == nil || !r.budget.reserve(q) {
			return
		}
		row := Row(r.plan, b, q, h.Body)
		at := start + int64(q.At)
		if !r.sleep(ctx, time.Duration(at-r.clock.Now()), "") {
			r.budget.book(q, nil, prices.Usage{})
			return
		}
		row.ScheduledAtNs = new(r.clock.Wall(at))
		keeper := r.start(q, row)
		open.Go(func() { r.exchange(hard, b, q, h, row, keeper) })
	}
}

// build gives what is to be sent, nil if it cannot be built: then the run ends,
// since one of every kind was built before.
func (r *Recorder) build(b *plan.Block, q *plan.Request) *capture.Request {
	h, err := q.Build(r.keys[q.Target.KeyEnv], Salt(r.runID, b, q), time.Now())
	if err != nil {
		r.fail(err)
		return nil
	}
	if h.Header.Get("User-Agent") == "" {
		h.Header.Set("User-Agent", userAgent)
	}
	return &capture.Request{Method: h.Method, URL: h.URL, Header: h.Header, Body: h.Body}
}

// Salt makes a request's nonce its own.
func Salt(runID string, b *plan.Block, q *plan.Request) string {
	return runID + " " + strconv.Itoa(b.Window) + " " + q.Target.String() + " " + q.Scenario + " " + q.Phase + " " + strconv.Itoa(q.Trial) + " " + strconv.Itoa(q.Place) + " " + strconv.Itoa(q.Concurrency)
}

// sleep waits, unless ctx ends first.
func (r *Recorder) sleep(ctx context.Context, d time.Duration, why string) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	if why != "" {
		r.waiting.begin(time.Now().Add(d), why)
		defer r.waiting.end()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

package runner

import (
	"context"
	"sync"
	"time"

	"aircheck/internal/record/plan"
)

// pace keeps targets to their limits: so many requests a minute, evenly spaced.
type pace struct {
	mu   sync.Mutex
	next map[*plan.Target]int64 // when the next request may start, on the run's clock
}

// book takes n places at a target, and gives the time of the first.
func (p *pace) book(t *plan.Target, n int, now int64) int64 {
	gap := t.Limit.Gap()
	if gap == 0 {
		return now
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = map[*plan.Target]int64{}
	}
	at := max(p.next[t], now)
	p.next[t] = at + int64(n)*int64(gap)
	return at
}

// paced waits until a target may be asked n times. A burst books all its
// requests at once and so waits before the first.
func (r *Recorder) paced(ctx context.Context, t *plan.Target, n int) bool {
	now := r.clock.Now()
	return r.sleep(ctx, time.Duration(r.pace.book(t, n, now)-now), "")
}

package runner

import (
	"sync"
	"time"
)

// Status is how far a run has come.
type Status struct {
	Done, Total int
	Errors      int    // requests that failed, or were answered with an error
	Trouble     string // the most frequent error: whose, and why
	Skipped     int    // requests left out because their target is dead
	Window      int    // from 0
	// SpentNano is what was spent in nano-dollars at the prices that are known;
	// Priced is false where none is.
	SpentNano int64
	Priced    bool
	// Waiting says what for, until when, while nothing is sent.
	Waiting string
	Until   time.Time
	Left    time.Duration // an estimate; 0 where there is nothing to go by
}

// Status may be called at any time.
func (r *Recorder) Status() Status {
	r.mu.Lock()
	s := r.status
	r.mu.Unlock()
	s.SpentNano, s.Priced = r.budget.spent()
	s.Trouble, s.Skipped = r.health.trouble(), r.health.skippedAll()
	waited := r.waiting.into(&s)
	if s.Done > 0 {
		s.Left = r.left(s, waited)
	}
	return s
}

// left estimates the time to go: the requests to come at the pace so far, or
// until the last window is over, if windows make the run wait longer.
func (r *Recorder) left(s Status, waited time.Duration) time.Duration {
	gone := time.Duration(r.clock.Now() - r.began.Load())
	pace := (gone - waited) / time.Duration(s.Done)
	windows := r.blocks[len(r.blocks)-1].Window - r.blocks[0].Window + 1
	last := time.Duration(windows-1)*r.plan.Windows.Every + pace*time.Duration(s.Total/windows)
	return max(pace*time.Duration(s.Total-s.Done-s.Skipped), last-gone, 0)
}

// waiting is what the run waits for.
type waiting struct {
	mu    sync.Mutex
	why   string
	since time.Time
	until time.Time
	total time.Duration
}

func (w *waiting) begin(until time.Time, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.why, w.since, w.until = why, time.Now(), until
}

func (w *waiting) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.total += time.Since(w.since)
	w.why = ""
}

// into tells the status, and gives the time spent waiting so far.
func (w *waiting) into(s *Status) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.why == "" {
		return w.total
	}
	s.Waiting, s.Until = w.why, w.until
	return w.total + time.Since(w.since)
}

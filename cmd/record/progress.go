package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/human"
	"aircheck/internal/record/runner"
)

// How often progress is shown: on a terminal one line is written over, else
// lines follow each other.
const (
	redrawEvery = 200 * time.Millisecond
	lineEvery   = 10 * time.Second
)

// progress shows how far a run has come, and what goes wrong with it.
type progress struct {
	w        io.Writer
	terminal bool

	mu   sync.Mutex
	last string // the line that was shown last
}

func newProgress(w io.Writer) *progress { return &progress{w: w, terminal: cli.IsTerminal(w)} }

// say shows a line that stays.
func (p *progress) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.terminal {
		line = "\r" + line + "\x1b[K"
		p.last = ""
	}
	fmt.Fprintln(p.w, line)
}

// show shows the line of the moment.
func (p *progress) show(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case line == p.last:
	case p.terminal:
		// Return, the line, erase what is left of a longer one.
		fmt.Fprintf(p.w, "\r%s\x1b[K", line)
	default:
		fmt.Fprintln(p.w, line)
	}
	p.last = line
}

// follow shows a run's progress until the returned function is called.
func (p *progress) follow(r *runner.Recorder) (finish func()) {
	every := lineEvery
	if p.terminal {
		every = redrawEvery
	}
	show := func() { p.show(progressLine(r.Status(), time.Now())) }
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticks := time.NewTicker(every)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				show()
			case <-stop:
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
		show()
		if p.terminal {
			fmt.Fprintln(p.w)
		}
	})
}

// progressLine is "12/60 requests, 1 with an error (north · m: 503 "overloaded"),
// $0.0031 spent, about 2 min left".
func progressLine(s runner.Status, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d requests", s.Done, s.Total)
	if s.Errors > 0 {
		fmt.Fprintf(&b, ", %d with an error", s.Errors)
		if s.Trouble != "" {
			fmt.Fprintf(&b, " (%s)", s.Trouble)
		}
	}
	if s.Skipped > 0 {
		fmt.Fprintf(&b, ", %d left out", s.Skipped)
	}
	b.WriteString(spending(s))
	if s.Waiting != "" {
		fmt.Fprintf(&b, ", %s in %s", s.Waiting, span(s.Until.Sub(now)))
	}
	if s.Left > 0 && s.Done+s.Skipped < s.Total {
		fmt.Fprintf(&b, ", about %s left", span(s.Left))
	}
	return b.String()
}

// spending is empty where no price is known.
func spending(s runner.Status) string {
	if !s.Priced {
		return ""
	}
	return ", " + human.USD(float64(s.SpentNano)/1e9) + " spent"
}

// span writes a duration in whole seconds, minutes or hours and minutes.
func span(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

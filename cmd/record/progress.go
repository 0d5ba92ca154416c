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

// showProgress shows how far the run has come until the returned function is
// called.
func showProgress(w io.Writer, r *runner.Recorder) (finish func()) {
	terminal := cli.IsTerminal(w)
	every := lineEvery
	if terminal {
		every = redrawEvery
	}
	last := ""
	show := func() {
		line := progressLine(r.Status(), time.Now())
		switch {
		case line == last:
		case terminal:
			// Return, the line, erase what is left of a longer one.
			fmt.Fprintf(w, "\r%s\x1b[K", line)
		default:
			fmt.Fprintln(w, line)
		}
		last = line
	}
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
		if terminal {
			fmt.Fprintln(w)
		}
	})
}

// progressLine is "12/60 requests, 1 with an error, $0.0031 spent, 2.5 min left".
func progressLine(s runner.Status, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d requests", s.Done, s.Total)
	if s.Errors > 0 {
		fmt.Fprintf(&b, ", %d with an error", s.Errors)
	}
	b.WriteString(spending(s))
	if s.Waiting != "" {
		fmt.Fprintf(&b, ", %s in %s", s.Waiting, span(s.Until.Sub(now)))
	}
	if s.Left > 0 && s.Done < s.Total {
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

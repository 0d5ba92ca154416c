package main

import (
	"testing"
	"time"

	"aircheck/internal/record/runner"
)

func TestProgressLine(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, c := range []struct {
		s    runner.Status
		want string
	}{
		{runner.Status{Total: 60}, "0/60 requests"},
		{runner.Status{Done: 12, Total: 60, Errors: 1, SpentNano: 3_100_000, Priced: true, Left: 150 * time.Second}, "12/60 requests, 1 with an error, $0.0031 spent, about 2 min left"},
		{runner.Status{Done: 5, Total: 60, Waiting: "window 03", Until: now.Add(2*time.Hour + 5*time.Minute), Left: 30 * time.Hour}, "5/60 requests, window 03 in 2 h 05 min, about 30 h 00 min left"},
		{runner.Status{Done: 60, Total: 60, Left: time.Second}, "60/60 requests"},
	} {
		if got := progressLine(c.s, now); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

package imports

import (
	"testing"
	"time"
)

func TestCoverageByHour(t *testing.T) {
	h := hours{}
	start := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	if h.add(start.UnixNano()); h.String() != "" {
		t.Errorf("one hour: %q", h)
	}
	h.add(start.Add(90 * time.Minute).UnixNano())
	if got, want := h.String(), "rows in 2 of the 2 hours from 2026-01-02 03:00 to 2026-01-02 05:00 UTC"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	h.add(start.Add(6 * time.Hour).UnixNano())
	h.add(start.Add(9 * time.Hour).UnixNano())
	if got, want := h.String(), "rows in 4 of the 10 hours from 2026-01-02 03:00 to 2026-01-02 13:00 UTC, none for 4 from 2026-01-02 05:00, 2 from 2026-01-02 10:00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

package schema

import (
	"crypto/rand"
	"encoding/hex"
	"sync/atomic"
	"time"
)

// idEpoch is where request ids begin. Counting microseconds from here keeps
// them below 2^53, which every JSON reader can hold, for 285 years.
var idEpoch = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// IDs hands out request ids: microseconds since 2024, each above the last. Two
// recorders that know nothing of each other collide only when they start a
// request in the same microsecond; verify names such a pair.
type IDs struct{ last atomic.Int64 }

// Next returns an id for a request that starts at t.
func (s *IDs) Next(t time.Time) int64 {
	want := t.Sub(idEpoch).Microseconds()
	for {
		last := s.last.Load()
		id := max(want, last+1)
		if s.last.CompareAndSwap(last, id) {
			return id
		}
	}
}

// NewRunID names a run: its start in UTC, so that names sort by time, and a few
// random digits for runs that start in the same second.
func NewRunID(start time.Time) string {
	var b [3]byte
	rand.Read(b[:])
	return start.UTC().Format("20060102t150405z-") + hex.EncodeToString(b[:])
}

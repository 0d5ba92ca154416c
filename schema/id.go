package schema

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"sync"
	"time"
)

// A request id is the millisecond in which the request began, counted from
// idEpoch, and the number of its recorder below it. It stays below 2^53, which
// every JSON reader can hold, until 2058.
var idEpoch = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

const recorderBits = 13

// IDs hands out request ids, each above the last: of several in one millisecond
// the later ones count as of the next. The zero value is recorder 0.
type IDs struct {
	recorder int64

	mu   sync.Mutex
	last int64
}

// NewIDs draws a recorder's number. Recorders know nothing of each other, so two
// at a time draw the same once in 8192; verify names ids that are there twice.
func NewIDs() *IDs {
	var b [2]byte
	rand.Read(b[:])
	return &IDs{recorder: int64(binary.BigEndian.Uint16(b[:])) % (1 << recorderBits)}
}

// Next returns an id for a request that starts at t.
func (s *IDs) Next(t time.Time) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(t.Sub(idEpoch).Milliseconds()<<recorderBits|s.recorder, s.last+1<<recorderBits)
	return s.last
}

// NewRunID names a run: its start in UTC, so that names sort by time, and a few
// random digits for runs that start in the same second.
func NewRunID(start time.Time) string {
	var b [3]byte
	rand.Read(b[:])
	return start.UTC().Format("20060102t150405z-") + hex.EncodeToString(b[:])
}

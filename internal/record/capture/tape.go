package capture

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/journal"
	"aircheck/internal/wire/dialect"
	"aircheck/internal/wire/frame"
)

// Sink takes what a request brings, as it comes, in the goroutine that reads it.
type Sink interface {
	// Head hears that the response's head is here, and in the request's row.
	Head(*http.Response)
	// Frame takes a frame, or a piece of a large one, valid until it returns.
	Frame(*journal.Frame)
}

// Forwarder is a Sink that passes the body on: it takes the bytes as they came,
// before anything is masked. An error ends the request as cancelled. What is
// beyond a limit of the recorder is passed on all the same.
type Forwarder interface {
	Body([]byte) error
	Whole() // the body came to its proper end
}

// tape cuts the body of one response into frames as it arrives, and hands them
// on. Nothing is allocated for a frame. Of a frame that is still open no more is
// held than the limit says; what came before is a piece of its own.
type tape struct {
	splitter *frame.Splitter
	sink     Sink
	mask     *Secrets
	limits   limits.Response
	meter    *dialect.Meter // of a compressed body; nil: it is none, or cannot be watched
	start    int64          // of the request; times are offsets from it
	floor    int64          // when the request was sent: nothing came before

	bytes  int64
	frames int64
	open   int64 // bytes of the open frame that were handed on
	read   int32 // number of the socket read that brought the last bytes, from 0
	stamp  stamp
	emit   func(raw []byte)
	out    journal.Frame
}

// tailBytes stay when a piece is handed on, so that a key across its end is still
// seen whole.
const tailBytes = 4 << 10

func newTape(kind frame.Kind, sink Sink, mask *Secrets, most limits.Response, start, floor int64) *tape {
	t := &tape{splitter: frame.NewSplitter(kind), read: -1, sink: sink, mask: mask, limits: most, start: start, floor: floor}
	t.emit = func(raw []byte) { t.keep(raw, true, false) }
	return t
}

// write takes body bytes that the given read of the socket completed.
func (t *tape) write(p []byte, s stamp) error {
	if len(p) == 0 {
		return nil
	}
	if t.read < 0 || s.seq != t.stamp.seq {
		t.read++
		t.stamp = s
	}
	t.bytes += int64(len(p))
	t.splitter.Write(p, t.emit)
	if open := t.splitter.Open(); int64(len(open)) >= t.limits.Held+tailBytes {
		n := len(open) - tailBytes
		t.mask.Bytes(open)
		t.keep(open[:n], false, true)
		t.open += int64(n)
		t.splitter.Drop(n)
	}
	switch {
	case t.bytes > t.limits.Body:
		return &limitError{"bytes of a body", t.limits.Body}
	case t.open > t.limits.Frame:
		return &limitError{"bytes of a frame", t.limits.Frame}
	case t.frames > t.limits.Frames:
		return &limitError{"frames of a body", t.limits.Frames}
	}
	if err := t.meter.Write(p); err != nil {
		return &looseError{err}
	}
	return nil
}

// keep hands a frame on, or a piece of one.
func (t *tape) keep(raw []byte, complete, more bool) {
	if !more {
		t.frames++
		t.open = 0
		t.mask.Bytes(raw)
	}
	s := &t.stamp
	t.out = journal.Frame{Read: t.read, At: s.at - t.start, ReadAt: s.read - t.start, Lo: min(max(s.lo, t.floor), s.at) - t.start,
		Clock: s.clock, Complete: complete, More: more, Raw: raw}
	t.sink.Frame(&t.out)
}

// close ends the body.
func (t *tape) close() {
	t.meter.Close()
	t.splitter.Close(func(raw []byte, complete bool) { t.keep(raw, complete, false) })
}

// limitError says which bound of the recorder a response went beyond.
type limitError struct {
	what string
	most int64
}

func (e *limitError) Error() string {
	return fmt.Sprintf("the recorder keeps at most %d %s", e.most, e.what)
}

// looseError says that a compressed body becomes too large.
type looseError struct{ err error }

func (e *looseError) Error() string {
	return "the recorder takes no compressed body of " + e.err.Error()
}

// ofHTTP are the limits of net/http, which are ours: a head or a trailer that is
// too long, chunks that are mostly framing.
var ofHTTP = []string{"net/http: server response headers exceeded", "net/http: too many 1xx informational responses",
	"http: suspiciously long trailer", "header line too long", "http2: response header list larger than advertised limit", "chunked encoding contains too much non-data"}

func isLimit(err error) bool {
	var l *limitError
	var loose *looseError
	return errors.As(err, &l) || errors.As(err, &loose) ||
		slices.ContainsFunc(ofHTTP, func(text string) bool { return strings.Contains(err.Error(), text) })
}

package virtual

import (
	"time"

	"aircheck/internal/record/capture"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// finish completes the row and gives its frames: what a client's kernel and the
// recorder's reads make of the provider's writes.
//
// A write reaches the kernel after the way back and some jitter, never before
// the one ahead of it. The reader wakes up a little later, now and then much
// later, and takes all that has come by then in one read: its frames share the
// stamp of the last segment, which is what the kernel states for a read.
func (x *job) finish(secrets *capture.Secrets) []schema.Chunk {
	row := x.row
	writes := x.reply.Writes(x.until - x.arrival(0))
	if len(writes) == 0 {
		return nil
	}
	row.HTTPStatus = new(int32(x.reply.Status))
	row.HTTPVersion = new("HTTP/1.1")
	row.ResponseHeaders = new(secrets.HeadersJSON(x.reply.Header))
	t := &tape{splitter: frame.NewSplitter(frame.KindFor(x.reply.Header.Get("Content-Type"), x.reply.Status, *row.API))}
	var before, busy time.Duration // when the kernel last got something, and when the last read returned
	for i := 0; i < len(writes); {
		stamp := max(before, x.arrival(writes[i].At)+x.jitter())
		woke := max(stamp, busy) + lognormal(x.rng, 35*time.Microsecond, 0.5)
		if x.rng.Float64() < 0.002 {
			woke += lognormal(x.rng, time.Millisecond, 0.8)
		}
		body := writes[i].Bytes
		for i++; i < len(writes) && x.arrival(writes[i].At) <= woke; i++ {
			stamp = max(stamp, min(woke, x.arrival(writes[i].At)+x.jitter()))
			body = append(body[:len(body):len(body)], writes[i].Bytes...)
		}
		if t.reads == 0 {
			row.HeadersNs = new(int64(woke))
		}
		t.write(body, stamp, woke, max(busy, x.sent))
		before, busy = stamp, woke
	}
	row.BytesReceived = &t.bytes
	row.EndNs = new(max(*row.EndNs, int64(busy)))
	return t.close()
}

// jitter is what the way back takes beyond its shortest time.
func (x *job) jitter() time.Duration { return lognormal(x.rng, 90*time.Microsecond, 0.7) }

// tape gathers frames.
type tape struct {
	splitter *frame.Splitter
	reads    int32
	bytes    int64
	rows     []schema.Chunk

	stamp, woke time.Duration // of the last read
}

// write takes what one read brought. No frame of it can have come before lo.
func (t *tape) write(body []byte, stamp, woke, lo time.Duration) {
	t.bytes += int64(len(body))
	t.stamp, t.woke = stamp, woke
	first := len(t.rows)
	t.splitter.Write(body, func(raw []byte) { t.keep(raw, true) })
	if len(t.rows)-first > 1 {
		for i := first; i < len(t.rows); i++ {
			t.rows[i].TLoNs = new(int64(min(lo, stamp)))
		}
	}
	t.reads++
}

func (t *tape) keep(raw []byte, complete bool) {
	t.rows = append(t.rows, schema.Chunk{ReadSeq: t.reads, TNs: new(int64(t.stamp)), TReadNs: new(int64(t.woke)), Clock: "kernel",
		Complete: complete, Raw: append([]byte(nil), raw...)})
}

// close ends the body: what is left is a frame, too.
func (t *tape) close() []schema.Chunk {
	t.reads--
	t.splitter.Close(t.keep)
	return t.rows
}

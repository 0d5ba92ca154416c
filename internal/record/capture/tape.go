package capture

import (
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// tape keeps the body of one response as it arrives: its bytes in slabs, and
// for each frame one mark without pointers. Nothing is allocated for a frame,
// and no buffer is copied because it grew while a stream runs.
type tape struct {
	splitter *frame.Splitter
	slabs    [][]byte
	marks    []mark
	bytes    int64

	read  int32 // number of the socket read that brought the last bytes, from 0
	stamp stamp
	emit  func(raw []byte)
	mask  *Secrets
}

// mark is one frame: where its bytes lie and which read completed it.
type mark struct {
	slab       int32
	begin, end int32
	read       int32
	at, lo     int64
	complete   bool
}

// slabSize holds an answer of a few hundred frames.
const slabSize = 64 << 10

func newTape(kind frame.Kind, mask *Secrets) *tape {
	t := &tape{splitter: frame.NewSplitter(kind), read: -1, mask: mask}
	t.emit = func(raw []byte) { t.keep(raw, true) }
	return t
}

// write takes body bytes that the given read of the socket completed.
func (t *tape) write(p []byte, s stamp) {
	if len(p) == 0 {
		return
	}
	if t.read < 0 || s.seq != t.stamp.seq {
		t.read++
		t.stamp = s
	}
	t.bytes += int64(len(p))
	t.splitter.Write(p, t.emit)
}

// keep copies a frame.
func (t *tape) keep(raw []byte, complete bool) {
	last := len(t.slabs) - 1
	if last < 0 || cap(t.slabs[last])-len(t.slabs[last]) < len(raw) {
		t.slabs = append(t.slabs, make([]byte, 0, max(slabSize, len(raw))))
		last++
	}
	begin := len(t.slabs[last])
	t.slabs[last] = append(t.slabs[last], raw...)
	t.mask.Bytes(t.slabs[last][begin:])
	t.marks = append(t.marks, mark{slab: int32(last), begin: int32(begin), end: int32(len(t.slabs[last])),
		read: t.read, at: t.stamp.at, lo: t.stamp.lo, complete: complete})
}

// frames ends the body and gives its frames as rows. Times are offsets from
// start; no frame can have come before floor, the time at which the request
// was sent.
func (t *tape) frames(start, floor int64) []schema.Chunk {
	t.splitter.Close(t.keep)
	rows := make([]schema.Chunk, len(t.marks))
	times := make([]int64, 0, 2*len(t.marks))
	keep := func(ns int64) *int64 {
		times = append(times, ns)
		return &times[len(times)-1]
	}
	for i := range t.marks {
		m := &t.marks[i]
		at := keep(m.at - start)
		rows[i] = schema.Chunk{ReadSeq: m.read, TNs: at, TReadNs: at, Clock: "read", Complete: m.complete,
			Raw: t.slabs[m.slab][m.begin:m.end:m.end]}
		// Of frames that share a read each may have come at any time since the
		// socket was last seen empty.
		if i > 0 && t.marks[i-1].read == m.read || i+1 < len(t.marks) && t.marks[i+1].read == m.read {
			rows[i].TLoNs = keep(min(max(m.lo, floor), m.at) - start)
		}
	}
	return rows
}

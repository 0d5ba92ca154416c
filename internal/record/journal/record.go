package journal

import (
	"encoding/binary"
	"encoding/json"
	"errors"

	"aircheck/schema"
)

// Types of records.
const (
	recordHead  = 'H' // JSON of Head
	recordBegin = 'B' // id, JSON of schema.Request: a request is about to be sent
	recordRow   = 'R' // the same, without the request's body: what is known by now; the last one counts
	recordEnd   = 'X' // the same; the request is over
	recordFrame = 'F' // id and Frame
	recordNote  = 'N' // text: a note for the run's record
)

// Head says whose journal it is: the run's record as known so far.
type Head struct {
	Format int        `json:"format"`
	Run    schema.Run `json:"run"`
}

// format of the journal's files. Others are refused, not guessed at.
const format = 1

// Frame is one frame of a response, or a piece of a large one. Times are
// nanoseconds from the request's start.
type Frame struct {
	Read     int32 // number of the read that completed it, from 0
	At       int64 // best known arrival of its last byte
	ReadAt   int64 // return of the read
	Lo       int64 // earliest that its last byte can have come, if it shared the read
	Out      int64 // when a proxy handed its last byte to the caller; 0 without one
	Clock    schema.Clock
	Complete bool // it ended as frames do, not with the body
	More     bool // the next one of the request continues it
	Raw      []byte
}

const (
	flagComplete = 1 << iota
	flagMore
	flagOut
	clockShift = iota
)

// appendFrame encodes a record. Raw comes last, so that it needs no length.
func appendFrame(b []byte, id int64, f *Frame) []byte {
	var head [1 + 7*binary.MaxVarintLen64]byte
	h := append(head[:0], recordFrame)
	h = binary.AppendUvarint(h, uint64(id))
	flags := byte(f.Clock) << clockShift
	if f.Complete {
		flags |= flagComplete
	}
	if f.More {
		flags |= flagMore
	}
	if f.Out != 0 {
		flags |= flagOut
	}
	h = append(h, flags)
	h = binary.AppendUvarint(h, uint64(f.Read))
	h = binary.AppendVarint(h, f.At)
	h = binary.AppendVarint(h, f.ReadAt-f.At)
	h = binary.AppendVarint(h, f.At-f.Lo)
	if f.Out != 0 {
		h = binary.AppendVarint(h, f.Out-f.At)
	}
	b = binary.AppendUvarint(b, uint64(len(h)+len(f.Raw)))
	return append(append(b, h...), f.Raw...)
}

var errRecord = errors.New("a record makes no sense")

// record is one record as read; data is what follows the type, and the id where
// there is one.
type record struct {
	kind byte
	id   int64
	data []byte
}

// nextRecord cuts the first record off a payload, and says how many bytes it
// takes.
func nextRecord(p []byte) (r record, size int, err error) {
	n, k := binary.Uvarint(p)
	if k <= 0 || n == 0 || n > uint64(len(p)-k) {
		return r, 0, errRecord
	}
	size = k + int(n)
	r.kind, r.data = p[k], p[k+1:size]
	switch r.kind {
	case recordBegin, recordRow, recordEnd, recordFrame:
		id, k := binary.Uvarint(r.data)
		if k <= 0 {
			return r, 0, errRecord
		}
		r.id, r.data = int64(id), r.data[k:]
	}
	return r, size, nil
}

// frame decodes the data of a frame's record; Raw points into it.
func (r *record) frame(f *Frame) error {
	p := r.data
	if len(p) == 0 {
		return errRecord
	}
	flags := p[0]
	p = p[1:]
	*f = Frame{Complete: flags&flagComplete != 0, More: flags&flagMore != 0, Clock: schema.Clock(flags >> clockShift)}
	if !f.Clock.Valid() {
		return errRecord
	}
	read, k := binary.Uvarint(p)
	if k <= 0 || read > 1<<31-1 {
		return errRecord
	}
	p = p[k:]
	f.Read = int32(read)
	times := []*int64{&f.At, &f.ReadAt, &f.Lo, &f.Out}
	if flags&flagOut == 0 {
		times = times[:3]
	}
	for _, to := range times {
		v, k := binary.Varint(p)
		if k <= 0 {
			return errRecord
		}
		*to, p = v, p[k:]
	}
	f.ReadAt, f.Lo = f.At+f.ReadAt, f.At-f.Lo
	if flags&flagOut != 0 {
		f.Out += f.At
	}
	f.Raw = p
	return nil
}

// appendRow encodes a request's row. Its body, which can be large and does not
// change, is only in the first one.
func appendRow(b []byte, kind byte, row *schema.Request) ([]byte, error) {
	kept := *row
	if kind != recordBegin {
		kept.RequestBody = nil
	}
	data, err := json.Marshal(&kept)
	if err != nil {
		return b, err
	}
	return appendText(b, kind, binary.AppendUvarint(nil, uint64(row.RequestID)), data), nil
}

func appendText(b []byte, kind byte, id, data []byte) []byte {
	b = binary.AppendUvarint(b, uint64(1+len(id)+len(data)))
	b = append(append(b, kind), id...)
	return append(b, data...)
}

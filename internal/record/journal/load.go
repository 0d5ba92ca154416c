package journal

import (
	"bytes"
	"cmp"
	"slices"

	"aircheck/internal/kit/columnar"
	"aircheck/schema"
)

// loader reads the frames of a row group back from the journal. One response can
// be larger than memory should hold: then only its times stay, and its bytes are
// read again when they are written.
type loader struct {
	x       *index
	slab    []byte
	scratch []byte
	order   []int32
	places  []int
	frames  []loaded
	lo      []int64

	g   schema.Group
	err error // of reading bytes while they were written
}

// loaded is one frame as read.
type loaded struct {
	id int64
	Frame
}

const (
	// loadBytes are read from the journal at a time.
	loadBytes = 8 << 20
	// A stretch of other requests' records up to this long is read over.
	gapBytes  = 32 << 10
	readBytes = 1 << 20
)

func newLoader(x *index) *loader { return &loader{x: x} }

// masked hides what must not be written in frames of one response; see Mask.
type masked func(id int64, frames [][]byte, more bool)

// group fills the columns of a row group in, and gives the bytes received by
// request.
func (l *loader) group(extents []extent, mask masked) (received map[int64]int64, err error) {
	received = map[int64]int64{}
	g := &l.g
	g.RequestID, g.Seq, g.ReadSeq = g.RequestID[:0], g.Seq[:0], g.ReadSeq[:0]
	g.TNs, g.TReadNs, g.Clock, g.Complete, l.lo = g.TNs[:0], g.TReadNs[:0], g.Clock[:0], g.Complete[:0], l.lo[:0]
	g.TOutNs = columnar.Nullable{Values: g.TOutNs.Values[:0], Def: g.TOutNs.Def[:0]}
	batches := 0
	l.each(extents, func(frames []loaded) bool {
		batches++
		for i := range frames {
			f := &frames[i]
			seq := int32(0)
			if n := len(g.RequestID); n > 0 && g.RequestID[n-1] == f.id {
				seq = g.Seq[n-1] + 1
			}
			g.RequestID, g.Seq, g.ReadSeq = append(g.RequestID, f.id), append(g.Seq, seq), append(g.ReadSeq, f.Read)
			g.TNs, g.TReadNs, l.lo = append(g.TNs, f.At), append(g.TReadNs, f.ReadAt), append(l.lo, f.Lo)
			g.Clock, g.Complete = append(g.Clock, f.Clock), append(g.Complete, f.Complete)
			if f.Out != 0 {
				g.TOutNs.Values, g.TOutNs.Def = append(g.TOutNs.Values, f.Out), append(g.TOutNs.Def, 1)
			} else {
				g.TOutNs.Def = append(g.TOutNs.Def, 0)
			}
			received[f.id] += int64(len(f.Raw))
		}
		return true
	})
	if l.err != nil {
		return nil, l.err
	}
	l.bounds()
	if batches > 1 {
		g.Raw = l.again(extents, mask)
		return received, nil
	}
	g.Raw = l.raws(mask)
	return received, nil
}

// bounds keeps the earliest times of frames that shared a read: each may have come
// at any time since the socket was last seen empty.
func (l *loader) bounds() {
	g := &l.g
	shared := func(a, b int) bool {
		return b < len(g.RequestID) && g.RequestID[a] == g.RequestID[b] && g.ReadSeq[a] == g.ReadSeq[b]
	}
	out := columnar.Nullable{Values: g.TLoNs.Values[:0], Def: g.TLoNs.Def[:0]}
	for i := range g.RequestID {
		if shared(i, i+1) || i > 0 && shared(i-1, i) {
			out.Values, out.Def = append(out.Values, l.lo[i]), append(out.Def, 1)
		} else {
			out.Def = append(out.Def, 0)
		}
	}
	g.TLoNs = out
}

// raws gives the bytes of the frames that are in memory, masked.
func (l *loader) raws(mask masked) func(func([][]byte) bool) {
	frames := l.frames
	raws := make([][]byte, len(frames))
	from := 0
	for i := range frames {
		raws[i] = frames[i].Raw
		if i == len(frames)-1 || frames[i+1].id != frames[i].id {
			mask(frames[i].id, raws[from:i+1], false)
			from = i + 1
		}
	}
	return func(yield func([][]byte) bool) {
		if len(raws) > 0 {
			yield(raws)
		}
	}
}

const (
	// heldFrames and heldBytes are masked with the batch that follows, too: a key
	// that comes in pieces has fewer of them. The last frame is held whatever its size.
	heldFrames, heldBytes = 64, 1 << 20
	// shownBytes is the largest frame that is masked where the response is too large
	// for memory: masking takes several times a frame's size.
	shownBytes = 4 << 20
)

// again reads the bytes once more, and masks them batch by batch. The last frames of
// a batch are written with the next.
func (l *loader) again(extents []extent, mask masked) func(func([][]byte) bool) {
	return func(yield func([][]byte) bool) {
		var raws, held, shown [][]byte
		id := int64(-1) // whose the held frames are
		show := func(frames [][]byte, more bool) {
			shown = shown[:0]
			for _, raw := range frames {
				if len(raw) <= shownBytes {
					shown = append(shown, raw)
				}
			}
			mask(id, shown, more)
		}
		l.each(extents, func(frames []loaded) bool {
			raws = append(raws[:0], held...)
			from := 0
			for i := range frames {
				if f := &frames[i]; f.id != id {
					if from < len(raws) {
						show(raws[from:], false)
					}
					id, from = f.id, len(raws)
				}
				raws = append(raws, frames[i].Raw)
			}
			if len(raws) == 0 {
				return true
			}
			show(raws[from:], true)
			keep, size := len(raws)-1, len(raws[len(raws)-1])
			for keep > from && len(raws)-keep < heldFrames && size+len(raws[keep-1]) <= heldBytes {
				keep--
				size += len(raws[keep])
			}
			next := make([][]byte, 0, len(raws)-keep)
			for _, raw := range raws[keep:] {
				next = append(next, bytes.Clone(raw)) // the slab is filled again
			}
			held = next
			return keep == 0 || yield(raws[:keep])
		})
		if len(held) > 0 && l.err == nil {
			show(held, false)
			yield(held)
		}
	}
}

// each gives the frames of the extents in batches, each valid until the next. An
// error is left in l.err.
func (l *loader) each(extents []extent, yield func([]loaded) bool) {
	l.err = nil
	// Pieces of the frame that goes on. They are joined in the slab, where the first
	// of them lies: the heads of the others' records make the room.
	var open []byte
	var last loaded
	pieces := false
	// flush ends a frame whose end the journal does not have.
	flush := func() {
		if pieces {
			last.Raw, last.Complete, last.More = open, false, false
			l.frames = append(l.frames, last)
			open, pieces = nil, false
		}
	}
	most, records := batch(extents)
	for len(extents) > 0 {
		n, size, rows := 0, 0, 0
		for n < len(extents) && (n == 0 || size+int(extents[n].size) <= most && rows+int(extents[n].records) <= records) {
			size += int(extents[n].size)
			rows += int(extents[n].records)
			n++
		}
		slab, err := l.load(extents[:n], size)
		if err != nil {
			l.err = err
			return
		}
		l.frames = l.frames[:0]
		for p := slab; len(p) > 0; {
			r, size, err := nextRecord(p)
			var f loaded
			if err == nil {
				f.id = r.id
				err = r.frame(&f.Frame)
			}
			if err != nil {
				l.err = err
				return
			}
			p = p[size:]
			if pieces && f.id != last.id {
				flush()
			}
			if pieces || f.More {
				if !pieces {
					open, pieces = f.Raw[:len(f.Raw):cap(f.Raw)], true
				} else {
					open = append(open, f.Raw...)
				}
				if f.Raw = open; f.More {
					last = f
					continue
				}
				open, pieces = nil, false
			}
			l.frames = append(l.frames, f)
		}
		extents = extents[n:]
		if len(extents) == 0 {
			flush()
		} else if pieces {
			open = bytes.Clone(open) // the slab is filled again
		}
		if !yield(l.frames) {
			return
		}
	}
}

// batch is how much of the extents is in memory at a time: all, if that is little.
func batch(extents []extent) (bytes, records int) {
	for i := range extents {
		bytes += int(extents[i].size)
		records += int(extents[i].records)
	}
	if bytes > 2*schema.GroupBytes || records > 2*schema.GroupRows {
		return loadBytes, schema.GroupRows
	}
	return bytes, records
}

// load reads the extents into the slab, one after the other. It reads in the
// order of the journal, and in large pieces: records of requests that ran side by
// side lie between each other.
func (l *loader) load(extents []extent, size int) ([]byte, error) {
	l.slab = grown(l.slab, size)
	l.order, l.places = l.order[:0], l.places[:0]
	at := 0
	for i := range extents {
		l.order, l.places = append(l.order, int32(i)), append(l.places, at)
		at += int(extents[i].size)
	}
	slices.SortFunc(l.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(extents[a].file, extents[b].file), cmp.Compare(extents[a].at, extents[b].at))
	})
	for i := 0; i < len(l.order); {
		first := &extents[l.order[i]]
		end := first.at + int64(first.size)
		j := i + 1
		for ; j < len(l.order); j++ {
			e := &extents[l.order[j]]
			if e.file != first.file || e.at > end+gapBytes || e.at+int64(e.size)-first.at > readBytes {
				break
			}
			end = e.at + int64(e.size)
		}
		if j == i+1 {
			if _, err := l.x.files[first.file].ReadAt(l.slab[l.places[l.order[i]]:][:first.size], first.at); err != nil {
				return nil, err
			}
			i = j
			continue
		}
		l.scratch = grown(l.scratch, int(end-first.at))
		if _, err := l.x.files[first.file].ReadAt(l.scratch, first.at); err != nil {
			return nil, err
		}
		for ; i < j; i++ {
			e := &extents[l.order[i]]
			copy(l.slab[l.places[l.order[i]]:], l.scratch[e.at-first.at:][:e.size])
		}
	}
	return l.slab, nil
}

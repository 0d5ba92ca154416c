package journal

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"aircheck/schema"
)

// index is what the files of a journal hold, without their frames' bytes.
type index struct {
	files    []*os.File
	head     Head // the last one
	notes    []string
	endNs    int64 // wall time of the last segment
	requests []request
	byID     map[int64]int32
	extents  []extent // in the order of the journal
	skipped  int64    // bytes that are none
}

// request is what is known of one.
type request struct {
	id          int64
	first, last place // rows as begun and as known last
	ended       bool
	broken      bool // frames are missing after those that are there
	extents     int32
}

// place is where a row's JSON lies.
type place struct {
	file int32
	size int32
	at   int64
}

// extent is a stretch of records, all frames of one request.
type extent struct {
	request, file int32
	size, records int32
	at            int64
}

// scan reads the files of a journal. done are requests to leave out: they are
// sealed already.
func scan(names []string, done map[int64]bool) (x *index, err error) {
	x = &index{byID: map[int64]int32{}}
	defer func() {
		if err != nil {
			x.close()
		}
	}()
	var next uint64 // number of the record that is due
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return x, err
		}
		x.files = append(x.files, f)
		if err := x.file(f, &next, done); err != nil {
			return x, fmt.Errorf("%s: %w", name, err)
		}
	}
	return x, nil
}

func (x *index) close() {
	for _, f := range x.files {
		f.Close()
	}
}

func (x *index) file(f *os.File, due *uint64, done map[int64]bool) error {
	r, err := newSegmentReader(f)
	if err != nil {
		return err
	}
	for {
		s, gap, err := r.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if gap || *due != 0 && s.first != *due {
			x.gap()
		}
		*due = s.first + uint64(s.records)
		x.endNs = max(x.endNs, s.wallNs)
		if err := x.segment(&s, done); err != nil {
			return err
		}
	}
	x.skipped += r.skipped
	return nil
}

// gap ends the requests that are open: frames of them may be missing.
func (x *index) gap() {
	for i := range x.requests {
		if !x.requests[i].ended {
			x.requests[i].broken = true
		}
	}
}

func (x *index) segment(s *segment, done map[int64]bool) error {
	file := int32(len(x.files) - 1)
	last := int32(-1) // the request of the extent that goes on
	for at := 0; at < len(s.payload); {
		r, size, err := nextRecord(s.payload[at:])
		if err != nil {
			return err // its checksum is right: another program wrote it
		}
		end := s.at + int64(at+size)
		at += size
		if done[r.id] && r.id != 0 {
			last = -1
			continue
		}
		switch r.kind {
		case recordHead:
			var h Head
			if err := json.Unmarshal(r.data, &h); err != nil || h.Format != format {
				return fmt.Errorf("a journal of format %d, this program reads %d", h.Format, format)
			}
			x.head, x.notes = h, slices.Clone(h.Run.Notes)
		case recordNote:
			x.notes = append(x.notes, string(r.data))
		case recordBegin, recordRow, recordEnd:
			x.row(&r, place{file, int32(len(r.data)), end - int64(len(r.data))})
		case recordFrame:
			i, ok := x.byID[r.id]
			if !ok || x.requests[i].broken {
				last = -1
				continue
			}
			if last == i && len(x.extents) > 0 {
				e := &x.extents[len(x.extents)-1]
				e.size += int32(size)
				e.records++
				continue
			}
			x.extents = append(x.extents, extent{request: i, file: file, size: int32(size), records: 1, at: end - int64(size)})
			x.requests[i].extents++
			last = i
			continue
		default:
			return fmt.Errorf("a record of an unknown type %q", r.kind)
		}
		last = -1
	}
	return nil
}

func (x *index) row(r *record, at place) {
	i, ok := x.byID[r.id]
	switch {
	case !ok && r.kind != recordBegin: // its beginning is lost
		return
	case !ok:
		i = int32(len(x.requests))
		x.byID[r.id] = i
		x.requests = append(x.requests, request{id: r.id, first: at})
	}
	q := &x.requests[i]
	q.last = at
	q.ended = q.ended || r.kind == recordEnd
}

// order gives the requests that pass by id, and the extents of each, in order.
func (x *index) order(pass func(*request) bool) (ids []int32, extents func(i int32) []extent) {
	for i := range x.requests {
		if pass(&x.requests[i]) {
			ids = append(ids, int32(i))
		}
	}
	slices.SortFunc(ids, func(a, b int32) int { return int(min(max(x.requests[a].id-x.requests[b].id, -1), 1)) })
	// The extents are sorted by request, those of each in the journal's order.
	from := make([]int32, len(x.requests)+1)
	for i := range x.requests {
		from[i+1] = from[i] + x.requests[i].extents
	}
	sorted := make([]extent, len(x.extents))
	next := slices.Clone(from)
	for _, e := range x.extents {
		sorted[next[e.request]] = e
		next[e.request]++
	}
	x.extents = nil
	return ids, func(i int32) []extent { return sorted[from[i]:from[i+1]] }
}

// read gives the row of a request, ended or not, as the table will have it.
func (x *index) read(q *request) (*schema.Request, error) {
	row, err := x.json(q.last)
	if err != nil {
		return nil, err
	}
	if q.last != q.first {
		first, err := x.json(q.first)
		if err != nil {
			return nil, err
		}
		row.RequestBody = first.RequestBody
	}
	return row, nil
}

func (x *index) json(p place) (*schema.Request, error) {
	data := make([]byte, p.size)
	if _, err := x.files[p.file].ReadAt(data, p.at); err != nil {
		return nil, err
	}
	row := &schema.Request{}
	return row, json.Unmarshal(data, row)
}

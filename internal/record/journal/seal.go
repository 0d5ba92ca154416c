package journal

import (
	"fmt"
	"os"
	"slices"

	"aircheck/schema"
)

// Mask hides what must not be in the sealed files in the frames of one response,
// in place. A response that is too large to be held in memory is shown to it in
// stretches, each of which begins with the last frames of the one before; more says
// that another follows.
type Mask func(row *schema.Request, frames [][]byte, more bool)

// MaskOf finds the mask of a run that is recovered, whose record it may add notes
// to; nil for none.
type MaskOf func(run *schema.Run) Mask

// sealer turns the journal of a run into Parquet, part by part.
type sealer struct {
	dir, runID string
	mask       Mask
	done       map[int64]bool // requests in sealed parts whose frames a journal may still hold
	files      []schema.File  // of the parts so far
	parts      int
	requests   int64
	chunks     int64
	simulated  bool // an answer said that it was
}

// newSealer begins where the run's record, if there is one, left off. Files that
// it does not name were not finished when the recorder crashed, and go.
func newSealer(dir, runID string, mask Mask) (*sealer, error) {
	s := &sealer{dir: dir, runID: runID, mask: mask, done: map[int64]bool{}}
	run, err := schema.ReadRun(dir, runID)
	if os.IsNotExist(err) {
		return s, schema.RemoveUnlisted(dir, runID, nil)
	}
	if err != nil {
		return nil, err
	}
	s.files, s.parts, s.requests, s.chunks = run.Files, len(run.Files)/2, run.Requests, run.Chunks
	if err := schema.RemoveUnlisted(dir, runID, run); err != nil {
		return nil, err
	}
	dataset := &schema.Dataset{Dir: dir}
	return s, dataset.EachRequest(run, func(r *schema.Request) error { s.done[r.RequestID] = true; return nil }, "request_id")
}

// seal writes what the files hold of requests that have ended, or of all, into a
// part, then the run's record, and removes the files that are needed no longer.
func (s *sealer) seal(names []string, all bool, run *schema.Run) (gone []string, err error) {
	x, err := scan(names, s.done)
	if err != nil {
		return nil, err
	}
	defer x.close()
	return s.sealIndex(x, names, all, run)
}

func (s *sealer) sealIndex(x *index, names []string, all bool, run *schema.Run) (gone []string, err error) {
	if err := s.part(x, all); err != nil {
		return nil, err
	}
	if !all && s.parts == 0 {
		return nil, nil
	}
	if s.simulated {
		run.Origin = "simulated"
	}
	run.RunID, run.Files, run.Requests, run.Chunks = s.runID, s.files, s.requests, s.chunks
	if err := run.Write(s.dir); err != nil {
		return nil, err
	}
	// A file stays as long as it has a word on a request that is not sealed.
	needed := make([]bool, len(names))
	for i := range x.requests {
		q := &x.requests[i]
		if !all && !q.ended {
			for f := q.first.file; f < int32(len(names)); f++ {
				needed[f] = true
			}
		}
	}
	// Files go from the oldest on, so that those that stay follow each other.
	for i, name := range names {
		if needed[i] {
			break
		}
		if err := os.Remove(name); err != nil {
			return gone, err
		}
		gone = append(gone, name)
	}
	return gone, nil
}

// part writes one part; none if nothing is to be in it.
func (s *sealer) part(x *index, all bool) error {
	ids, extents := x.order(func(q *request) bool { return q.ended || all })
	if len(ids) == 0 {
		return nil
	}
	part, err := schema.NewPart(s.dir, s.runID, s.parts)
	if err != nil {
		return err
	}
	frames, err := s.rows(x, part, ids, extents)
	if err != nil {
		part.Abort()
		return err
	}
	files, err := part.Finish()
	if err != nil {
		part.Abort()
		return err
	}
	s.files = append(slices.Clip(s.files), files...)
	s.parts++
	s.requests += int64(len(ids))
	s.chunks += frames
	for _, i := range ids {
		s.done[x.requests[i].id] = true
	}
	return nil
}

// rows writes the requests and their frames, a row group at a time.
func (s *sealer) rows(x *index, part *schema.Part, ids []int32, extents func(int32) []extent) (frames int64, err error) {
	l := newLoader(x)
	for len(ids) > 0 {
		// A group is as many whole responses as fit, at least one.
		n, rows, bytes := 0, 0, 0
		var group []extent
		for _, i := range ids {
			if n > 0 && (rows >= schema.GroupRows || bytes >= schema.GroupBytes) {
				break
			}
			es := extents(i)
			for _, e := range es {
				rows += int(e.records)
				bytes += int(e.size)
			}
			if n > 0 && bytes > 2*schema.GroupBytes { // too large for company
				break
			}
			group = append(group, es...)
			n++
		}
		got, err := s.group(x, l, part, ids[:n], group)
		if err != nil {
			return frames, err
		}
		frames += got
		ids = ids[n:]
	}
	return frames, nil
}

// group writes the row group of some requests, then their rows.
func (s *sealer) group(x *index, l *loader, part *schema.Part, ids []int32, extents []extent) (int64, error) {
	rows := make([]*schema.Request, len(ids))
	byID := make(map[int64]*schema.Request, len(ids))
	for k, i := range ids {
		row, err := x.read(&x.requests[i])
		if err != nil {
			return 0, fmt.Errorf("request %d: %w", x.requests[i].id, err)
		}
		if row.RequestID != x.requests[i].id {
			return 0, fmt.Errorf("request %d: its row is that of %d", x.requests[i].id, row.RequestID)
		}
		rows[k], byID[row.RequestID] = row, row
		s.simulated = s.simulated || row.Origin == "simulated"
	}
	received, err := l.group(extents, func(id int64, frames [][]byte, more bool) {
		if s.mask != nil {
			s.mask(byID[id], frames, more)
		}
	})
	if err != nil {
		return 0, err
	}
	n := len(l.g.RequestID)
	if n > 0 {
		if err := part.Frames(&l.g); err != nil {
			return 0, err
		}
		if l.err != nil {
			return 0, l.err
		}
	}
	for k, i := range ids {
		endRow(rows[k], &x.requests[i], received[rows[k].RequestID])
		if err := part.Request(rows[k]); err != nil {
			return 0, err
		}
	}
	return int64(n), nil
}

// endRow ends the row of a request that the recorder did not end itself: no
// provider is to blame.
func endRow(row *schema.Request, q *request, received int64) {
	if row.HTTPStatus != nil {
		row.BytesReceived = new(received)
	}
	if q.ended && !q.broken {
		return
	}
	row.EndReason, row.EndNs = new("cancelled"), nil
	row.ErrorText = new("the recorder stopped before the request was over")
	if q.broken {
		row.ErrorText = new("a part of the journal is damaged")
	}
}

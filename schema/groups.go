package schema

import (
	"context"

	"aircheck/internal/kit/columnar"
)

// RowGroup is one row group of a run's file: whole requests, in order.
type RowGroup struct {
	Path        string // relative to the dataset
	Number      int    // within the file
	Rows        int64
	First, Last int64 // request_id

	of *Dataset
}

// ChunkGroupsOf and RequestGroupsOf list the row groups of a run's chunks and
// requests. They read footers, and no row.
func (d *Dataset) ChunkGroupsOf(run *Run) ([]RowGroup, error) {
	return rowGroups(d, d.ChunkFiles(run), Chunks)
}

func (d *Dataset) RequestGroupsOf(run *Run) ([]RowGroup, error) {
	return rowGroups(d, d.RequestFiles(run), Requests)
}

func rowGroups[T any](d *Dataset, files []string, table *columnar.Table[T]) (out []RowGroup, err error) {
	for _, path := range files {
		r, err := openTable(d, path, table)
		if err != nil {
			return nil, err
		}
		for g := range r.NumRowGroups() {
			first, last, err := r.Bounds(g, "request_id")
			if err != nil {
				r.Close()
				return nil, d.inGroup(path, g, err)
			}
			out = append(out, RowGroup{path, g, r.GroupRows(g), first, last, d})
		}
		r.Close()
	}
	return out, nil
}

// EachFrames calls f with the frames of each of the row groups of chunks, in
// order. They are valid during the call; buffers are taken over from the last
// call, and may be nil at first.
func EachFrames(ctx context.Context, groups []RowGroup, buffers *Frames, f func(*Frames) error) error {
	if buffers == nil {
		buffers = &Frames{}
	}
	for len(groups) > 0 {
		n := 1
		for n < len(groups) && groups[n].Path == groups[0].Path {
			n++
		}
		if err := framesOf(ctx, groups[:n], buffers, f); err != nil {
			return err
		}
		groups = groups[n:]
	}
	return nil
}

func framesOf(ctx context.Context, groups []RowGroup, frames *Frames, f func(*Frames) error) error {
	d, path := groups[0].of, groups[0].Path
	r, err := openTable(d, path, Chunks)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, g := range groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := frames.read(r.Group(g.Number))
		if err != nil {
			err = &groupError{err}
		} else {
			err = f(frames)
		}
		if fault, ok := err.(*groupError); ok {
			err = d.inGroup(path, g.Number, fault.error)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EachRequestIn calls f with every request of the row groups. Only the named
// columns are filled when any are named.
func EachRequestIn(groups []RowGroup, f func(*Request) error, columns ...string) error {
	for _, g := range groups {
		r, err := openTable(g.of, g.Path, Requests)
		if err != nil {
			return err
		}
		rows, err := r.ReadRowGroup(g.Number, columns...)
		r.Close()
		if err != nil {
			return g.of.inGroup(g.Path, g.Number, err)
		}
		for i := range rows {
			if err := f(&rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

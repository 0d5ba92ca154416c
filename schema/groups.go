package schema

import (
	"context"
	"fmt"

	"aircheck/internal/kit/columnar"
)

// RowGroup is one row group of a run's file: whole requests, in order.
type RowGroup struct {
	Path        string
	Number      int // within the file
	Rows        int64
	First, Last int64 // request_id
}

// ChunkGroupsOf and RequestGroupsOf list the row groups of a run's chunks and
// requests. They read footers, and no row.
func (d *Dataset) ChunkGroupsOf(run *Run) ([]RowGroup, error) {
	return rowGroups(d.ChunkFiles(run), Chunks)
}

func (d *Dataset) RequestGroupsOf(run *Run) ([]RowGroup, error) {
	return rowGroups(d.RequestFiles(run), Requests)
}

func rowGroups[T any](files []string, table *columnar.Table[T]) (out []RowGroup, err error) {
	for _, path := range files {
		r, err := table.Open(path)
		if err != nil {
			return nil, damaged(path, err)
		}
		for g := range r.NumRowGroups() {
			first, last, err := r.Bounds(g, "request_id")
			if err != nil {
				r.Close()
				return nil, damaged(path, fmt.Errorf("%s: row group %d: %w", path, g, err))
			}
			out = append(out, RowGroup{path, g, r.GroupRows(g), first, last})
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
		if err := framesOf(ctx, groups[0].Path, groups[:n], buffers, f); err != nil {
			return err
		}
		groups = groups[n:]
	}
	return nil
}

func framesOf(ctx context.Context, path string, groups []RowGroup, frames *Frames, f func(*Frames) error) error {
	r, err := Chunks.Open(path)
	if err != nil {
		return damaged(path, err)
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
			err = damaged(path, fmt.Errorf("%s: row group %d: %w", path, g.Number, fault.error))
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
		r, err := Requests.Open(g.Path)
		if err != nil {
			return damaged(g.Path, err)
		}
		rows, err := r.ReadRowGroup(g.Number, columns...)
		r.Close()
		if err != nil {
			return damaged(g.Path, fmt.Errorf("%s: row group %d: %w", g.Path, g.Number, err))
		}
		for i := range rows {
			if err := f(&rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

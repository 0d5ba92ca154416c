package schema

import (
	"context"
	"runtime"
	"sync"

	"aircheck/internal/kit/columnar"
)

// EachRequest calls f for every request of a run, in order of request id. Only
// the named columns are filled when any are named: bodies can be large.
func (d *Dataset) EachRequest(run *Run, f func(*Request) error, columns ...string) error {
	for _, path := range d.RequestFiles(run) {
		if err := eachRow(d, path, Requests, f, columns...); err != nil {
			return err
		}
	}
	return nil
}

func eachRow[T any](d *Dataset, path string, table *columnar.Table[T], f func(*T) error, columns ...string) error {
	r, err := openTable(d, path, table)
	if err != nil {
		return err
	}
	defer r.Close()
	for g := range r.NumRowGroups() {
		rows, err := r.ReadRowGroup(g, columns...)
		if err != nil {
			return d.inGroup(path, g, err)
		}
		for i := range rows {
			if err := f(&rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// ChunkGroups calls f with each row group of a run's chunks: whole requests,
// sorted by (request_id, seq), numbered from 0. Groups are read by up to
// workers goroutines (0: one a processor), so calls overlap and come in any
// order; the rows belong to the call. Only the named columns are filled when
// any are named. The first error stops it.
func (d *Dataset) ChunkGroups(ctx context.Context, run *Run, workers int, f func(group int, rows []Chunk) error, columns ...string) error {
	return d.eachGroup(ctx, run, workers, func() groupFunc {
		return func(r *columnar.Reader[Chunk], group, number int) error {
			rows, err := r.ReadRowGroup(group, columns...)
			if err != nil {
				return &groupError{err}
			}
			return f(number, rows)
		}
	})
}

// groupFunc reads one row group of a file and passes it on under its number
// within the run.
type groupFunc func(r *columnar.Reader[Chunk], group, number int) error

// groupError is a fault of the file, to be named with its place.
type groupError struct{ error }

// eachGroup visits each row group of a run's chunks in up to workers goroutines;
// worker makes what one of them calls.
func (d *Dataset) eachGroup(ctx context.Context, run *Run, workers int, worker func() groupFunc) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	base := 0
	for _, path := range d.ChunkFiles(run) {
		r, err := openTable(d, path, Chunks)
		if err != nil {
			return err
		}
		n := r.NumRowGroups()
		next := make(chan int)
		var wg sync.WaitGroup
		for range min(workers, n) {
			wg.Go(func() {
				visit := worker()
				for g := range next {
					err := visit(r, g, base+g)
					if fault, ok := err.(*groupError); ok {
						err = d.inGroup(path, g, fault.error)
					}
					if err != nil {
						cancel(err)
					}
				}
			})
		}
	feed:
		for g := range n {
			select {
			case next <- g:
			case <-ctx.Done():
				break feed
			}
		}
		close(next)
		wg.Wait()
		r.Close()
		if err := context.Cause(ctx); err != nil {
			return err
		}
		base += n
	}
	return nil
}

// EachResponse calls f with the frames of each request that has any, in order.
func (d *Dataset) EachResponse(ctx context.Context, run *Run, f func(requestID int64, frames []Chunk) error) error {
	return d.ChunkGroups(ctx, run, 1, func(_ int, rows []Chunk) error { return ByRequest(rows, f) })
}

// ByRequest cuts sorted rows at request ends.
func ByRequest(rows []Chunk, f func(requestID int64, frames []Chunk) error) error {
	for start := 0; start < len(rows); {
		end := start + 1
		for end < len(rows) && rows[end].RequestID == rows[start].RequestID {
			end++
		}
		if err := f(rows[start].RequestID, rows[start:end]); err != nil {
			return err
		}
		start = end
	}
	return nil
}

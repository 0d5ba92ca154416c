package decode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync"

	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/columnar"
	"aircheck/schema"
)

// Job is a part of a run to be decoded into a directory, which is written aside
// and renamed.
type Job struct {
	Run    *Run
	Range  Range
	Dir    string
	Events bool // the tables of events; else all others
}

// Run is a run to be decoded, in any number of jobs.
type Run struct {
	Dataset *schema.Dataset
	*schema.Run
	ReadClock bool // frames are timed by the return of their read

	once    sync.Once
	err     error
	chunks  []schema.RowGroup
	targets *targets
}

// open reads what every job needs.
func (r *Run) open() error {
	r.once.Do(func() {
		if r.chunks, r.err = r.Dataset.ChunkGroupsOf(r.Run); r.err == nil {
			r.targets, r.err = targetsOf(r.Dataset, r.Run)
		}
	})
	return r.err
}

// Do carries jobs out, each in one of so many goroutines: no two of them write
// the same file, and none waits for another. done is told of each that is over, and
// of what is wrong with the data of one that could not be carried out.
func Do(ctx context.Context, jobs []Job, workers int, done func(Job, error)) error {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan Job)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range min(workers, len(jobs)) {
		wg.Go(func() {
			w := worker{assembler: newAssembler(), frames: &schema.Frames{}}
			for j := range next {
				err := w.do(ctx, j)
				var damaged *schema.DamagedError
				if err != nil && !errors.As(err, &damaged) {
					cancel(fmt.Errorf("decode run %s: %w", j.Run.RunID, err))
					continue
				}
				mu.Lock()
				done(j, err)
				mu.Unlock()
			}
		})
	}
feed:
	for _, j := range jobs {
		select {
		case next <- j:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// gcPercent is the collector's pace while decoding: what lives is a few row
// groups, and collecting less often saves a sixth of the time.
const gcPercent = 300

// worker keeps its buffers from job to job.
type worker struct {
	*assembler
	frames *schema.Frames
}

func (w *worker) do(ctx context.Context, j Job) error {
	if err := j.Run.open(); err != nil {
		return err
	}
	tmp, err := derived.TempDir(j.Dir)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	out, err := newFiles(tmp, j.Events)
	if err != nil {
		return err
	}
	defer out.close()
	w.keepEvents, w.hashed = j.Events, j.Run.Run.Content != ""
	var asked []int64
	err = schema.EachFrames(ctx, j.Range.of(j.Run.chunks), w.frames, func(f *schema.Frames) error {
		w.reset()
		if j.Run.ReadClock {
			copy(f.TNs, f.TReadNs)
			copy(f.Timed, f.ReadTimed)
		}
		if err := w.group(f, j.Run.targets); err != nil {
			return err
		}
		asked = append(asked, w.asked...)
		return out.write(w.assembler)
	})
	if err == nil && !j.Events {
		if err = out.reported(j); err == nil {
			err = out.readRequests(j, asked)
		}
	}
	if err == nil {
		err = out.finish()
	}
	if err != nil {
		return err
	}
	return derived.Replace(tmp, j.Dir)
}

// group decodes a row group.
func (a *assembler) group(frames *schema.Frames, targets *targets) error {
	var t target
	end := 0 // of the response at hand
	return frames.EachRaw(func(i int, raw []byte) error {
		if i == end {
			var known bool
			if t, known = targets.of(frames.RequestID[i]); !known {
				return &schema.DamagedError{Err: fmt.Errorf("frames of request %d, which the run does not have", frames.RequestID[i])}
			}
			if end = frames.End(i); !t.withheld {
				a.begin(t, frames, i, end)
			}
		}
		if t.withheld {
			return nil
		}
		a.frame(i, raw, i == end-1)
		if i == end-1 && !a.keepEvents {
			return a.end(O200k)
		}
		return nil
	})
}

func (a *assembler) reset() {
	a.events.reset()
	a.details, a.streams, a.answers, a.asked = a.details[:0], a.streams[:0], a.answers[:0], a.asked[:0]
}

// files are the decoded tables of one job.
type files struct {
	events  *part[storedEvent]
	details *part[detail]
	streams *part[stream]
	answers *part[answer]
	inputs  *part[input]
}

func newFiles(dir string, events bool) (*files, error) {
	f := &files{}
	var errs [3]error
	if events {
		f.events, errs[0] = newPart(dir, "events", storedTable)
		f.details, errs[1] = newPart(dir, "details", detailTable)
	} else {
		f.streams, errs[0] = newPart(dir, "streams", streamTable)
		f.answers, errs[1] = newPart(dir, "answers", answerTable)
		f.inputs, errs[2] = newPart(dir, "inputs", inputTable)
	}
	err := errors.Join(errs[:]...)
	if err != nil {
		f.close()
	}
	return f, err
}

// smallGroup is how many rows a row group of the narrow tables gathers.
const smallGroup = 16 << 10

func (f *files) write(a *assembler) error {
	if f.events != nil {
		if err := a.events.write(f.events.rows); err != nil {
			return err
		}
		return f.details.write(a.details, smallGroup)
	}
	if err := f.streams.write(a.streams, smallGroup); err != nil {
		return err
	}
	return f.answers.write(a.answers, smallGroup)
}

func (f *files) finish() error {
	return errors.Join(f.events.finish(), f.details.finish(), f.streams.finish(), f.answers.finish(), f.inputs.finish())
}

func (f *files) close() {
	f.events.close()
	f.details.close()
	f.streams.close()
	f.answers.close()
	f.inputs.close()
}

// part is one Parquet file that grows; nil is none.
type part[T any] struct {
	file *os.File
	rows *columnar.Writer[T]
}

func newPart[T any](dir, name string, t *columnar.Table[T]) (*part[T], error) {
	f, err := os.Create(filepath.Join(dir, name+".parquet"))
	if err != nil {
		return nil, err
	}
	rows, err := t.NewWriter(f, map[string]string{"aircheck.table": name, "aircheck.decoder_version": strconv.Itoa(Decoders.Version)})
	if err != nil {
		f.Close()
		return nil, err
	}
	return &part[T]{f, rows}, nil
}

// write appends rows, which may be reused afterwards, and cuts the row group
// when it has at least group rows.
func (p *part[T]) write(rows []T, group int64) error {
	if len(rows) == 0 {
		return nil
	}
	if err := p.rows.Write(rows...); err != nil {
		return err
	}
	if p.rows.GroupRows() >= group {
		return p.rows.CutRowGroup()
	}
	return nil
}

func (p *part[T]) finish() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.rows.Close(), p.file.Close())
}

// close gives the file up; after finish it does nothing.
func (p *part[T]) close() {
	if p != nil {
		p.file.Close()
	}
}

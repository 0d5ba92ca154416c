package decode

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"

	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/columnar"
	"aircheck/schema"
)

// Run decodes a run's frames into dir, which is written aside and renamed.
func Run(ctx context.Context, ds *schema.Dataset, run *schema.Run, dir string, workers int) (err error) {
	targets, reported, err := targetsOf(ds, run)
	if err != nil {
		return err
	}
	tmp, err := derived.TempDir(dir)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)

	w, err := newDecodedWriter(tmp)
	if err != nil {
		return err
	}
	defer w.close()
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	idle := make(chan *assembler, runtime.GOMAXPROCS(0)) // a sync.Pool would be emptied at each collection
	err = ds.FrameGroups(ctx, run, workers, func(group int, frames *schema.Frames) error {
		var a *assembler
		select {
		case a = <-idle:
			a.reset()
		default:
			a = newAssembler()
		}
		err := w.inOrder(ctx, group, a, a.group(frames, targets))
		select {
		case idle <- a:
		default:
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := w.reported(reported); err != nil {
		return err
	}
	if err := w.countInputs(ds, run); err != nil {
		return err
	}
	if err := w.finish(); err != nil {
		return err
	}
	return derived.Replace(tmp, dir)
}

// group decodes a row group.
func (a *assembler) group(frames *schema.Frames, targets *targets) error {
	var t target
	end := 0 // of the response at hand
	return frames.EachRaw(func(i int, raw []byte) error {
		if i == end {
			var known bool
			if t, known = targets.of(frames.RequestID[i]); !known {
				return fmt.Errorf("chunks of request %d, which requests do not have", frames.RequestID[i])
			}
			end = frames.End(i)
			a.begin(t, frames, i, end)
		}
		a.frame(i, raw, i == end-1)
		if i == end-1 {
			return a.end(O200k)
		}
		return nil
	})
}

// gcPercent is the collector's pace while decoding: what lives is a few row
// groups, and collecting less often saves a sixth of the time.
const gcPercent = 300

func (a *assembler) reset() {
	a.events.reset()
	a.details, a.streams, a.answers, a.counted = a.details[:0], a.streams[:0], a.answers[:0], a.counted[:0]
}

// decodedWriter writes the decoded tables of one run. Row groups are decoded in
// parallel and written in their order, so that the files are the same each time.
type decodedWriter struct {
	events  *part[storedEvent]
	details *part[detail]
	streams *part[stream]
	answers *part[answer]
	inputs  *part[input]
	counted []int64 // requests whose answers were counted, as no usage was reported

	mu   sync.Mutex
	turn *sync.Cond
	next int
	err  error
}

func newDecodedWriter(dir string) (*decodedWriter, error) {
	w := &decodedWriter{}
	w.turn = sync.NewCond(&w.mu)
	var err error
	if w.events, err = newPart(dir, "events", storedTable); err == nil {
		if w.details, err = newPart(dir, "details", detailTable); err == nil {
			if w.streams, err = newPart(dir, "streams", streamTable); err == nil {
				if w.answers, err = newPart(dir, "answers", answerTable); err == nil {
					w.inputs, err = newPart(dir, "inputs", inputTable)
				}
			}
		}
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// inOrder writes a group's rows when all earlier groups are written. A group
// that failed lets the waiting ones go with its error.
func (w *decodedWriter) inOrder(ctx context.Context, group int, a *assembler, failed error) error {
	stop := context.AfterFunc(ctx, func() { w.mu.Lock(); w.turn.Broadcast(); w.mu.Unlock() })
	defer stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.turn.Broadcast()
	if failed != nil {
		w.err = failed
		return failed
	}
	for w.next != group && w.err == nil && ctx.Err() == nil {
		w.turn.Wait()
	}
	if w.err == nil {
		w.err = ctx.Err()
	}
	if w.err != nil {
		return w.err
	}
	w.next++
	w.counted = append(w.counted, a.counted...)
	w.err = w.write(a)
	return w.err
}

// smallGroup is how many rows a row group of the narrow tables gathers.
const smallGroup = 16 << 10

func (w *decodedWriter) write(a *assembler) error {
	if err := a.events.write(w.events.rows); err != nil {
		return err
	}
	if err := w.details.write(a.details, smallGroup); err != nil {
		return err
	}
	if err := w.streams.write(a.streams, smallGroup); err != nil {
		return err
	}
	return w.answers.write(a.answers, smallGroup)
}

// reported adds the answers that an imported source states.
func (w *decodedWriter) reported(rows []schema.Request) error {
	for _, r := range rows {
		if err := w.answers.write([]answer{{RequestID: r.RequestID, Text: r.ReportedText}}, smallGroup); err != nil {
			return err
		}
		if r.ReportedOutputTokens != nil {
			continue
		}
		count, err := O200k()
		if err != nil {
			return err
		}
		st := stream{RequestID: r.RequestID, AnswerO200k: new(count.Count(*r.ReportedText)), AnswerBlank: *r.ReportedText == ""}
		if err := w.streams.write([]stream{st}, smallGroup); err != nil {
			return err
		}
	}
	return nil
}

// countInputs counts the texts of the requests whose answers had to be counted.
func (w *decodedWriter) countInputs(ds *schema.Dataset, run *schema.Run) error {
	if len(w.counted) == 0 {
		return nil
	}
	count, err := O200k()
	if err != nil {
		return err
	}
	return ds.EachRequest(run, func(r *schema.Request) error {
		if _, ok := slices.BinarySearch(w.counted, r.RequestID); !ok || r.RequestBody == nil {
			return nil
		}
		n := count.RequestTokens(*r.RequestBody)
		if n == nil {
			return nil
		}
		return w.inputs.write([]input{{r.RequestID, *n}}, smallGroup)
	}, "request_id", "request_body")
}

func (w *decodedWriter) finish() error {
	for _, f := range []func() error{w.events.finish, w.details.finish, w.streams.finish, w.answers.finish, w.inputs.finish} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func (w *decodedWriter) close() {
	for _, c := range []io.Closer{w.events, w.details, w.streams, w.answers, w.inputs} {
		c.Close()
	}
}

// part is one Parquet file that grows.
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
	if err := p.rows.Close(); err != nil {
		return err
	}
	return p.file.Close()
}

// Close gives the file up; after finish it does nothing.
func (p *part[T]) Close() error {
	if p == nil {
		return nil
	}
	return p.file.Close()
}

package schema

import (
	"iter"
	"os"
	"path/filepath"

	"aircheck/internal/kit/columnar"
)

// Part is one numbered pair of Parquet files of a run: requests in order of id,
// and the frames of these. Its files grow in journal/<run_id>/, and belong to the
// run once the run's record names them.
type Part struct {
	dir, runID string
	requests   *part[Request]
	chunks     *part[Chunk]
	ones       []int16
}

// Group is one row group of chunks by columns: the frames of whole requests, all
// timed. The slices are as long as there are frames.
type Group struct {
	RequestID    []int64
	Seq, ReadSeq []int32
	TNs, TReadNs []int64
	TLoNs        columnar.Nullable
	TOutNs       columnar.Nullable
	Clock        []Clock
	Complete     []bool
	// Raw gives the bytes in batches; a batch is valid until the next is asked for.
	Raw iter.Seq[[][]byte]
}

// Clock is where the time of a frame comes from.
type Clock uint8

const (
	ClockRead   Clock = iota // the return of the read
	ClockKernel              // the kernel's receive stamp
	ClockTap                 // a capture of packets
)

var clocks = [...]string{"read", "kernel", "tap"}

// String is the clock as the column has it.
func (c Clock) String() string { return clocks[c] }

// Valid says whether c is a clock.
func (c Clock) Valid() bool { return int(c) < len(clocks) }

// NewPart begins a part. Its number is the number of parts that the run has.
func NewPart(dir, runID string, number int) (*Part, error) {
	p := &Part{dir: dir, runID: runID}
	var err error
	if p.requests, err = newPart(dir, runID, "requests", number, Requests); err != nil {
		return nil, err
	}
	if p.chunks, err = newPart(dir, runID, "chunks", number, Chunks); err != nil {
		p.Abort()
		return nil, err
	}
	return p, nil
}

// Request adds a request, in ascending order of id.
func (p *Part) Request(r *Request) error {
	r.RunID = p.runID
	if err := p.requests.rows.Write(*r); err != nil {
		return err
	}
	if p.requests.bytes += requestSize(r); p.requests.large() {
		return p.requests.cut()
	}
	return nil
}

// Frames adds a row group.
func (p *Part) Frames(g *Group) error {
	n := len(g.RequestID)
	for len(p.ones) < n {
		p.ones = append(p.ones, 1)
	}
	there := func(values []int64) columnar.Nullable { return columnar.Nullable{Values: values, Def: p.ones[:n]} }
	return p.chunks.rows.WriteGroup(repeated(p.runID, n), g.RequestID, g.Seq, g.ReadSeq, there(g.TNs), there(g.TReadNs),
		g.TLoNs, g.TOutNs, names(g.Clock), g.Complete, g.Raw)
}

// Finish makes the files durable and puts them in their place.
func (p *Part) Finish() ([]File, error) {
	requests, err := p.requests.finish(p.dir, p.runID)
	if err != nil {
		return nil, err
	}
	chunks, err := p.chunks.finish(p.dir, p.runID)
	if err != nil {
		return nil, err
	}
	return []File{requests, chunks}, nil
}

// Abort drops what was not finished.
func (p *Part) Abort() {
	if p.requests != nil {
		p.requests.file.Close()
		os.Remove(p.requests.path)
	}
	if p.chunks != nil {
		p.chunks.file.Close()
		os.Remove(p.chunks.path)
	}
}

// RemoveUnlisted removes the files of a run that its record (nil: there is none)
// does not name: a crash came before it could.
func RemoveUnlisted(dir, runID string, run *Run) error {
	listed := map[string]bool{}
	if run != nil {
		for _, f := range run.Files {
			listed[f.Path] = true
		}
	}
	for _, table := range []string{"requests", "chunks"} {
		folder := table + "/run=" + runID
		entries, _ := os.ReadDir(filepath.Join(dir, filepath.FromSlash(folder)))
		for _, e := range entries {
			if !listed[folder+"/"+e.Name()] {
				if err := os.Remove(filepath.Join(dir, filepath.FromSlash(folder), e.Name())); err != nil {
					return err
				}
			}
		}
		removeEmptyDir(filepath.Join(dir, table, "run="+runID))
		removeEmptyDir(filepath.Join(dir, table))
	}
	return nil
}

// batchRows is how many values go to the encoder at once.
const batchRows = 4096

func repeated(s string, n int) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		batch, value := make([][]byte, min(n, batchRows)), []byte(s)
		for i := range batch {
			batch[i] = value
		}
		for left := n; left > 0; left -= len(batch) {
			if batch = batch[:min(left, len(batch))]; !yield(batch) {
				return
			}
		}
	}
}

func names(all []Clock) iter.Seq[[][]byte] {
	var words [len(clocks)][]byte
	for i, name := range clocks {
		words[i] = []byte(name)
	}
	return func(yield func([][]byte) bool) {
		batch := make([][]byte, 0, min(len(all), batchRows))
		for i, c := range all {
			if batch = append(batch, words[c]); len(batch) == cap(batch) || i == len(all)-1 {
				if !yield(batch) {
					return
				}
				batch = batch[:0]
			}
		}
	}
}

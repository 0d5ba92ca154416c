package schema

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"aircheck/internal/kit/columnar"
)

// Fault is one thing that is wrong with a dataset.
type Fault struct {
	Path string // file, relative to the dataset
	What string
}

func (f Fault) String() string { return f.Path + ": " + f.What }

// maxFaults bounds what is said of one file: a damaged file is wrong all over.
const maxFaults = 5

// Verify checks every sealed run of the dataset: that its files are there with
// the recorded size and checksum, that they parse, that rows are counted and
// ordered as they should be, that the frames of each request add up to the body
// that was received; and that nothing lies about that belongs to no run. Faults
// are returned; the error is for what kept Verify from looking.
func Verify(ctx context.Context, dir string) ([]Fault, error) {
	d := &Dataset{Dir: dir}
	if _, err := OpenDataset(dir); err != nil {
		var none *ErrNoDataset
		if left, listed := d.list("runs"); !errors.As(err, &none) || listed != nil || len(left) == 0 {
			return nil, err
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // what lives is one file's rows
	v := &verifier{Dataset: d, known: map[string]bool{}}
	all, err := d.list("runs")
	if err != nil {
		return nil, err
	}
	s, err := d.Store()
	if err != nil {
		return nil, err
	}
	hold := &held{Store: s}
	d.store = hold
	for _, info := range all {
		hold.files = map[string][]byte{}
		if !strings.HasSuffix(info.Name, ".json") || path.Dir(info.Name) != "runs" {
			v.fault(info.Name, "not a run record: left behind by an interrupted write")
			continue
		}
		run, err := readRun(s, info.Name)
		if fault, ok := faultOf(s, info.Name, err); ok {
			v.fault(fault.Path, "%s", fault.What)
			continue
		}
		if err == nil {
			err = v.run(ctx, run)
		}
		if err != nil {
			return nil, err
		}
	}
	clashes, err := d.Clashes(v.spans)
	if err != nil {
		return nil, err
	}
	for _, run := range v.runs {
		if fault, ok := clashes[run.RunID]; ok {
			v.fault(fault.Path, "%s", fault.What)
		}
	}
	v.card(v.runs)
	return v.faults, v.orphans()
}

type verifier struct {
	*Dataset
	faults []Fault
	count  map[string]int
	runs   []*Run          // whose records are read
	spans  []Spanned       // of those whose rows are sound
	known  map[string]bool // files that a run owns
}

func (v *verifier) fault(path, format string, args ...any) {
	if v.count == nil {
		v.count = map[string]int{}
	}
	v.count[path]++
	switch n := v.count[path]; {
	case n < maxFaults:
		v.faults = append(v.faults, Fault{path, fmt.Sprintf(format, args...)})
	case n == maxFaults:
		v.faults = append(v.faults, Fault{path, "more faults follow"})
	}
}

// take notes an error of the data as a fault of a file, and returns any other.
func (v *verifier) take(name string, err error) error {
	if err == nil {
		return nil
	}
	if fault, ok := faultOf(v.store, name, err); ok {
		v.fault(fault.Path, "%s", fault.What)
		return nil
	}
	return err
}

func (v *verifier) run(ctx context.Context, run *Run) error {
	v.runs = append(v.runs, run)
	faults := len(v.faults)
	for _, f := range run.Files {
		v.known[f.Path] = true
		if err := v.take(f.Path, v.sum(f)); err != nil {
			return err
		}
	}
	if len(v.faults) > faults {
		return nil // what follows would only repeat it
	}
	// Each file has its own order: a run that is sealed in parts seals a request
	// when it has ended.
	received, framed := map[int64]*int64{}, map[int64]int64{}
	for _, f := range run.Files {
		if strings.HasPrefix(f.Path, "requests/") {
			if err := v.take(f.Path, v.requests(run, f, received)); err != nil {
				return err
			}
		}
	}
	for _, f := range run.Files {
		if strings.HasPrefix(f.Path, "chunks/") {
			if err := v.take(f.Path, v.chunks(ctx, run, f, received, framed)); err != nil {
				return err
			}
		}
	}
	if len(v.faults) > faults {
		return nil
	}
	chunks := "chunks/run=" + run.RunID
	for _, id := range slices.Sorted(maps.Keys(received)) {
		if n := received[id]; n != nil && *n != framed[id] {
			v.fault(chunks, "request %d: frames hold %d bytes of the %d received", id, framed[id], *n)
		}
	}
	return nil
}

// requests notes the bytes that each request of a file received.
func (v *verifier) requests(run *Run, f File, received map[int64]*int64) error {
	ids, err := v.checkRequests(run, f, nil, func(g int, group *columnar.Group, ids []int64) error {
		bytes, there, err := group.Int64("bytes_received", nil, nil)
		if err != nil {
			return v.inGroup(f.Path, g, err)
		}
		for i, id := range ids {
			if _, again := received[id]; again {
				v.fault(f.Path, "request %d stands in two files", id)
			}
			if received[id] = nil; there[i] {
				received[id] = &bytes[i]
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		v.span(run, ids[0], ids[len(ids)-1])
	}
	return nil
}

// span notes where the ids of a run's file lie.
func (v *verifier) span(run *Run, first, last int64) {
	if n := len(v.spans); n > 0 && v.spans[n-1].Run == run {
		s := &v.spans[n-1]
		s.First, s.Last = min(s.First, first), max(s.Last, last)
		return
	}
	v.spans = append(v.spans, Spanned{run, first, last})
}

// chunks notes the bytes that the frames of each request in a file have.
func (v *verifier) chunks(ctx context.Context, run *Run, f File, received map[int64]*int64, framed map[int64]int64) error {
	if err := v.checkChunks(run, f); err != nil {
		return err
	}
	chunks, last := "chunks/run="+run.RunID, int64(-1)
	return v.EachResponse(ctx, &Run{Files: []File{f}}, func(id int64, frames []Chunk) error {
		if _, ok := received[id]; !ok {
			v.fault(chunks, "frames of request %d, which the run does not have", id)
		}
		if _, again := framed[id]; again && id != last {
			v.fault(chunks, "frames of request %d stand in two places", id)
		} else if id <= last {
			v.fault(chunks, "frames of request %d come after those of %d: not in order", id, last)
		}
		last = id
		framed[id] += 0 // it has frames, be they empty
		for i := range frames {
			c := &frames[i]
			framed[id] += int64(len(c.Raw))
			switch {
			case c.Seq != int32(i):
				v.fault(chunks, "request %d: frame %d where %d was due", id, c.Seq, i)
			case !inBounds(c.TNs) || !inBounds(c.TReadNs):
				v.fault(chunks, "request %d: frame %d came at a time beyond ±2^53 ns", id, i)
			case c.ReadSeq < 0:
				v.fault(chunks, "request %d: frame %d came in read %d", id, i, c.ReadSeq)
			case i > 0 && c.ReadSeq < frames[i-1].ReadSeq:
				v.fault(chunks, "request %d: frame %d came in an earlier read than the one before it", id, i)
			case i > 0 && c.TReadNs != nil && frames[i-1].TReadNs != nil && *c.TReadNs < *frames[i-1].TReadNs:
				v.fault(chunks, "request %d: frame %d was read before the one before it: time runs backwards", id, i)
			case !c.Complete && i < len(frames)-1:
				v.fault(chunks, "request %d: frame %d is incomplete, yet others follow", id, i)
			}
		}
		return nil
	})
}

// orphans names files that no sealed run owns, and journals.
func (v *verifier) orphans() error {
	for _, table := range []string{"requests", "chunks"} {
		all, err := v.list(table)
		if err != nil {
			if err := v.take(table, err); err != nil {
				return err
			}
		}
		for _, info := range all {
			switch {
			case v.known[info.Name]:
			case info.Odd != "":
				v.fault(info.Name, "%s", info.Odd)
			default:
				v.fault(info.Name, "belongs to no sealed run")
			}
		}
	}
	for _, run := range Journals(v.Dir) {
		v.fault("journal/"+run, "%s", unsealed)
	}
	return nil
}

package schema

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	v := &verifier{dir: dir, seen: map[int64]string{}, known: map[string]bool{}}
	names, err := filepath.Glob(filepath.Join(globEscape(dir), "runs", "*"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &ErrNoDataset{dir, Journals(dir)}
	}
	slices.Sort(names)
	var runs []*Run
	for _, name := range names {
		rel := v.rel(name)
		if !strings.HasSuffix(name, ".json") {
			v.fault(rel, "not a run record: left behind by an interrupted write")
			continue
		}
		run, err := readRun(name)
		if err != nil {
			v.fault(rel, "%v", strings.TrimPrefix(err.Error(), name+": "))
			continue
		}
		if err := v.run(ctx, run); err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	v.card(runs)
	return v.faults, v.orphans()
}

type verifier struct {
	dir    string
	faults []Fault
	count  map[string]int
	seen   map[int64]string // request id → run
	known  map[string]bool  // files that a run owns
}

func (v *verifier) rel(path string) string {
	rel, err := filepath.Rel(v.dir, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
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

func (v *verifier) run(ctx context.Context, run *Run) error {
	whole := true
	var requests, chunks int64
	for _, f := range run.Files {
		v.known[f.Path] = true
		ok, err := v.file(f)
		if err != nil {
			return err
		}
		whole = whole && ok
		if strings.HasPrefix(f.Path, "requests/") {
			requests += f.Rows
		} else {
			chunks += f.Rows
		}
	}
	record := "runs/" + run.RunID + ".json"
	if requests != run.Requests || chunks != run.Chunks {
		v.fault(record, "states %d requests and %d chunks, its files hold %d and %d", run.Requests, run.Chunks, requests, chunks)
	}
	if !whole {
		return nil // what follows would only repeat it
	}
	return v.rows(ctx, run)
}

// file checks presence, size, checksum, footer and row count.
func (v *verifier) file(f File) (ok bool, err error) {
	path := filepath.Join(v.dir, filepath.FromSlash(f.Path))
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		v.fault(f.Path, "missing")
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer in.Close()
	h := sha256.New()
	n, err := io.Copy(h, in)
	if err != nil {
		return false, err
	}
	if n != f.Bytes {
		v.fault(f.Path, "%d bytes, the run record says %d", n, f.Bytes)
		return false, nil
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != f.SHA256 {
		v.fault(f.Path, "checksum differs from the run record's: the file was changed after recording")
		return false, nil
	}
	rows, version, err := footer(f.Path, path)
	switch {
	case err != nil:
		v.fault(f.Path, "%v", strings.TrimPrefix(err.Error(), path+": "))
	case rows != f.Rows:
		v.fault(f.Path, "%d rows, the run record says %d", rows, f.Rows)
	case version == "":
		v.fault(f.Path, "no schema version in its footer")
	default:
		return true, nil
	}
	return false, nil
}

func footer(rel, path string) (rows int64, version string, err error) {
	type opened interface {
		NumRows() int64
		KeyValue(string) (string, bool)
		Close() error
	}
	var r opened
	if strings.HasPrefix(rel, "requests/") {
		r, err = Requests.Open(path)
	} else {
		r, err = Chunks.Open(path)
	}
	if err != nil {
		return 0, "", err
	}
	defer r.Close()
	version, _ = r.KeyValue("aircheck.schema_version")
	return r.NumRows(), version, nil
}

// rows checks order, identity and body reconstruction. Each file has its own
// order: a run that is sealed in parts seals a request when it has ended.
func (v *verifier) rows(ctx context.Context, run *Run) error {
	received, framed := map[int64]*int64{}, map[int64]int64{}
	for _, f := range run.Files {
		if strings.HasPrefix(f.Path, "requests/") {
			if err := v.requests(run, f, received); err != nil {
				return err
			}
		}
	}
	for _, f := range run.Files {
		if strings.HasPrefix(f.Path, "chunks/") {
			if err := v.chunks(ctx, run, f, received, framed); err != nil {
				return err
			}
		}
	}
	chunks := "chunks/run=" + run.RunID
	for id, n := range received {
		if n != nil && *n != framed[id] {
			v.fault(chunks, "request %d: frames hold %d bytes of the %d received", id, framed[id], *n)
		}
	}
	return nil
}

// requests notes the bytes that each request of a file received.
func (v *verifier) requests(run *Run, f File, received map[int64]*int64) error {
	requests, last := "requests/run="+run.RunID, int64(-1)
	return v.dataset().EachRequest(&Run{Files: []File{f}}, func(r *Request) error {
		switch {
		case r.RunID != run.RunID:
			v.fault(requests, "request %d says that it belongs to run %s", r.RequestID, r.RunID)
		case r.RequestID <= last:
			v.fault(requests, "request %d comes after %d: not in order of request_id", r.RequestID, last)
		case v.seen[r.RequestID] != "":
			v.fault(requests, "request id %d stands in run %s too", r.RequestID, v.seen[r.RequestID])
		}
		last = r.RequestID
		v.seen[r.RequestID] = run.RunID
		received[r.RequestID] = r.BytesReceived
		return nil
	})
}

// chunks notes the bytes that the frames of each request in a file have.
func (v *verifier) chunks(ctx context.Context, run *Run, f File, received map[int64]*int64, framed map[int64]int64) error {
	chunks, last := "chunks/run="+run.RunID, int64(-1)
	return v.dataset().EachResponse(ctx, &Run{Files: []File{f}}, func(id int64, frames []Chunk) error {
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

func (v *verifier) dataset() *Dataset { return &Dataset{v.dir} }

// orphans names files that no sealed run owns, and journals.
func (v *verifier) orphans() error {
	for _, table := range []string{"requests", "chunks"} {
		err := filepath.WalkDir(filepath.Join(v.dir, table), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			if rel := v.rel(path); !v.known[rel] {
				v.fault(rel, "belongs to no sealed run")
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, run := range Journals(v.dir) {
		v.fault("journal/"+run, "%s", unsealed)
	}
	return nil
}

package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"aircheck/internal/kit/columnar"
)

// Row groups of chunks end at a request's end, past so many rows or bytes:
// PROBES found 32–128 k rows best for readers, and bodies of a megabyte a frame
// must not pile up in memory.
const (
	groupRows  = 64 << 10
	groupBytes = 64 << 20
)

// Writer writes one run into a dataset. Its files grow aside, in
// journal/<run_id>/, and are renamed into place by Seal; Abort leaves nothing.
// Methods may be called from several goroutines.
type Writer struct {
	dir, runID string

	mu       sync.Mutex
	requests *part[Request]
	chunks   *part[Chunk]
	waiting  map[int64]*done // finished, but an older request is still open
	open     []int64         // ids begun and not yet written, ascending
	failed   error

	ballast *ballast
	room    int64 // for what Seal writes beside the rows
	held    int64 // bytes of rows that are in memory
	full    error
}

type done struct {
	request                  *Request
	chunks                   []Chunk
	requestBytes, chunkBytes int64
}

// part is one growing Parquet file.
type part[T any] struct {
	table string
	path  string
	file  *os.File
	sum   *hashing
	rows  *columnar.Writer[T]
	bytes int64 // of rows in the open row group
	cuts  int64
}

// large says whether the open row group is to end.
func (p *part[T]) large() bool { return p.rows.GroupRows() >= groupRows || p.bytes >= groupBytes }

// cut ends it, and gives the bytes of the rows that have gone to the disk.
func (p *part[T]) cut() (gone int64, err error) {
	gone, p.bytes = p.bytes, 0
	p.cuts++
	return gone, p.rows.CutRowGroup()
}

// Create starts a run in the dataset at dir, which need not exist yet. Nothing
// is written before the first request.
func Create(dir, runID string) (*Writer, error) {
	if !runIDPattern.MatchString(runID) {
		return nil, fmt.Errorf("run id %q: want letters, digits, dots, dashes", runID)
	}
	for _, taken := range []string{filepath.Join("runs", runID+".json"), filepath.Join("requests", "run="+runID), filepath.Join("journal", runID)} {
		if _, err := os.Stat(filepath.Join(dir, taken)); err == nil {
			return nil, fmt.Errorf("%s: run %s exists already", dir, runID)
		}
	}
	return &Writer{dir: dir, runID: runID, waiting: map[int64]*done{}}, nil
}

// Begin announces a request, in ascending order of id. Rows are kept sorted by
// holding back each finished request until all that began before it are
// written.
func (w *Writer) Begin(requestID int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.open); n > 0 && w.open[n-1] >= requestID {
		w.failed = errors.Join(w.failed, fmt.Errorf("request %d began after %d: ids must rise", requestID, w.open[n-1]))
	}
	w.open = append(w.open, requestID)
}

// Write hands over a finished request and its frames, which the writer then
// owns. RunID, RequestID and Seq of the frames are filled in. On an error the
// request is not kept.
func (w *Writer) Write(request *Request, chunks []Chunk) error {
	request.RunID = w.runID
	for i := range chunks {
		chunks[i].RunID, chunks[i].RequestID, chunks[i].Seq = w.runID, request.RequestID, int32(i)
	}
	d := &done{request: request, chunks: chunks, requestBytes: requestSize(request), chunkBytes: chunkSize(chunks)}
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.admit(d)
	if err == nil {
		w.waiting[request.RequestID] = d
	} else {
		w.open = slices.DeleteFunc(w.open, func(id int64) bool { return id == request.RequestID })
	}
	w.drain()
	return errors.Join(err, w.failed)
}

// drain writes the finished requests that none older holds back.
func (w *Writer) drain() {
	for len(w.open) > 0 && w.failed == nil {
		next, ok := w.waiting[w.open[0]]
		if !ok {
			break
		}
		delete(w.waiting, w.open[0])
		w.open = w.open[1:]
		w.failed = w.append(next)
	}
}

func (w *Writer) append(d *done) error {
	if w.requests == nil {
		var err error
		if w.requests, err = newPart(w.dir, w.runID, "requests", Requests, w.ballast); err != nil {
			return err
		}
		if w.chunks, err = newPart(w.dir, w.runID, "chunks", Chunks, w.ballast); err != nil {
			return err
		}
	}
	if err := w.requests.rows.Write(*d.request); err != nil {
		return err
	}
	if err := w.chunks.rows.Write(d.chunks...); err != nil {
		return err
	}
	w.requests.bytes += d.requestBytes
	w.chunks.bytes += d.chunkBytes
	if w.requests.large() {
		if err := w.cut(w.requests.cut); err != nil {
			return err
		}
	}
	if w.chunks.large() {
		return w.cut(w.chunks.cut)
	}
	return nil
}

// Seal finishes the files, moves them into place and writes the run record,
// whose counts and files it fills in. Requests that began and were never
// written are an error. On any error nothing of the run stays visible.
func (w *Writer) Seal(run *Run) (err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() {
		if err != nil {
			w.remove()
		}
	}()
	w.ballast.release()
	if w.failed != nil {
		return w.failed
	}
	if len(w.open) > 0 {
		return fmt.Errorf("%d requests were begun and never written", len(w.open))
	}
	run.SchemaVersion, run.RunID, run.Files = Version, w.runID, nil
	if w.requests != nil {
		run.Requests, run.Chunks = w.requests.rows.Rows(), w.chunks.rows.Rows()
		f, err := w.requests.finish(w.dir, w.runID)
		if err != nil {
			return err
		}
		run.Files = append(run.Files, f)
		if f, err = w.chunks.finish(w.dir, w.runID); err != nil {
			return err
		}
		run.Files = append(run.Files, f)
	}
	data, err := json.MarshalIndent(run, "", "  ")
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(w.dir, "runs", w.runID+".json"), append(data, '\n')); err != nil {
		return err
	}
	os.RemoveAll(w.journal())
	removeEmptyDir(filepath.Join(w.dir, "journal"))
	return nil
}

// Abort drops the run.
func (w *Writer) Abort() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.remove()
}

func (w *Writer) journal() string { return filepath.Join(w.dir, "journal", w.runID) }

// remove takes away every trace of the run, and directories that are empty
// without it.
func (w *Writer) remove() {
	w.ballast.release()
	if w.requests != nil {
		w.requests.file.Close()
	}
	if w.chunks != nil {
		w.chunks.file.Close()
	}
	os.RemoveAll(w.journal())
	for _, table := range []string{"requests", "chunks"} {
		os.RemoveAll(filepath.Join(w.dir, table, "run="+w.runID))
		removeEmptyDir(filepath.Join(w.dir, table))
	}
	removeEmptyDir(filepath.Join(w.dir, "journal"))
	removeEmptyDir(w.dir)
}

// removeEmptyDir is os.Remove, but never takes a file that stands where the
// directory was wanted.
func removeEmptyDir(path string) {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		os.Remove(path)
	}
}

func newPart[T any](dir, runID, table string, t *columnar.Table[T], ballast *ballast) (*part[T], error) {
	journal := filepath.Join(dir, "journal", runID)
	if err := os.MkdirAll(journal, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(journal, table+".parquet.tmp")
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	sum := &hashing{w: laden{f, ballast}, h: sha256.New()}
	rows, err := t.NewWriter(sum, map[string]string{"aircheck.schema_version": strconv.Itoa(Version), "aircheck.table": table})
	if err != nil {
		f.Close()
		return nil, err
	}
	return &part[T]{table: table, path: path, file: f, sum: sum, rows: rows}, nil
}

// finish writes the footer, makes the file durable and renames it into place.
func (p *part[T]) finish(dir, runID string) (File, error) {
	if err := p.rows.Close(); err != nil {
		return File{}, err
	}
	if err := p.file.Sync(); err != nil {
		return File{}, err
	}
	if err := p.file.Close(); err != nil {
		return File{}, err
	}
	rel := p.table + "/run=" + runID + "/part-0.parquet"
	final := filepath.Join(dir, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return File{}, err
	}
	if err := os.Rename(p.path, final); err != nil {
		return File{}, err
	}
	if err := syncDir(filepath.Dir(final)); err != nil {
		return File{}, err
	}
	return File{rel, p.rows.Rows(), p.sum.n, hex.EncodeToString(p.sum.h.Sum(nil))}, nil
}

// hashing counts and hashes what passes through it.
type hashing struct {
	w io.Writer
	h interface {
		io.Writer
		Sum([]byte) []byte
	}
	n int64
}

func (h *hashing) Write(p []byte) (int, error) {
	n, err := h.w.Write(p)
	h.h.Write(p[:n])
	h.n += int64(n)
	return n, err
}

// writeFile writes a small file aside and renames it, durably.
func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp := path + ".tmp"
	f, err := os.Create(tmp)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		os.Remove(tmp)
		return err
	}
	return syncDir(filepath.Dir(path))
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

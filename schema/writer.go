package schema

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
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
}

type done struct {
	request                  *Request
	chunks                   []Chunk
	requestBytes, chunkBytes int64
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
// owns. RunID, RequestID and Seq of the frames are filled in.
func (w *Writer) Write(request *Request, chunks []Chunk) error {
	request.RunID = w.runID
	for i := range chunks {
		chunks[i].RunID, chunks[i].RequestID, chunks[i].Seq = w.runID, request.RequestID, int32(i)
	}
	d := &done{request: request, chunks: chunks, requestBytes: requestSize(request), chunkBytes: chunkSize(chunks)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting[request.RequestID] = d
	w.drain()
	return w.failed
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
		if w.requests, err = newPart(w.dir, w.runID, "requests", 0, Requests); err != nil {
			return err
		}
		if w.chunks, err = newPart(w.dir, w.runID, "chunks", 0, Chunks); err != nil {
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
		if err := w.requests.cut(); err != nil {
			return err
		}
	}
	if w.chunks.large() {
		return w.chunks.cut()
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
	if err := run.Write(w.dir); err != nil {
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

package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"aircheck/internal/kit/lock"
	"aircheck/schema"
)

// Options of a journal.
type Options struct {
	// Durable makes each batch durable before the next; else the disk is told to
	// once a second.
	Durable bool
	// RollBytes and RollAfter are how large and how old a file grows before what
	// has ended in it is sealed; 0 for 256 MiB and 5 minutes.
	RollBytes int64
	RollAfter time.Duration
	// Failed hears, once, that nothing more can be written.
	Failed func(error)
	// Mask hides what must not be in the sealed files in the frames of one
	// response, in place; nil for nothing. See Sealer.
	Mask Mask
}

const (
	flushEvery   = 20 * time.Millisecond
	durableEvery = 5 * time.Millisecond
	syncEvery    = time.Second
	// flushBytes are written without waiting for the time.
	flushBytes = 256 << 10
	// bufferBytes is when writers wait for the disk.
	bufferBytes = 2 << 20

	rollBytes = 256 << 20
	rollAfter = 5 * time.Minute
)

// Journal is the journal of one run that is recording. Its methods may be called
// from several goroutines.
type Journal struct {
	dir, runID, folder string
	opt                Options
	release            func() // of the lock
	sealer             *sealer
	sealed             *schema.Run // the record of a run that is continued, as it was

	mu      sync.Mutex
	notFull *sync.Cond // the buffer is not full
	buf     []byte     // what is not written yet, after room for a header
	records uint32     // in buf
	total   uint64     // before buf
	head    Head
	failed  error

	flushing sync.Mutex // held while buf is written
	spare    []byte
	file     *os.File
	name     string
	number   int
	salt     uint32
	size     int64
	opened   time.Time
	valid    int64 // size after the last good write
	closed   []string

	kick, full chan struct{} // there is something to write; there is much
	quit       chan struct{}
	writers    sync.WaitGroup
	rolling    sync.WaitGroup
	roll       sync.Mutex // held while a part is sealed
}

// Create begins the journal of a run in the dataset at dir, and opens its files,
// so that what cannot be written is known before anything is sent. run is the
// run's record as known so far; one that the dataset has already is
// continued.
func Create(dir string, run *schema.Run, opt Options) (*Journal, error) {
	if !schema.ValidRunID(run.RunID) {
		return nil, fmt.Errorf("run id %q: want letters, digits, dots, dashes", run.RunID)
	}
	if opt.RollBytes == 0 {
		opt.RollBytes = rollBytes
	}
	if opt.RollAfter == 0 {
		opt.RollAfter = rollAfter
	}
	j := &Journal{dir: dir, runID: run.RunID, folder: Folder(dir, run.RunID), opt: opt,
		kick: make(chan struct{}, 1), full: make(chan struct{}, 1), quit: make(chan struct{})}
	j.notFull = sync.NewCond(&j.mu)
	j.buf, j.spare = newBuffer(), newBuffer()
	j.head = Head{Format: format, Run: *run}
	var err error
	if j.sealer, err = newSealer(dir, run.RunID, opt.Mask); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(j.folder, 0o700); err != nil {
		return nil, err
	}
	taken := false
	if j.release, taken, err = lock.Try(j.folder); err != nil {
		return nil, err
	}
	if !taken {
		return nil, fmt.Errorf("run %s is being recorded by another process", run.RunID)
	}
	// A run that goes on is open again, or a crash would take it for complete.
	old, err := schema.ReadRun(dir, run.RunID)
	if err == nil {
		j.sealed = new(*old)
		old.State = schema.StateOpen
		err = old.Write(dir)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = j.open()
	}
	if err != nil {
		j.remove()
		return nil, err
	}
	j.writers.Go(j.flushLoop)
	j.writers.Go(j.syncLoop)
	return j, nil
}

// Folder is where the journal of a run lies.
func Folder(dir, runID string) string { return filepath.Join(dir, "journal", runID) }

func newBuffer() []byte { return make([]byte, headerSize, bufferBytes) }

// open starts the next file, with the head as its first segment.
func (j *Journal) open() error {
	salt := rand.Uint32()
	name := filepath.Join(j.folder, fmt.Sprintf(nameFormat, j.number+1, salt))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	data, err := json.Marshal(&j.head)
	if err != nil {
		return err
	}
	segment := appendText(make([]byte, headerSize), recordHead, nil, data)
	closeSegment(segment, salt, 1, j.total, time.Now())
	if _, err := f.Write(segment); err != nil {
		f.Close()
		os.Remove(name)
		return err
	}
	if err := errors.Join(f.Sync(), syncFolder(j.folder)); err != nil {
		f.Close()
		return err
	}
	j.total++
	j.file, j.name, j.number, j.salt = f, name, j.number+1, salt
	j.size, j.valid, j.opened = int64(len(segment)), int64(len(segment)), time.Now()
	return nil
}

// Begin says that a request is about to be sent, with what is known of it.
func (j *Journal) Begin(row *schema.Request) { j.row(recordBegin, row) }

// Row says what is known of a request by now.
func (j *Journal) Row(row *schema.Request) { j.row(recordRow, row) }

// End says that a request is over. All its frames were handed over before.
func (j *Journal) End(row *schema.Request) { j.row(recordEnd, row) }

func (j *Journal) row(kind byte, row *schema.Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.ready() {
		return
	}
	buf, err := appendRow(j.buf, kind, row)
	if err != nil {
		j.failed = fmt.Errorf("journal: request %d: %w", row.RequestID, err)
		return
	}
	j.buf = buf
	j.added()
}

// Frame keeps a frame of a request, whose bytes are copied.
func (j *Journal) Frame(id int64, f *Frame) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ready() {
		j.buf = appendFrame(j.buf, id, f)
		j.added()
	}
}

// Note keeps a note for the run's record.
func (j *Journal) Note(text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.head.Run.Notes = append(slices.Clip(j.head.Run.Notes), text)
	if j.ready() {
		j.buf = appendText(j.buf, recordNote, nil, []byte(text))
		j.added()
	}
}

// Update changes what is known of the run; a crash keeps it.
func (j *Journal) Update(change func(*schema.Run)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.head.Run)
	data, err := json.Marshal(&j.head)
	if err == nil && j.ready() {
		j.buf = appendText(j.buf, recordHead, nil, data)
		j.added()
	}
}

// ready waits for room in the buffer; false says that nothing can be written.
func (j *Journal) ready() bool {
	for len(j.buf) >= bufferBytes && j.failed == nil {
		j.notFull.Wait()
	}
	return j.failed == nil
}

// added counts a record.
func (j *Journal) added() {
	if j.records++; j.records == 1 {
		notify(j.kick)
	}
	if len(j.buf) >= flushBytes {
		notify(j.full)
	}
}

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Err is what keeps the journal from being written, nil if nothing does.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failed
}

func (j *Journal) flushLoop() {
	every := flushEvery
	if j.opt.Durable {
		every = durableEvery
	}
	timer := time.NewTimer(every)
	defer timer.Stop()
	for {
		select {
		case <-j.kick:
		case <-j.quit:
			return
		}
		timer.Reset(every)
		select {
		case <-timer.C:
		case <-j.full:
		case <-j.quit:
			return
		}
		j.flush()
	}
}

// flush writes what has gathered, and starts the next file when this one is full.
func (j *Journal) flush() error {
	j.flushing.Lock()
	defer j.flushing.Unlock()
	j.mu.Lock()
	segment, records, first, err := j.buf, j.records, j.total, j.failed
	if err == nil && records > 0 {
		j.buf, j.records, j.total = j.spare[:headerSize], 0, first+uint64(records)
		j.spare = nil
		j.notFull.Broadcast()
	}
	j.mu.Unlock()
	if err != nil || records == 0 {
		return err
	}
	closeSegment(segment, j.salt, records, first, time.Now())
	_, err = j.file.Write(segment)
	if err == nil && j.opt.Durable {
		err = datasync(j.file)
	}
	if err != nil {
		// A torn segment is cut off, so that the file ends with a valid one.
		j.file.Truncate(j.valid)
		return j.fail(err)
	}
	j.size += int64(len(segment))
	j.valid = j.size
	if cap(segment) > 2*bufferBytes { // it had a record as large as that
		segment = newBuffer()
	}
	j.spare = segment
	if j.size >= j.opt.RollBytes || time.Since(j.opened) >= j.opt.RollAfter {
		return j.rotate()
	}
	return nil
}

// rotate closes the file and seals what has ended in the closed ones, while the
// next one is written.
func (j *Journal) rotate() error {
	if err := errors.Join(datasync(j.file), j.file.Close()); err != nil {
		return j.fail(err)
	}
	j.closed = append(j.closed, j.name)
	j.mu.Lock()
	err := j.open()
	run := j.head.Run
	j.mu.Unlock()
	if err != nil {
		return j.fail(err)
	}
	if !j.roll.TryLock() {
		return nil // the next one takes these files, too
	}
	files := slices.Clone(j.closed)
	j.rolling.Go(func() {
		defer j.roll.Unlock()
		run.State = schema.StateOpen
		gone, err := j.sealer.seal(files, false, &run)
		j.flushing.Lock()
		defer j.flushing.Unlock()
		j.closed = slices.DeleteFunc(j.closed, func(name string) bool { return slices.Contains(gone, name) })
		if err != nil {
			j.fail(err)
		}
	})
	return nil
}

// syncLoop makes what was written durable once a second, and looks whether the
// folder is still there.
func (j *Journal) syncLoop() {
	ticks := time.NewTicker(syncEvery)
	defer ticks.Stop()
	var synced int64
	var name string
	for {
		select {
		case <-ticks.C:
		case <-j.quit:
			return
		}
		j.flushing.Lock()
		file, size, now := j.file, j.size, j.name
		j.flushing.Unlock()
		if now != name {
			name, synced = now, 0
		}
		err := j.there(file, now)
		if err == nil && size > synced && !j.opt.Durable {
			// The file may be closed meanwhile, by who made it durable before.
			if err = datasync(file); errors.Is(err, os.ErrClosed) || j.current() != now {
				err = nil
			}
			synced = size
		}
		if err != nil {
			j.fail(err)
			return
		}
	}
}

func (j *Journal) current() string {
	j.flushing.Lock()
	defer j.flushing.Unlock()
	return j.name
}

// there makes sure that the file being written is the one that a reader finds.
func (j *Journal) there(file *os.File, name string) error {
	found, err := os.Stat(name)
	if err != nil {
		if j.current() != name {
			return nil
		}
		return err
	}
	have, err := file.Stat()
	if err == nil && !os.SameFile(have, found) {
		return errors.New("another file has taken the place of the journal")
	}
	return nil
}

// Error says why a journal can no longer be written.
type Error struct{ Err error }

// Error leaves the path out, which is this machine's own.
func (e *Error) Error() string {
	var reason syscall.Errno
	switch {
	case errors.Is(e.Err, fs.ErrNotExist):
		return "the journal's folder has gone"
	case errors.As(e.Err, &reason):
		return reason.Error()
	}
	return e.Err.Error()
}
func (e *Error) Unwrap() error { return e.Err }

// Cause is an error of the system without the path, which is this machine's own.
func Cause(err error) string {
	var reason syscall.Errno
	if errors.As(err, &reason) {
		return reason.Error()
	}
	return err.Error()
}

// fail notes why nothing more can be written.
func (j *Journal) fail(err error) error {
	err = &Error{err}
	j.mu.Lock()
	first := j.failed == nil
	if first {
		j.failed = err
	}
	j.notFull.Broadcast()
	err = j.failed
	j.mu.Unlock()
	if first && j.opt.Failed != nil {
		go j.opt.Failed(err)
	}
	return err
}

// Flush writes what has gathered and makes it durable.
func (j *Journal) Flush() error {
	if err := j.flush(); err != nil {
		return err
	}
	j.flushing.Lock()
	defer j.flushing.Unlock()
	return datasync(j.file)
}

// Close ends the writing and leaves the journal as it is, to be sealed by Recover.
func (j *Journal) Close() error {
	err := j.stop()
	j.release()
	return err
}

// stop ends the writing.
func (j *Journal) stop() error {
	select {
	case <-j.quit:
		return nil
	default:
	}
	err := j.flush()
	close(j.quit)
	j.notFull.Broadcast()
	j.writers.Wait()
	j.rolling.Wait()
	if syncErr := datasync(j.file); err == nil {
		err = syncErr
	}
	j.file.Close()
	j.closed = append(j.closed, j.name)
	return err
}

// Seal ends the run: it writes all that the journal holds as Parquet, then the
// run's record, whose counts and files it fills in, and removes the journal. What
// could be written before the journal failed, if it did, is sealed, too. On an
// error the journal stays, and Recover can seal it later.
func (j *Journal) Seal(run *schema.Run) error {
	j.stop()
	defer j.release()
	run.State = ""
	if _, err := j.sealer.seal(j.closed, true, run); err != nil {
		return err
	}
	removeJournal(j.dir, j.runID)
	return nil
}

// Abort drops what was not sealed.
func (j *Journal) Abort() {
	j.stop()
	j.remove()
}

func (j *Journal) remove() {
	if j.sealed != nil {
		j.sealed.Write(j.dir)
	}
	j.release()
	removeJournal(j.dir, j.runID)
	os.Remove(j.dir) // if it is empty
}

// removeJournal takes a run's journal away, and the folder of all if it is empty.
func removeJournal(dir, runID string) {
	folder := Folder(dir, runID)
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
		return
	}
	os.RemoveAll(folder)
	os.Remove(filepath.Dir(folder))
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// files are the journal's files of a run, in order.
func files(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".journal") {
			out = append(out, filepath.Join(folder, e.Name()))
		}
	}
	slices.Sort(out)
	return out, nil
}

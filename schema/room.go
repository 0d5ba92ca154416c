package schema

import (
	"errors"
	"path/filepath"
	"reflect"
)

// Reserve keeps room on the disk for all that the writer holds in memory, and so
// many bytes for the run record. When there is no more, Write refuses a request
// with a *FullError, and Seal can keep the others.
func (w *Writer) Reserve(room int64) {
	w.ballast, w.room = newBallast(filepath.Join(w.journal(), "ballast")), room
}

// admit makes sure of the room that a request needs. Where there is too little,
// what is in memory is written first: it takes less on the disk.
func (w *Writer) admit(d *done) error {
	if w.full != nil || w.failed != nil {
		return w.full
	}
	size := d.requestBytes + d.chunkBytes
	err := w.ballast.grow(w.needs(size))
	if isFull(err) && w.requests != nil {
		if w.failed = errors.Join(w.cut(w.requests.cut), w.cut(w.chunks.cut)); w.failed != nil {
			return nil
		}
		err = w.ballast.grow(w.needs(size))
	}
	switch {
	case isFull(err):
		w.full = &FullError{err}
	case err != nil:
		w.failed = err
	default:
		w.held += size
	}
	return w.full
}

// needs is the room for so many more bytes and all that is yet to be written.
func (w *Writer) needs(more int64) int64 {
	groups := int64(1)
	if w.requests != nil {
		groups += w.requests.cuts + w.chunks.cuts
	}
	return w.held + more + w.room + groups*FooterBytes
}

// cut ends a row group, whose rows are in memory no longer.
func (w *Writer) cut(end func() (int64, error)) error {
	gone, err := end()
	w.held -= gone
	return err
}

// FooterBytes is more than what a row group adds to its file's footer, where
// texts of a few kilobytes stand as least and greatest.
const FooterBytes = 64 << 10

// requestSize is at least what a row takes on the disk.
func requestSize(r *Request) (n int64) {
	row := reflect.ValueOf(r).Elem()
	for i := range row.NumField() {
		switch f := reflect.Indirect(row.Field(i)); f.Kind() {
		case reflect.String:
			n += 8 + int64(f.Len())
		case reflect.Slice:
			n += 8 + 8*int64(f.Len())
		default:
			n += 8
		}
	}
	return n
}

func chunkSize(chunks []Chunk) (n int64) {
	for i := range chunks {
		n += 64 + int64(len(chunks[i].Raw))
	}
	return n
}

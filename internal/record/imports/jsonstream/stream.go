// Package jsonstream reads large JSON documents in pieces: a first reading that
// proves the document sound and keeps only what was asked for of it, and a
// second one that hands out the records at a path, one at a time. Neither holds
// more of the document than one record and what was asked for.
package jsonstream

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Error is a place at which a document is no JSON.
type Error struct {
	Line int
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// reader is a decoder that knows its line.
type reader struct {
	dec   *json.Decoder
	lines *lineCounter
	words *lenient
	held  json.RawMessage // of a value that is passed over whole
}

func newReader(in io.Reader) *reader {
	words := &lenient{in: bufio.NewReaderSize(in, 64<<10)}
	if head, _ := words.in.Peek(3); bytes.Equal(head, []byte("\xEF\xBB\xBF")) {
		words.in.Discard(3)
	}
	lines := &lineCounter{in: words}
	dec := json.NewDecoder(lines)
	dec.UseNumber()
	return &reader{dec: dec, lines: lines, words: words}
}

// fail places an error.
func (r *reader) fail(err error) error {
	var placed *Error
	if err == nil || errors.As(err, &placed) {
		return err
	}
	at := r.dec.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = max(at, syntax.Offset-1)
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = r.lines.at, errors.New("ends in the middle")
	}
	return &Error{r.lines.line(at), err}
}

// skip reads one value and keeps nothing of it.
func (r *reader) skip() error {
	for depth := 0; ; {
		t, err := r.dec.Token()
		if err != nil {
			return err
		}
		if d, ok := t.(json.Delim); ok {
			if d == '{' || d == '[' {
				depth++
			} else {
				depth--
			}
		}
		if depth == 0 {
			return nil
		}
	}
}

// skipList passes over a value; if it is a list, by holding one element of it
// at a time.
func (r *reader) skipList() error {
	d, err := r.open()
	if err != nil || d == 0 {
		return err
	}
	for r.dec.More() {
		if d == '{' {
			if _, err := r.key(); err != nil {
				return err
			}
			err = r.skip()
		} else {
			err = r.dec.Decode(&r.held)
		}
		if err != nil {
			return err
		}
	}
	_, err = r.dec.Token()
	return err
}

// value decodes the next value whole. Its line is that of its first byte.
func (r *reader) value() (v any, line int, err error) {
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return nil, 0, err
	}
	line = r.lines.line(r.dec.InputOffset() - int64(len(raw)))
	v, err = Decode(raw)
	return v, line, err
}

// Decode reads JSON and keeps numbers as they are written (json.Number).
func Decode(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	err := dec.Decode(&v)
	return v, err
}

// end checks that nothing follows the document.
func (r *reader) end() error {
	if _, err := r.dec.Token(); err == nil {
		return errors.New("another value follows the document")
	} else if err != io.EOF {
		return err
	}
	return nil
}

// open reads the bracket of an object or array; 0 for any other value, which
// is then read.
func (r *reader) open() (json.Delim, error) {
	t, err := r.dec.Token()
	if err != nil {
		return 0, err
	}
	d, _ := t.(json.Delim)
	return d, nil
}

// key reads the name of the next member.
func (r *reader) key() (string, error) {
	t, err := r.dec.Token()
	if err != nil {
		return "", err
	}
	k, ok := t.(string)
	if !ok {
		return "", fmt.Errorf("a member's name is missing before %v", t)
	}
	return k, nil
}

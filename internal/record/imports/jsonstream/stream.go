// Package jsonstream reads large JSON documents in pieces: a first reading that
// proves the document valid and keeps only what was asked for of it, and a
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
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/imports/input"
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
	dec   *jsontext.Decoder
	lines *lineCounter
	words *lenient
}

// Names may repeat (the last counts), and what is not UTF-8 reads as U+FFFD, as
// everywhere in Go's JSON.
var options = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

func newReader(in io.Reader) *reader {
	words := &lenient{in: bufio.NewReaderSize(in, 64<<10)}
	if head, _ := words.in.Peek(3); bytes.Equal(head, []byte("\xEF\xBB\xBF")) {
		words.in.Discard(3)
	}
	r := &reader{words: words}
	r.lines = &lineCounter{in: words, r: r}
	r.dec = jsontext.NewDecoder(r.lines, options...)
	return r
}

// fail places an error.
func (r *reader) fail(err error) error {
	var placed *Error
	if err == nil || errors.As(err, &placed) {
		return err
	}
	at := r.dec.InputOffset()
	var limit *input.ErrLimit
	if errors.As(err, &limit) {
		return &Error{r.lines.line(at), limit}
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at, err = max(at, syntax.ByteOffset), syntax.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = r.lines.at, errors.New("ends in the middle")
	}
	return &Error{r.lines.line(at), err}
}

// skip passes over one value and keeps nothing of it.
func (r *reader) skip() error { return r.dec.SkipValue() }

// more says whether the object or list that is open has another member.
func (r *reader) more() bool {
	k := r.dec.PeekKind()
	return k != '}' && k != ']'
}

// shut reads the end of the object or list that is open.
func (r *reader) shut() error {
	_, err := r.dec.ReadToken()
	return err
}

// value decodes the next value whole. Its line is that of its first byte.
func (r *reader) value() (v any, line int, err error) {
	r.lines.holding = true
	raw, err := r.dec.ReadValue()
	r.lines.holding = false
	if err != nil {
		return nil, 0, err
	}
	line = r.lines.line(r.dec.InputOffset() - int64(len(raw)))
	v, err = Decode(raw)
	return v, line, err
}

var decoders = sync.Pool{New: func() any { return jsontext.NewDecoder(bytes.NewBuffer(nil), options...) }}

// Decode reads JSON and keeps numbers as they are written (json.Number).
func Decode(raw []byte) (any, error) {
	dec := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(dec)
	dec.Reset(bytes.NewBuffer(raw), options...)
	v, err := decode(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil, errors.New("another value follows the document")
	}
	return v, nil
}

func decode(dec *jsontext.Decoder) (any, error) {
	t, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case '"':
		return t.String(), nil
	case '0':
		return json.Number(t.String()), nil
	case 't', 'f':
		return t.Bool(), nil
	case '{':
		m := map[string]any{}
		for dec.PeekKind() != '}' {
			k, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			name := k.String()
			if m[name], err = decode(dec); err != nil {
				return nil, err
			}
		}
		_, err = dec.ReadToken()
		return m, err
	case '[':
		a := []any{}
		for dec.PeekKind() != ']' {
			v, err := decode(dec)
			if err != nil {
				return nil, err
			}
			a = append(a, v)
		}
		_, err = dec.ReadToken()
		return a, err
	}
	return nil, nil
}

// end checks that nothing follows the document.
func (r *reader) end() error {
	if _, err := r.dec.ReadToken(); err == nil {
		return errors.New("another value follows the document")
	} else if err != io.EOF {
		return err
	}
	return nil
}

// open reads the bracket of an object or array; 0 for any other value, which
// is then read.
func (r *reader) open() (jsontext.Kind, error) {
	if k := r.dec.PeekKind(); k != '{' && k != '[' {
		return 0, r.dec.SkipValue()
	}
	t, err := r.dec.ReadToken()
	return t.Kind(), err
}

// key reads the name of the next member.
func (r *reader) key() (string, error) {
	t, err := r.dec.ReadToken()
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// lineCounter remembers where lines end among the bytes that the decoder has
// read ahead, so that an offset can be told as a line, and ends a document with
// a record beyond the bound.
type lineCounter struct {
	in      io.Reader
	r       *reader
	holding bool    // a value is being read that is kept whole
	at      int64   // bytes passed on
	before  int     // line ends that have been let go
	ends    []int64 // offsets of the others, ascending
}

func (c *lineCounter) Read(p []byte) (int, error) {
	if c.holding && c.at-c.r.dec.InputOffset() > limits.ImportRecord {
		return 0, &input.ErrLimit{What: fmt.Sprintf("a record of more than %d MiB", limits.ImportRecord>>20)}
	}
	n, err := c.in.Read(p)
	for i := 0; ; i++ {
		next := bytes.IndexByte(p[i:n], '\n')
		if next < 0 {
			break
		}
		i += next
		c.ends = append(c.ends, c.at+int64(i))
	}
	c.at += int64(n)
	// What has been read is let go of, or a document of short lines piles up.
	if len(c.ends) > 1<<16 {
		c.line(c.r.dec.InputOffset())
	}
	return n, err
}

// line is the line, from 1, of an offset not below any asked for before.
func (c *lineCounter) line(offset int64) int {
	i := 0
	for i < len(c.ends) && c.ends[i] < offset {
		i++
	}
	c.ends = c.ends[:copy(c.ends, c.ends[i:])]
	c.before += i
	return c.before + 1
}

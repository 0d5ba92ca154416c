package mapping

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/ledger"
)

// lines reads one JSON document a line. A line that is none is a fault of its
// own; the others are read. Decoding takes the most time, so batches of lines
// are decoded side by side; records are taken in the file's order.
func (r *reading) lines() error {
	in, err := input.Open(r.path)
	if err != nil {
		return err
	}
	defer in.Close()
	ctx, stop := context.WithCancel(r.ctx)
	defer stop()
	workers := runtime.GOMAXPROCS(0)
	work := make(chan *lineBatch)
	order := make(chan *lineBatch, 2*workers) // bounds what is in memory
	projection := jsonstream.NewProjection(r.m.memberPaths())
	for range workers {
		go func() {
			for b := range work {
				b.decode(r, projection)
				close(b.ready)
			}
		}()
	}
	go func() {
		defer close(order)
		defer close(work)
		cutLines(in, func(b *lineBatch) bool {
			select {
			case order <- b:
			case <-ctx.Done():
				return false
			}
			select {
			case work <- b:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}()
	// The reader must have let go of the file before it is closed.
	defer func() {
		stop()
		for range order {
		}
	}()
	c := &lineContext{first: true}
	for b := range order {
		select {
		case <-b.ready:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := r.batch(b, c); err != nil {
			return err
		}
	}
	return r.ctx.Err()
}

// lineContext is what lines before say of those that follow.
type lineContext struct {
	above []any
	first bool
}

func (r *reading) batch(b *lineBatch, c *lineContext) error {
	for i, text := range b.texts {
		n := b.first + i
		switch line := b.lines[i]; {
		case len(text) == 0:
		case line.err != nil:
			r.account.Fault(ledger.Place{Line: n}, "not JSON: it begins with %s", short(string(text[:min(len(text), 40)])))
		default:
			for range line.replaced {
				r.account.Null("NaN or Infinity in JSON")
			}
			if line.notUTF8 {
				r.account.Null("bytes that are not UTF-8")
			}
			if line.scope != nil && !c.first {
				if err := r.finish(line.scope, line.made, ledger.Place{Line: n}); err != nil {
					return err
				}
				continue
			}
			v := line.value
			if c.first && r.m.Columns == nil { // whole, so that a place that is not there can be told from its neighbours
				v, _, _ = whole.Decode(text)
			}
			if err := r.lineRecord(v, &c.above, c.first, n); err != nil {
				return err
			}
			c.first = false
		}
	}
	if b.fault != "" {
		r.account.Fault(ledger.Place{Line: b.first + len(b.texts)}, "%s", b.fault)
	}
	return nil
}

var whole = jsonstream.NewProjection([][]jsonstream.Step{nil})

// lineBatch is some whole lines of a file.
type lineBatch struct {
	first int // number of the first line, from 1
	texts [][]byte
	fault string // of what follows the lines
	lines []decodedLine
	ready chan struct{}
}

type decodedLine struct {
	value    any
	replaced int
	notUTF8  bool
	err      error
	scope    *scope // of the row that was made
	made     made
}

// decode decodes the lines and, where lines stand for themselves, makes their rows.
func (b *lineBatch) decode(r *reading, p *jsonstream.Projection) {
	alone := r.m.Context == nil && r.m.Columns == nil && r.m.Flatten == ""
	b.lines = make([]decodedLine, len(b.texts))
	for i, text := range b.texts {
		if len(text) == 0 {
			continue
		}
		d := &b.lines[i]
		d.notUTF8 = !validUTF8(text)
		if d.value, d.replaced, d.err = p.Decode(text); d.err == nil {
			if _, ok := d.value.(map[string]any); !ok {
				d.err = errors.New("no object")
			} else if alone {
				d.scope = r.scope(d.value, nil, d.value)
				d.made = r.m.make(d.scope)
			}
		}
	}
}

const batchBytes = 1 << 20

// cutLines cuts a file into batches until emit has enough.
func cutLines(in io.Reader, emit func(*lineBatch) bool) {
	var rest []byte // the beginning of a line whose end is still to come
	line := 1
	b := bufio.NewReaderSize(in, 64<<10)
	if head, _ := b.Peek(3); bytes.Equal(head, []byte("\xEF\xBB\xBF")) {
		b.Discard(3)
	}
	for {
		buf := make([]byte, len(rest)+batchBytes)
		copy(buf, rest)
		n, err := io.ReadFull(b, buf[len(rest):])
		buf = buf[:len(rest)+n]
		batch := &lineBatch{first: line, ready: make(chan struct{})}
		over := err != nil
		end := bytes.LastIndexByte(buf, '\n') + 1
		if over {
			end = len(buf)
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				batch.fault = fmt.Sprintf("cannot be read further: %v", err)
			}
		}
		rest = buf[end:]
		for whole := buf[:end]; len(whole) > 0; {
			var text []byte
			text, whole, _ = bytes.Cut(whole, []byte("\n"))
			batch.texts = append(batch.texts, bytes.TrimSpace(text))
		}
		if batch.fault != "" && end > 0 && buf[end-1] != '\n' {
			batch.texts = batch.texts[:len(batch.texts)-1] // cut by the fault, and no line
		}
		line += len(batch.texts)
		if len(rest) > limits.ImportRecord {
			batch.fault = fmt.Sprintf("a line of more than %d MiB", limits.ImportRecord>>20)
			rest = nil
			if !discardLine(b) {
				over = true
			}
			line++
		}
		if !emit(batch) || over {
			return
		}
	}
}

// discardLine reads up to a line's end; false where the file ends.
func discardLine(b *bufio.Reader) bool {
	for {
		_, err := b.ReadSlice('\n')
		if err == nil {
			return true
		}
		if err != bufio.ErrBufferFull {
			return false
		}
	}
}

func (r *reading) lineRecord(v any, context *[]any, first bool, n int) error {
	if first {
		if err := r.refuse(v); err != nil {
			return err
		}
	}
	if r.m.Context != nil {
		if speaks, err := r.m.Context.holds(&scope{record: v, root: v, file: r.file}); err != nil {
			r.account.Fault(ledger.Place{Line: n}, "%v", err)
			return nil
		} else if speaks {
			*context = []any{v}
			r.account.Skip("context of the lines that follow")
			return nil
		}
	}
	switch {
	case r.m.Columns != nil:
		return r.lineColumns(v, n)
	case r.m.Flatten != "":
		for _, record := range flatteners[r.m.Flatten](v) {
			if err := r.record(record, nil, v, ledger.Place{Line: n}); err != nil {
				return err
			}
		}
		return nil
	}
	return r.record(v, *context, v, ledger.Place{Line: n})
}

// lineColumns makes records of the lists of one line.
func (r *reading) lineColumns(doc any, line int) error {
	n, from := -1, ""
	lists := map[string][]any{}
	for _, k := range slices.Sorted(maps.Keys(r.m.Columns)) {
		p := r.m.Columns[k]
		list, ok := jsonstream.Lookup(doc, p.Steps).([]any)
		if !ok {
			continue // an optional list
		}
		if n >= 0 && len(list) != n {
			r.account.Fault(ledger.Place{Line: line}, "its lists do not stand side by side: %d values at %s, %d at %s", n, from, len(list), p)
			return nil
		}
		n, from, lists[k] = len(list), p.String(), list
	}
	if n < 0 {
		return r.refuse(doc)
	}
	for i := range n {
		record := map[string]any{}
		for k, list := range lists {
			record[k] = list[i]
		}
		if err := r.record(record, []any{doc}, doc, ledger.Place{Line: line}); err != nil {
			return err
		}
	}
	return nil
}

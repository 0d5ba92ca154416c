package mapping

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/ledger"
)

// json reads a document twice: once to prove it sound and to keep what stands
// above the records, then for the records.
func (r *reading) json() error {
	if len(r.m.Columns) > 0 {
		return r.columns()
	}
	places, err := r.places()
	if err != nil {
		return err
	}
	var want [][]jsonstream.Step
	for _, p := range places {
		want = append(want, r.m.outline(p)...)
	}
	out, err := r.project(want, nil, places)
	if err != nil {
		return err
	}
	for _, p := range places {
		in, err := Open(r.path)
		if err != nil {
			return err
		}
		err = jsonstream.Records(in, p, out.Root, func(rec jsonstream.Record) error {
			return r.record(rec.Value, rec.Above, out.Root, ledger.Place{Line: rec.Line})
		})
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// places are the paths of the records.
func (r *reading) places() ([][]jsonstream.Step, error) {
	var out [][]jsonstream.Step
	for _, p := range r.m.Records {
		out = append(out, p.Steps)
	}
	if out != nil {
		return out, nil
	}
	in, err := Open(r.path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	b := bufio.NewReader(in)
	for {
		c, err := b.ReadByte()
		switch {
		case err != nil || c == '{':
			return [][]jsonstream.Step{nil}, nil
		case c == '[':
			return [][]jsonstream.Step{{{Kind: jsonstream.Each}}}, nil
		}
	}
}

// project is the first reading.
func (r *reading) project(want, count, records [][]jsonstream.Step) (*jsonstream.Outline, error) {
	in, err := Open(r.path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := jsonstream.Project(in, want, count, records)
	if err != nil {
		return nil, r.jsonFault(err)
	}
	for range out.Replaced {
		r.account.Null("NaN or Infinity in JSON")
	}
	return out, r.refuse(out.Root)
}

// columns makes records of lists side by side, each read by a reader of its
// own, so that no list is held whole.
func (r *reading) columns() error {
	keys := slices.Sorted(maps.Keys(r.m.Columns))
	var paths, elements [][]jsonstream.Step
	for _, k := range keys {
		p := r.m.Columns[k].Steps
		paths = append(paths, p)
		elements = append(elements, append(p[:len(p):len(p)], jsonstream.Step{Kind: jsonstream.Each}))
	}
	out, err := r.project(r.m.outline([]jsonstream.Step{{}}), paths, elements)
	if err != nil {
		return err
	}
	n, from := -1, ""
	arrays := map[string]*jsonstream.Array{}
	for i, k := range keys {
		length := out.Lengths[i]
		if length < 0 {
			continue // an optional list
		}
		if n >= 0 && length != n {
			r.account.Refuse(ledger.Place{}, "its lists do not stand side by side: %d values at %s, %d at %s", n, from, length, r.m.Columns[k])
			return errRefused
		}
		n, from = length, r.m.Columns[k].String()
		in, err := Open(r.path)
		if err != nil {
			return err
		}
		defer in.Close()
		if arrays[k], err = jsonstream.OpenArray(in, paths[i]); err != nil {
			return err
		}
	}
	for i := range max(n, 0) {
		record := map[string]any{}
		for k, a := range arrays {
			if record[k], err = a.Next(); err != nil {
				return fmt.Errorf("%s: %w", k, err)
			}
		}
		if err := r.record(record, []any{out.Root}, out.Root, ledger.Place{Record: i + 1}); err != nil {
			return err
		}
	}
	return nil
}

// lines reads one JSON document a line. A line that is none is a fault of its
// own; the others are read.
func (r *reading) lines() error {
	in, err := Open(r.path)
	if err != nil {
		return err
	}
	defer in.Close()
	b := bufio.NewReaderSize(in, 256<<10)
	var context []any
	first := true
	for n := 1; ; n++ {
		line, end := b.ReadBytes('\n')
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			v, err := r.line(line)
			if err != nil {
				r.account.Fault(ledger.Place{Line: n}, "not JSON: it begins with %s", short(string(line[:min(len(line), 40)])))
			} else if err := r.lineRecord(v, &context, first, n); err != nil {
				return err
			} else {
				first = false
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			r.account.Fault(ledger.Place{Line: n}, "cannot be read further: %v", end)
			return nil
		}
	}
}

// line decodes a line, leniently: see jsonstream.Project on NaN.
func (r *reading) line(line []byte) (any, error) {
	out, err := jsonstream.Project(bytes.NewReader(line), [][]jsonstream.Step{nil}, nil, nil)
	if err != nil {
		return nil, err
	}
	for range out.Replaced {
		r.account.Null("NaN or Infinity in JSON")
	}
	if _, ok := out.Root.(map[string]any); !ok {
		return nil, errors.New("no object")
	}
	return out.Root, nil
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
	return r.record(v, *context, v, ledger.Place{Line: n})
}

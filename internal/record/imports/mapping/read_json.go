package mapping

import (
	"bufio"
	"fmt"
	"maps"
	"slices"

	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/ledger"
)

// json reads a document twice: once to prove it valid and to keep what stands
// above the records, then for the records.
func (r *reading) json() error {
	switch {
	case r.m.Flatten != "":
		return r.flattened()
	case len(r.m.Columns) > 0:
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
	out, err := r.project(want, nil)
	if err != nil {
		return err
	}
	for _, p := range places {
		in, err := input.Open(r.path)
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
	in, err := input.Open(r.path)
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
func (r *reading) project(want, count [][]jsonstream.Step) (*jsonstream.Outline, error) {
	in, err := input.Open(r.path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	out, err := jsonstream.Project(in, want, count)
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
	var paths [][]jsonstream.Step
	for _, k := range keys {
		paths = append(paths, r.m.Columns[k].Steps)
	}
	out, err := r.project(r.m.outline([]jsonstream.Step{{}}), paths)
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
		in, err := input.Open(r.path)
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

package jsonstream

import (
	"errors"
	"fmt"
	"io"
)

// Record is one value found at a path.
type Record struct {
	Value any
	Line  int   // line of its first byte, from 1
	Above []any // the objects of which the path names a member, outermost first, as the outline has them
}

// Records calls f with each value at a path, in the order of the document.
// root is the document's outline, from which Record.Above is taken.
func Records(in io.Reader, steps []Step, root any, f func(Record) error) error {
	w := &walker{reader: newReader(in), f: f}
	if err := w.walk(steps, root, nil); err != nil {
		var stop *stopped
		if errors.As(err, &stop) {
			return stop.err
		}
		return w.fail(err)
	}
	return nil
}

// stopped carries an error of the callback past the placing of syntax errors.
type stopped struct{ err error }

func (s *stopped) Error() string { return s.err.Error() }

type walker struct {
	*reader
	f func(Record) error
}

func (w *walker) walk(steps []Step, node any, above []any) error {
	if len(steps) == 0 {
		v, line, err := w.value()
		if err != nil {
			return err
		}
		if err := w.f(Record{v, line, above}); err != nil {
			return &stopped{err}
		}
		return nil
	}
	d, err := w.open()
	if err != nil {
		return err
	}
	s := steps[0]
	switch d {
	case '{':
		members, _ := node.(map[string]any)
		inside := above
		if s.Kind == Member {
			inside = append(above[:len(above):len(above)], node)
		}
		for w.more() {
			k, err := w.key()
			if err != nil {
				return err
			}
			if s.Kind == Each || s.Kind == Member && s.Key == k {
				err = w.walk(steps[1:], members[k], inside)
			} else {
				err = w.skip()
			}
			if err != nil {
				return err
			}
		}
		err = w.shut()
	case '[':
		elements, _ := node.([]any)
		for n := 0; w.more(); n++ {
			if s.Kind == Each || s.Kind == Element && s.Index == n {
				var e any
				if n < len(elements) {
					e = elements[n]
				}
				err = w.walk(steps[1:], e, above)
			} else {
				err = w.skip()
			}
			if err != nil {
				return err
			}
		}
		err = w.shut()
	}
	return err
}

// Array is a position in an array of a document.
type Array struct {
	r *reader
}

// OpenArray finds the array at a path of members and elements. Next then gives
// its values.
func OpenArray(in io.Reader, steps []Step) (*Array, error) {
	r := newReader(in)
	if err := r.seek(steps); err != nil {
		return nil, r.fail(err)
	}
	d, err := r.open()
	if err == nil && d != '[' {
		err = errors.New("no array there")
	}
	return &Array{r: r}, r.fail(err)
}

func (r *reader) seek(steps []Step) error {
	for _, s := range steps {
		d, err := r.open()
		if err != nil {
			return err
		}
		found := false
		for n := 0; !found && d != 0 && r.more(); n++ {
			if d == '{' {
				k, err := r.key()
				if err != nil {
					return err
				}
				found = s.Kind == Member && k == s.Key
			} else {
				found = s.Kind == Element && n == s.Index
			}
			if !found {
				if err := r.skip(); err != nil {
					return err
				}
			}
		}
		if !found {
			return fmt.Errorf("no %q", s.Key)
		}
	}
	return nil
}

// Next gives the next value of the array; io.EOF after the last.
func (a *Array) Next() (any, error) {
	if !a.r.more() {
		return nil, io.EOF
	}
	v, _, err := a.r.value()
	return v, a.r.fail(err)
}

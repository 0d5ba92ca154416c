package jsonstream

import "io"

// What a sketch keeps.
const (
	sketchDepth    = 8    // objects and lists inside each other
	sketchElements = 3    // of each list
	sketchMembers  = 1000 // of each object
	sketchText     = 512  // bytes of each text
)

// Sketch reads a whole document and keeps its shape: all members, the first
// elements of lists, the beginnings of texts. A document that is no JSON gives
// what stands before the fault, and the error.
func Sketch(in io.Reader) (any, error) {
	r := newReader(in)
	v, err := r.sketch(0)
	if err == nil {
		err = r.end()
	}
	return v, r.fail(err)
}

func (r *reader) sketch(depth int) (any, error) {
	switch k := r.dec.PeekKind(); {
	case k != '{' && k != '[':
		v, _, err := r.value()
		if t, is := v.(string); is && len(t) > sketchText {
			v = t[:sketchText]
		}
		return v, err
	case depth == sketchDepth:
		return nil, r.skip()
	case k == '{':
		r.open()
		m := map[string]any{}
		for r.more() {
			name, err := r.key()
			if err != nil {
				return m, err
			}
			if len(m) >= sketchMembers {
				if err := r.skip(); err != nil {
					return m, err
				}
				continue
			}
			if m[name], err = r.sketch(depth + 1); err != nil {
				return m, err
			}
		}
		return m, r.shut()
	}
	r.open()
	a := []any{}
	for n := 0; r.more(); n++ {
		if n >= sketchElements {
			if err := r.skip(); err != nil {
				return a, err
			}
			continue
		}
		v, err := r.sketch(depth + 1)
		a = append(a, v)
		if err != nil {
			return a, err
		}
	}
	return a, r.shut()
}

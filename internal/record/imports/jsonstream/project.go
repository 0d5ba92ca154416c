package jsonstream

import "io"

// Outline is what a first reading keeps of a document.
type Outline struct {
	Root     any   // the document, reduced to what the wanted paths lead to
	Lengths  []int // length of the array at each counted path, -1 where there is none
	Replaced int   // bare NaN and Infinity, read as null
}

// Project reads a whole document, proves it valid and keeps what the wanted
// paths lead to; everything on the way to it keeps its place.
func Project(in io.Reader, want, count [][]Step) (*Outline, error) {
	tree := &branch{}
	for _, steps := range want {
		tree.add(steps).all = true
	}
	out := &Outline{Lengths: make([]int, len(count))}
	for i, steps := range count {
		out.Lengths[i] = -1
		b := tree.add(steps)
		b.counts = append(b.counts, &out.Lengths[i])
	}
	r := newReader(in)
	var err error
	if out.Root, err = r.project(tree); err == nil {
		err = r.end()
	}
	out.Replaced = r.words.replaced
	return out, r.fail(err)
}

// branch is a node of the tree of wanted paths.
type branch struct {
	all     bool // everything below
	members map[string]*branch
	at      map[int]*branch
	each    *branch
	counts  []*int
}

func (b *branch) add(steps []Step) *branch {
	for _, s := range steps {
		next := &branch{}
		switch s.Kind {
		case Member:
			if b.members == nil {
				b.members = map[string]*branch{}
			}
			if b.members[s.Key] == nil {
				b.members[s.Key] = next
			}
			b = b.members[s.Key]
		case Element:
			if s.Index < 0 { // known only at the end
				b.all = true
				return next
			}
			if b.at == nil {
				b.at = map[int]*branch{}
			}
			if b.at[s.Index] == nil {
				b.at[s.Index] = next
			}
			b = b.at[s.Index]
		case Each:
			if b.each == nil {
				b.each = next
			}
			b = b.each
		}
	}
	return b
}

// tally counts in a value that was read whole.
func (b *branch) tally(v any) {
	switch v := v.(type) {
	case []any:
		for _, c := range b.counts {
			*c = len(v)
		}
		for i, next := range b.at {
			if i < len(v) {
				next.tally(v[i])
			}
		}
	case map[string]any:
		for k, next := range b.members {
			next.tally(v[k])
		}
	}
}

// below are the branches that a member or element leads to.
func below(bs []*branch, pick func(*branch) *branch) []*branch {
	var out []*branch
	for _, b := range bs {
		if n := pick(b); n != nil {
			out = append(out, n)
		}
		if b.each != nil {
			out = append(out, b.each)
		}
	}
	return out
}

func (r *reader) project(bs ...*branch) (any, error) {
	if len(bs) == 0 {
		return nil, r.skip()
	}
	for _, b := range bs {
		if b.all {
			v, _, err := r.value()
			for _, b := range bs {
				b.tally(v)
			}
			return v, err
		}
	}
	if k := r.dec.PeekKind(); k != '{' && k != '[' { // a plain value, which may be text that holds JSON
		v, _, err := r.value()
		return v, err
	}
	d, err := r.open()
	if err != nil {
		return nil, err
	}
	switch d {
	case '{':
		m := map[string]any{}
		for r.more() {
			k, err := r.key()
			if err != nil {
				return nil, err
			}
			next := below(bs, func(b *branch) *branch { return b.members[k] })
			v, err := r.project(next...)
			if err != nil {
				return nil, err
			}
			if len(next) > 0 {
				m[k] = v
			}
		}
		err = r.shut()
		return m, err
	case '[':
		var a []any
		n, last := 0, lastOf(bs)
		for ; r.more(); n++ {
			v, err := r.project(below(bs, func(b *branch) *branch { return b.at[n] })...)
			if err != nil {
				return nil, err
			}
			if n <= last {
				a = append(a, v)
			}
		}
		for _, b := range bs {
			for _, c := range b.counts {
				*c = n
			}
		}
		err = r.shut()
		return a, err
	}
	return nil, nil
}

// lastOf is the last element that is asked for.
func lastOf(bs []*branch) int {
	last := -1
	for _, b := range bs {
		if b.each != nil {
			return int(^uint(0) >> 1)
		}
		for i := range b.at {
			last = max(last, i)
		}
	}
	return last
}

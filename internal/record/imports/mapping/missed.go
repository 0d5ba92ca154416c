package mapping

import (
	"maps"
	"slices"
	"strings"

	"aircheck/internal/kit/nearest"
	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/ledger"
)

// Miss is a place that a mapping reads and at which no record has a value: a
// mistyped one, or one that this source has nothing for.
type Miss struct {
	Path string
	For  string // the column, or the key of the mapping
	Near string // a place that the records have, "" for none like it
}

// String tells of a place, and of the one that may have been meant.
func (m Miss) String() string {
	s := "no record has a value at " + m.Path + ", which " + m.For + " reads"
	if m.Near != "" {
		s += "; the nearest place is " + m.Near
	}
	return s
}

// Missed lists the places at which no record of the files has a value.
func (m *Mapping) Missed(files []*ledger.File) []Miss {
	found, members, read := map[string]bool{}, []string(nil), false
	for _, f := range files {
		maps.Copy(found, f.Found)
		if members == nil {
			members = f.Members
		}
		read = read || f.Found != nil
	}
	if !read {
		return nil
	}
	var out []Miss
	add := func(what string, s *Source) {
		for _, p := range s.missed(found) {
			miss := Miss{Path: p.String(), For: what}
			if !p.Root && p.Up == 0 && !slices.Contains(members, p.String()) {
				miss.Near = nearest.Likely(p.String(), members)
			}
			if !slices.Contains(out, miss) {
				out = append(out, miss)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Fields)) {
		add(name, &m.Fields[name].Source)
	}
	for i := range m.Skip {
		m.Skip[i].When.sources(func(s *Source) { add("skip", s) })
	}
	for i := range m.Failures {
		f := &m.Failures[i]
		f.When.sources(func(s *Source) { add("failures", s) })
		add("failures", &f.Error.Source)
		if f.Status != nil {
			add("failures", &f.Status.Source)
		}
	}
	return out
}

// missed are the paths of an expression without a value. Of alternatives it is
// enough that one has one.
func (e *Source) missed(found map[string]bool) []*jsonstream.Path {
	var out []*jsonstream.Path
	if e.Path != nil && !found[e.Path.String()] {
		out = append(out, e.Path)
	}
	var alternatives []*jsonstream.Path
	for _, x := range e.First {
		m := x.missed(found)
		if len(m) == 0 {
			alternatives = nil
			break
		}
		alternatives = append(alternatives, m...)
	}
	out = append(out, alternatives...)
	for _, x := range e.parts()[len(e.First):] {
		out = append(out, x.missed(found)...)
	}
	if e.When != nil {
		e.When.sources(func(s *Source) { out = append(out, s.missed(found)...) })
	}
	return out
}

// sources calls f with every value that a condition tests.
func (c *Cond) sources(f func(*Source)) {
	f(&c.Source)
	for _, x := range c.nested() {
		x.sources(f)
	}
}

// sought are the paths that are read from records.
func (m *Mapping) sought() []*jsonstream.Path {
	var out []*jsonstream.Path
	m.everyPath(func(p *jsonstream.Path) { out = append(out, p) })
	return out
}

// seek notes at which places the record has a value.
func (r *reading) seek(s *scope) {
	if len(r.sought) == 0 && r.account.Found != nil {
		return
	}
	if r.account.Found == nil {
		r.account.Found = map[string]bool{}
		r.account.Members = places(s.record, "", 3)
	}
	r.sought = slices.DeleteFunc(r.sought, func(p *jsonstream.Path) bool {
		has := !nothing(s.lookup(p))
		if has {
			r.account.Found[p.String()] = true
		}
		return has
	})
}

// places lists the paths of a record's plain values, so many members deep.
func places(v any, at string, depth int) []string {
	members, is := v.(map[string]any)
	if !is || depth == 0 {
		if at == "" {
			return nil
		}
		return []string{at}
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(members)) {
		step := k
		if strings.ContainsAny(k, ".[ ") {
			step = `"` + k + `"`
		}
		if at != "" {
			step = at + "." + step
		}
		out = append(out, places(members[k], step, depth-1)...)
	}
	return out
}

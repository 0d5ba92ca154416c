// Package mapping reads files that hold one record a request (JSON, JSONL, CSV,
// Parquet) as requests. What a file's values mean is said by a mapping, which
// is a YAML file, not code.
//
//	name: thefastest
//	records: $[*].results[*]
//	fields:
//	  model_id: model
//	  reported_ttft_ns: {path: ttft, unit: s}
//	  window: ^time
//
// Files are streamed: no more of one is held than a record, what stands above
// it and is asked for, and, of Parquet, a batch of rows.
package mapping

import (
	"maps"
	"slices"
	"strings"

	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/rules/names"
)

// Mapping says how the records of a file become requests.
type Mapping struct {
	yamlx.Pos `yaml:"-"`
	Text      string `yaml:"-"` // the mapping as read
	Zone      string `yaml:"-"` // of local times whose zone is given: what the user states

	Name  string `yaml:"name"`  // of the format; rows have origin imported:<name>
	About string `yaml:"about"` // what the files are and where they come from

	// Format is json, jsonl, csv or parquet; told by the file where empty.
	Format    string `yaml:"format"`
	Delimiter string `yaml:"delimiter"` // of CSV; a tab for .tsv, else a comma
	// Records are the paths of a JSON document at which the records stand. The
	// default is the elements of the document, or the document itself.
	Records yamlx.List[jsonstream.Path] `yaml:"records"`
	// Columns makes records of lists that stand side by side in a JSON
	// document: record i has member k with element i of the list at columns[k].
	Columns map[string]jsonstream.Path `yaml:"columns"`
	// Flatten names what makes records of documents that paths cannot enter.
	Flatten string `yaml:"flatten"`
	// Context tells lines of JSONL that are no record but speak for those that
	// follow: such a line is their ^.
	Context *Cond `yaml:"context"`
	// FileName takes named groups out of the file's base name; the first
	// expression that matches counts.
	FileName yamlx.List[pattern] `yaml:"file_name"`

	// KnownBy is what tells the format's files from all others, of the document,
	// of one of the first lines, or of the columns of a table (each is true).
	KnownBy *Cond `yaml:"known_by"`

	// Beside are other files that the tool writes next to its results.
	Beside []Check `yaml:"beside"`

	Expect []Check `yaml:"expect"` // conditions on the first record, without which the file is of another kind
	Refuse []Check `yaml:"refuse"` // conditions on the document by which the file is known to be of another kind
	Skip   []Check `yaml:"skip"`   // records that are no requests

	Fields   map[string]*Expr `yaml:"fields"` // by column of the table requests
	Failures []Failure        `yaml:"failures"`
	// Clear are values that a record states and that do not mean what they say.
	Clear []Clearing `yaml:"clear"`
	// Unplaced says why rows without a start have none: the source has times of a
	// clock that counts from nowhere in the calendar.
	Unplaced string `yaml:"unplaced"`
	// Unproven says that the mapping is made from documentation, and has not met a
	// file that the source wrote.
	Unproven bool `yaml:"unproven"`
	// Unique are the columns by which a request is known: where a source repeats
	// itself, it is taken once. Without them only the same file is not taken twice.
	Unique []string `yaml:"unique"`

	Aliases *names.Aliases `yaml:"aliases"`

	order []field // of Fields, by name: the first fault of a record is always the same
}

// field is a column and where its value comes from.
type field struct {
	name   string
	column *column
	expr   *Expr
}

// Check is a condition and what it means.
type Check struct {
	When   Cond   `yaml:"when"`
	Reason string `yaml:"reason"`
}

// Failure is a condition by which a request failed.
type Failure struct {
	When Cond `yaml:"when"`
	// Error becomes reported_error.
	Error *Expr `yaml:"error"`
	// Status becomes http_status, where the source tells one by its error.
	Status *Expr `yaml:"http_status"`
	// Clear are columns in which such a record has no value, whatever stands there.
	Clear []string `yaml:"clear"`
}

// Clearing is a condition under which columns have no value.
type Clearing struct {
	When    Cond     `yaml:"when"`
	Columns []string `yaml:"columns"`
	Reason  string   `yaml:"reason"`
}

var formats = []string{"json", "jsonl", "csv", "parquet"}

// Load reads a mapping file.
func Load(path string) (*Mapping, error) {
	data, err := yamlx.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(data, path)
}

// Parse reads a mapping. name is the file's name as faults should state it. The
// error is a yamlx.Errors with every fault.
func Parse(data []byte, name string) (*Mapping, error) {
	m := &Mapping{Text: string(data)}
	if err := yamlx.Decode(data, name, m); err != nil {
		return nil, err
	}
	var errs yamlx.Errors
	m.check(func(p yamlx.Pos, format string, args ...any) {
		p.Name = name
		errs = append(errs, p.Errorf(format, args...))
	})
	if len(errs) > 0 {
		slices.SortStableFunc(errs, func(a, b *yamlx.Error) int { return a.Line - b.Line })
		return nil, errs
	}
	for _, name := range slices.Sorted(maps.Keys(m.Fields)) {
		m.order = append(m.order, field{name, columns[name], m.Fields[name]})
	}
	return m, nil
}

func (m *Mapping) check(fail func(yamlx.Pos, string, ...any)) {
	if m.Name == "" {
		fail(m.Pos, "a mapping wants a name")
	} else if strings.ContainsAny(m.Name, " :/\\\n") {
		fail(m.Pos, "name %q: want one word", m.Name)
	}
	if m.Format != "" && !slices.Contains(formats, m.Format) {
		fail(m.Pos, "format %q: want one of %s", m.Format, strings.Join(formats, ", "))
	}
	if len([]rune(m.Delimiter)) > 1 {
		fail(m.Pos, "delimiter %q: want one character", m.Delimiter)
	}
	if m.Flatten != "" && flatteners[m.Flatten] == nil {
		fail(m.Pos, "flatten %q: want %s", m.Flatten, strings.Join(slices.Sorted(maps.Keys(flatteners)), " or "))
	}
	if m.Flatten != "" && (m.Records != nil || m.Columns != nil) {
		fail(m.Pos, "a mapping has flatten, records or columns, one of them")
	}
	if m.Records != nil && m.Columns != nil {
		fail(m.Pos, "a mapping has records or columns, not both")
	}
	for _, p := range m.Records {
		m.checkPlace(fail, "records", p)
	}
	for k, p := range m.Columns {
		m.checkPlace(fail, "columns: "+k, p)
		for _, s := range p.Steps {
			if s.Kind == jsonstream.Each || s.Index < 0 {
				fail(m.Pos, "columns: %s: %s: want a path to one list", k, p)
			}
		}
	}
	if len(m.Fields) == 0 {
		fail(m.Pos, "a mapping wants fields")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Fields)) {
		e := m.Fields[name]
		c := columns[name]
		if e == nil {
			fail(m.Pos, "fields: %s is empty", name)
			continue
		}
		if c == nil {
			m.checkColumn(fail, e.Pos, name)
			continue
		}
		e.check(fail, c.unit == "ns")
	}
	for _, list := range [][]Check{m.Beside, m.Expect, m.Refuse, m.Skip} {
		for i := range list {
			list[i].When.check(fail)
			if list[i].Reason == "" {
				fail(list[i].When.Pos, "a condition wants a reason")
			}
		}
	}
	for i := range m.Failures {
		f := &m.Failures[i]
		f.When.check(fail)
		if f.Error == nil {
			fail(f.When.Pos, "a failure wants an error")
		} else {
			f.Error.check(fail, false)
		}
		if f.Status != nil {
			f.Status.check(fail, false)
		}
		for _, name := range f.Clear {
			m.checkColumn(fail, f.When.Pos, name)
		}
	}
	for i := range m.Clear {
		c := &m.Clear[i]
		c.When.check(fail)
		if c.Reason == "" || len(c.Columns) == 0 {
			fail(c.When.Pos, "clear wants columns and a reason")
		}
		for _, name := range c.Columns {
			m.checkColumn(fail, c.When.Pos, name)
		}
	}
	for _, name := range m.Unique {
		m.checkColumn(fail, m.Pos, name)
	}
	for _, c := range []*Cond{m.Context, m.KnownBy} {
		if c != nil {
			c.check(fail)
		}
	}
	if m.Aliases != nil {
		if _, err := names.NewResolver(m.Aliases); err != nil {
			fail(m.Pos, "%v", err)
		}
	}
}

func (m *Mapping) checkPlace(fail func(yamlx.Pos, string, ...any), what string, p jsonstream.Path) {
	if p.Up > 0 {
		fail(m.Pos, "%s: %s: want a path from the root of the document", what, p)
	}
}

func (m *Mapping) checkColumn(fail func(yamlx.Pos, string, ...any), at yamlx.Pos, name string) {
	if columns[name] != nil {
		return
	}
	if slices.Contains(reserved, name) {
		fail(at, "column %s is the dataset's own", name)
		return
	}
	if near := nearest.Likely(name, Columns()); near != "" {
		fail(at, "unknown column %q; the nearest is %q", name, near)
		return
	}
	fail(at, "unknown column %q; docs/schema.md lists the columns of requests", name)
}

// outline lists the paths of the document that the mapping reads outside of
// records, for records at a given path.
func (m *Mapping) outline(records []jsonstream.Step) [][]jsonstream.Step {
	var want [][]jsonstream.Step
	objects := prefixes(records)
	add := func(p *jsonstream.Path) {
		switch {
		case p.Root:
			want = append(want, p.Steps)
		case p.Up > 0 && p.Up <= len(objects):
			base := objects[len(objects)-p.Up]
			want = append(want, append(base[:len(base):len(base)], p.Steps...))
		}
	}
	m.everyPath(add)
	for i := range m.Refuse { // whose record is the document
		m.Refuse[i].When.paths(func(p *jsonstream.Path) { want = append(want, p.Steps) })
	}
	return want
}

// everyPath calls f with each path that is read from a record.
func (m *Mapping) everyPath(f func(*jsonstream.Path)) {
	for _, e := range m.Fields {
		e.paths(f)
	}
	for _, list := range [][]Check{m.Expect, m.Skip} {
		for i := range list {
			list[i].When.paths(f)
		}
	}
	for i := range m.Clear {
		m.Clear[i].When.paths(f)
	}
	for i := range m.Failures {
		x := &m.Failures[i]
		x.When.paths(f)
		x.Error.paths(f)
		if x.Status != nil {
			x.Status.paths(f)
		}
	}
}

// memberPaths are the places of a line that the mapping reads, whether as a record
// or as what speaks for others.
func (m *Mapping) memberPaths() [][]jsonstream.Step {
	if m.Flatten != "" {
		return [][]jsonstream.Step{nil}
	}
	var out [][]jsonstream.Step
	add := func(p *jsonstream.Path) { out = append(out, p.Steps) }
	m.everyPath(add)
	for i := range m.Refuse {
		m.Refuse[i].When.paths(add)
	}
	if m.Context != nil {
		m.Context.paths(add)
	}
	for _, p := range m.Columns {
		add(&p)
	}
	return out
}

// prefixes are the paths of the objects that enclose what stands at a path,
// outermost first.
func prefixes(steps []jsonstream.Step) [][]jsonstream.Step {
	var out [][]jsonstream.Step
	for i, s := range steps {
		if s.Kind == jsonstream.Member {
			out = append(out, steps[:i:i])
		}
	}
	return out
}

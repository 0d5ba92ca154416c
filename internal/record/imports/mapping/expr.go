package mapping

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/imports/jsonstream"
)

// Expr says where a value comes from and what becomes of it, in this order:
// source, null, match, map, unit or time, times, plus, minus. `ttft` alone
// means {path: ttft}. A value that is not there stays NULL through all of it.
type Expr struct{ Source }

// Source is what expressions and conditions have in common.
type Source struct {
	yamlx.Pos `yaml:"-"`

	// Sources: exactly one.
	Path   *jsonstream.Path `yaml:"path"`   // a place in the record, or above it
	File   string           `yaml:"file"`   // a named group of file_name
	Const  any              `yaml:"const"`  // the value itself
	First  []*Expr          `yaml:"first"`  // the first that has a value
	Sum    *Expr            `yaml:"sum"`    // of a list of numbers, NULLs left out; NULL for an empty one
	Join   []*Expr          `yaml:"join"`   // texts, joined by with; NULLs left out
	Object map[string]*Expr `yaml:"object"` // a JSON object; NULLs left out

	With  string          `yaml:"with"`
	Null  yamlx.List[any] `yaml:"null"`  // values that mean "no value"
	Match *pattern        `yaml:"match"` // the first group of the expression, NULL where it does not match
	Map   map[string]any  `yaml:"map"`   // what a text stands for, NULL where it is not listed
	Unit  string          `yaml:"unit"`  // of a duration: s, ms, us, ns, min; gives nanoseconds
	Time  string          `yaml:"time"`  // of a moment: unix (with unit), rfc3339, or a Go layout; gives nanoseconds since 1970
	Zone  string          `yaml:"zone"`  // of a layout that has none: UTC, +02:00, an IANA name, or given: what the user states
	Times *float64        `yaml:"times"`
	Plus  *Expr           `yaml:"plus"`
	Minus *Expr           `yaml:"minus"`
	When  *Cond           `yaml:"when"` // NULL unless it holds
}

// UnmarshalYAML reads an expression, or a path alone.
func (e *Expr) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		p, err := jsonstream.ParsePath(n.Value)
		if err != nil {
			return yamlx.Errorf(n, "%v", err)
		}
		e.Path = &p
		e.Pos = yamlx.Pos{Line: n.Line, Column: n.Column}
		return nil
	}
	return yamlx.DecodeNode(n, &e.Source)
}

// pattern is a regular expression in a mapping file.
type pattern struct{ *regexp.Regexp }

func (p *pattern) UnmarshalText(text []byte) (err error) {
	p.Regexp, err = regexp.Compile(string(text))
	return err
}

var units = map[string]int64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9}

// scope is what expressions see.
type scope struct {
	record any
	above  []any // the objects around the record, outermost first
	root   any
	file   map[string]string

	given          string // zone that the user states for local times of the source
	unplaced       bool   // a local time just read has no zone
	noNumber       bool   // a number just read is NaN or infinite
	skipped, twice string // the zone, if a local time just read does not exist there, or exists twice
}

func (s *scope) lookup(p *jsonstream.Path) any {
	from := s.record
	switch {
	case p.Root:
		from = s.root
	case p.Up > len(s.above):
		return nil
	case p.Up > 0:
		from = s.above[len(s.above)-p.Up]
	}
	return jsonstream.Lookup(from, p.Steps)
}

func (e *Source) eval(s *scope) (any, error) {
	if e.When != nil {
		holds, err := e.When.holds(s)
		if err != nil || !holds {
			return nil, err
		}
	}
	v, err := e.from(s)
	if err != nil || v == nil {
		return nil, err
	}
	for _, n := range e.Null {
		if equal(v, n) {
			return nil, nil
		}
	}
	if e.Match != nil {
		t, _ := text(v)
		m := e.Match.FindStringSubmatch(t)
		if len(m) < 2 || m[1] == "" {
			return nil, nil
		}
		v = m[1]
	}
	if e.Map != nil {
		t, _ := text(v)
		if v = e.Map[t]; v == nil {
			return nil, nil
		}
	}
	if v, err = e.quantity(v, s); err != nil || v == nil {
		return nil, err
	}
	if e.Plus != nil {
		if v, err = combine(v, e.Plus, s, 1); err != nil || v == nil {
			return nil, err
		}
	}
	if e.Minus != nil {
		return combine(v, e.Minus, s, -1)
	}
	return v, nil
}

// from reads the source.
func (e *Source) from(s *scope) (any, error) {
	switch {
	case e.Path != nil:
		return s.lookup(e.Path), nil
	case e.File != "":
		if v := s.file[e.File]; v != "" {
			return v, nil
		}
		return nil, nil
	case e.First != nil:
		var empty any // "" where there is no more than that: the text of an answer may be
		for _, x := range e.First {
			v, err := x.eval(s)
			if err != nil || !nothing(v) {
				return v, err
			}
			if empty == nil {
				empty = v
			}
		}
		return empty, nil
	case e.Sum != nil:
		return e.sum(s)
	case e.Join != nil:
		var parts []string
		for _, x := range e.Join {
			v, err := x.eval(s)
			if err != nil {
				return nil, err
			}
			if t, _ := text(v); t != "" {
				parts = append(parts, t)
			}
		}
		if len(parts) == 0 {
			return nil, nil
		}
		return strings.Join(parts, e.With), nil
	case e.Object != nil:
		m := map[string]any{}
		for k, x := range e.Object {
			v, err := x.eval(s)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k, err)
			}
			if v != nil {
				m[k] = v
			}
		}
		if len(m) == 0 {
			return nil, nil
		}
		b, err := json.Marshal(m)
		return string(b), err
	}
	return e.Const, nil
}

// sum adds the numbers of a list, exactly where they are whole.
func (e *Source) sum(s *scope) (any, error) {
	v, err := e.Sum.eval(s)
	list, ok := v.([]any)
	if err != nil || v == nil || ok && len(list) == 0 {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s is no list", short(v))
	}
	whole, total, exact, n := int64(0), 0.0, true, 0
	for i, x := range list {
		if x == nil {
			continue
		}
		f, ok := float(x)
		if !ok {
			return nil, fmt.Errorf("element %d, %s, is no number", i, short(x))
		}
		k, is := x.(int64)
		whole, total, exact, n = whole+k, total+f, exact && is, n+1
	}
	switch {
	case n == 0:
		return nil, nil
	case exact:
		return whole, nil
	}
	return total, nil
}

// given is the zone that the user states.
const given = "given"

// quantity applies time, unit and times; lists element by element.
func (e *Source) quantity(v any, s *scope) (any, error) {
	if t, is := v.(string); is && e.Unit != "" && strings.HasPrefix(strings.TrimSpace(t), "[") {
		v = jsonstream.Enter(t) // a list as text
	}
	if list, ok := v.([]any); ok && e.Unit != "" && e.Time == "" {
		out := make([]any, len(list))
		for i, x := range list {
			if x == nil {
				continue
			}
			var err error
			if out[i], err = e.quantity(x, s); err != nil {
				return nil, fmt.Errorf("element %d: %w", i, err)
			}
		}
		return out, nil
	}
	if t, ok := literal(v); ok && t == "" && (e.Time == "" || e.Time == "unix") && (e.Unit != "" || e.Times != nil) {
		s.noNumber = true
		return nil, nil
	}
	switch {
	case e.Time != "":
		return e.moment(v, s)
	case e.Unit != "":
		return inNs(v, e.Unit)
	case e.Times != nil:
		f, ok := float(v)
		if !ok {
			return nil, fmt.Errorf("%s is no number", short(v))
		}
		return f * *e.Times, nil
	}
	return v, nil
}

func inNs(v any, unit string) (any, error) {
	if t, is := v.(string); is && strings.TrimSpace(t) == "" {
		return nil, nil
	}
	t, ok := literal(v)
	if !ok {
		return nil, fmt.Errorf("%s is no number", short(v))
	}
	if t == "" {
		return nil, nil
	}
	return scaled(t, units[unit])
}

func (e *Source) moment(v any, s *scope) (any, error) {
	if e.Time == "unix" {
		return inNs(v, e.Unit)
	}
	t, _ := text(v)
	if strings.TrimSpace(t) == "" {
		return nil, nil
	}
	var at time.Time
	var err error
	name := e.Zone
	if name == given {
		if name = s.given; name == "" {
			s.unplaced = true
			return nil, nil
		}
	}
	if e.Time == "rfc3339" {
		at, err = time.Parse(time.RFC3339, t)
	} else {
		zone := time.UTC
		if name != "" {
			if zone, err = zoneOf(name); err != nil {
				return nil, err
			}
		}
		at, err = time.ParseInLocation(e.Time, t, zone)
	}
	if err != nil {
		return nil, fmt.Errorf("%s is no time in the form %s", short(v), e.Time)
	}
	if e.Zone == "" || strings.Contains(e.Time, "07") || strings.Contains(e.Time, "MST") {
		return at.UnixNano(), nil // its zone is stated
	}
	wall, err := time.Parse(e.Time, t)
	if err != nil {
		return nil, err
	}
	moments := momentsOf(wall, at.Location())
	switch len(moments) {
	case 0:
		s.skipped = name
		return nil, nil
	case 2:
		s.twice = name
	}
	return moments[0].UnixNano(), nil
}

// momentsOf are the moments at which the clocks of a zone show a time: none if
// they skip it, two if they are set back over it.
func momentsOf(wall time.Time, zone *time.Location) []time.Time {
	var out []time.Time
	for _, near := range []time.Duration{-24 * time.Hour, 24 * time.Hour} { // the offsets before and after a change
		_, offset := wall.Add(near).In(zone).Zone()
		at := wall.Add(-time.Duration(offset) * time.Second)
		if _, there := at.In(zone).Zone(); there == offset && !slices.ContainsFunc(out, at.Equal) {
			out = append(out, at)
		}
	}
	return out
}

var offset = regexp.MustCompile(`^([+-])(\d\d):?(\d\d)$`)

func zoneOf(name string) (*time.Location, error) {
	if m := offset.FindStringSubmatch(name); m != nil {
		h, _ := strconv.Atoi(m[2])
		min, _ := strconv.Atoi(m[3])
		secs := h*3600 + min*60
		if m[1] == "-" {
			secs = -secs
		}
		return time.FixedZone(name, secs), nil
	}
	return time.LoadLocation(name)
}

// Zone says whether a zone is known: an offset, UTC or an IANA name.
func Zone(name string) bool {
	_, err := zoneOf(name)
	return err == nil
}

// combine adds or subtracts; NULL where either side is.
func combine(v any, x *Expr, s *scope, sign int64) (any, error) {
	w, err := x.eval(s)
	if err != nil || w == nil {
		return nil, err
	}
	if a, ok := v.(int64); ok {
		if b, ok := w.(int64); ok {
			return a + sign*b, nil
		}
	}
	a, oka := float(v)
	b, okb := float(w)
	if !oka || !okb {
		return nil, fmt.Errorf("%s and %s are not both numbers", short(v), short(w))
	}
	return a + float64(sign)*b, nil
}

// paths calls f with every path in the expression.
func (e *Source) paths(f func(*jsonstream.Path)) {
	if e.Path != nil {
		f(e.Path)
	}
	for _, x := range e.parts() {
		x.paths(f)
	}
	if e.When != nil {
		e.When.paths(f)
	}
}

func (e *Source) parts() []*Expr {
	var out []*Expr
	out = append(out, e.First...)
	out = append(out, e.Join...)
	for _, x := range e.Object {
		out = append(out, x)
	}
	for _, x := range []*Expr{e.Sum, e.Plus, e.Minus} {
		if x != nil {
			out = append(out, x)
		}
	}
	return out
}

// check finds faults of the expression itself. in says what a column needs of
// it: "ns" when its value is to be nanoseconds.
func (e *Source) check(fail func(yamlx.Pos, string, ...any), needNs bool) {
	n := 0
	for _, given := range []bool{e.Path != nil, e.File != "", e.Const != nil, e.First != nil, e.Sum != nil, e.Join != nil, e.Object != nil} {
		if given {
			n++
		}
	}
	if n != 1 {
		fail(e.Pos, "want exactly one of path, file, const, first, sum, join and object, got %d", n)
	}
	if e.Unit != "" && units[e.Unit] == 0 {
		fail(e.Pos, "unit %q: want s, ms, us, ns or min", e.Unit)
	}
	if e.Match != nil && e.Match.NumSubexp() < 1 {
		fail(e.Pos, "match %q: want a group in parentheses, which is what is taken", e.Match)
	}
	switch {
	case e.Time == "unix" && e.Unit == "":
		fail(e.Pos, "time: unix wants a unit: s, ms, us or ns")
	case e.Time != "" && e.Time != "unix" && e.Unit != "":
		fail(e.Pos, "time: %s has no unit", e.Time)
	case e.Time != "" && e.Time != "unix" && e.Time != "rfc3339" && e.Zone == "" && !strings.Contains(e.Time, "Z07") && !strings.Contains(e.Time, "-07"):
		fail(e.Pos, "time: the form %q has no zone: state it with zone", e.Time)
	}
	if e.Zone != "" && e.Zone != given {
		if _, err := zoneOf(e.Zone); err != nil {
			fail(e.Pos, "zone %q: want UTC, an offset such as +02:00, an IANA name, or given", e.Zone)
		}
	}
	placed := e.Unit != "" || e.Time != ""
	inner := needNs && !placed && e.First != nil
	if needNs && !placed && e.First == nil && e.Const == nil && e.Sum == nil {
		fail(e.Pos, "the column is in nanoseconds: state the source's unit, or its time form")
	}
	for _, x := range e.First {
		x.check(fail, inner)
	}
	if e.Sum != nil {
		e.Sum.check(fail, needNs && !placed)
	}
	for _, x := range e.Join {
		x.check(fail, false)
	}
	for _, x := range e.Object {
		x.check(fail, false)
	}
	for _, x := range []*Expr{e.Plus, e.Minus} {
		if x != nil {
			x.check(fail, needNs)
		}
	}
	if e.When != nil {
		e.When.check(fail)
	}
}

package yamlx

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/nearest"
)

func decodeNode(n *yaml.Node, name string, into any) error {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return fmt.Errorf("decode YAML: into must be a non-nil pointer, got %T", into)
	}
	d := decoder{name: name}
	d.value(n, v.Elem())
	if len(d.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(d.errs, func(a, b *Error) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return d.errs
}

// decoder walks nodes and values side by side. yaml/v3 decodes the scalars;
// the walk over mappings and sequences is ours, since its errors know no
// column and its strict mode no neighbouring keys.
type decoder struct {
	name  string
	errs  Errors
	depth int
}

func (d *decoder) fail(n *yaml.Node, format string, args ...any) {
	d.errs = append(d.errs, Pos{Name: d.name, Line: n.Line, Column: n.Column}.Errorf(format, args...))
}

func (d *decoder) adopt(n *yaml.Node, err error) {
	for _, e := range faults(err, n) {
		if e.Name == "" {
			e.Name = d.name
		}
		d.errs = append(d.errs, e)
	}
}

var (
	posType      = reflect.TypeFor[Pos]()
	durationType = reflect.TypeFor[time.Duration]()
	nodeType     = reflect.TypeFor[yaml.Node]()
)

func (d *decoder) value(n *yaml.Node, v reflect.Value) {
	// An alias can hold itself; real files nest a few levels.
	if d.depth++; d.depth > 100 {
		d.fail(n, "nested too deeply")
		return
	}
	defer func() { d.depth-- }()
	switch {
	case n.Kind == yaml.DocumentNode:
		d.value(n.Content[0], v)
		return
	case n.Kind == yaml.AliasNode:
		d.value(n.Alias, v)
		return
	case v.Type() == nodeType:
		v.Set(reflect.ValueOf(*n))
		return
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		return
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		d.value(n, v.Elem())
		return
	}
	switch u := v.Addr().Interface().(type) {
	case yaml.Unmarshaler:
		if err := u.UnmarshalYAML(n); err != nil {
			d.adopt(n, err)
		}
		return
	case encoding.TextUnmarshaler:
		if n.Kind != yaml.ScalarNode {
			d.fail(n, "wants a single value, got %s", kindOf(n))
		} else if err := u.UnmarshalText([]byte(n.Value)); err != nil {
			d.adopt(n, err)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.structure(n, v)
	case reflect.Map:
		d.mapping(n, v)
	case reflect.Slice:
		d.list(n, v)
	case reflect.Interface:
		if err := n.Decode(v.Addr().Interface()); err != nil {
			d.adopt(n, err)
		}
	default:
		if n.Kind != yaml.ScalarNode {
			d.fail(n, "wants %s, got %s", wants(v.Type()), kindOf(n))
		} else if err := n.Decode(v.Addr().Interface()); err != nil {
			d.fail(n, "wants %s, got %q", wants(v.Type()), n.Value)
		} else if fraction(n, v) {
			d.fail(n, "wants a whole number, got %q", n.Value)
		} else if v.CanFloat() && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)) {
			d.fail(n, "wants a finite number, got %q", n.Value)
		}
	}
}

// fraction reports whether a number with a fraction was read into an integer,
// which yaml/v3 cuts silently.
func fraction(n *yaml.Node, v reflect.Value) bool {
	var f float64
	if !(v.CanInt() || v.CanUint()) || v.Type() == durationType || n.ShortTag() != "!!float" || n.Decode(&f) != nil {
		return false
	}
	return f != math.Trunc(f)
}

func (d *decoder) list(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.SequenceNode {
		d.fail(n, "wants a list, got %s", kindOf(n))
		return
	}
	out := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, c := range n.Content {
		d.value(c, out.Index(i))
	}
	v.Set(out)
}

func (d *decoder) mapping(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, "wants a mapping, got %s", kindOf(n))
		return
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	d.pairs(n, func(key, val *yaml.Node) {
		k := reflect.New(v.Type().Key()).Elem()
		d.value(key, k)
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(val, e)
		v.SetMapIndex(k, e)
	})
}

func (d *decoder) structure(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, "wants a mapping with keys such as %q, got %s", first(keys(v.Type())), kindOf(n))
		return
	}
	fields := map[string]reflect.Value{}
	d.collect(n, v, fields)
	d.pairs(n, func(key, val *yaml.Node) {
		f, ok := fields[key.Value]
		if !ok {
			d.fail(key, "unknown key %q; %s", key.Value, nearest.Or("key", key.Value, keys(v.Type())))
			return
		}
		d.value(val, f)
	})
}

// pairs visits the keys of a mapping, its own before those that it merges in
// with `<<`, and names keys that are written twice.
func (d *decoder) pairs(n *yaml.Node, visit func(key, val *yaml.Node)) {
	taken := map[string]bool{}
	// A mapping adds nothing the second time, and might merge itself.
	done := map[*yaml.Node]bool{}
	var from func(n *yaml.Node)
	from = func(n *yaml.Node) {
		switch {
		case done[n]:
			return
		case n.Kind == yaml.AliasNode:
			from(n.Alias)
			return
		case n.Kind == yaml.SequenceNode:
			done[n] = true
			for _, c := range n.Content {
				from(c)
			}
			return
		case n.Kind != yaml.MappingNode:
			d.fail(n, "<< wants a mapping or a list of them, got %s", kindOf(n))
			return
		}
		done[n] = true
		var merged []*yaml.Node
		own := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, val := n.Content[i], n.Content[i+1]
			if key.Tag == "!!merge" {
				merged = append(merged, val)
				continue
			}
			if line, twice := own[key.Value]; twice {
				d.fail(key, "key %q is already set on line %d", key.Value, line)
				continue
			}
			own[key.Value] = key.Line
			if !taken[key.Value] {
				taken[key.Value] = true
				visit(key, val)
			}
		}
		for _, m := range merged {
			from(m)
		}
	}
	from(n)
}

// collect gathers the settable fields of a struct by key, inlined structs
// included, and sets its Pos fields.
func (d *decoder) collect(n *yaml.Node, v reflect.Value, into map[string]reflect.Value) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type == posType && f.IsExported() {
			v.Field(i).Set(reflect.ValueOf(Pos{d.name, n.Line, n.Column, n}))
			continue
		}
		switch key, inline := keyOf(f); {
		case inline:
			d.collect(n, v.Field(i), into)
		case key != "":
			into[key] = v.Field(i)
		}
	}
}

// keys lists the keys of a struct type in declaration order.
func keys(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		switch key, inline := keyOf(t.Field(i)); {
		case inline:
			out = append(out, keys(t.Field(i).Type)...)
		case key != "":
			out = append(out, key)
		}
	}
	return out
}

func keyOf(f reflect.StructField) (key string, inline bool) {
	if !f.IsExported() || f.Type == posType {
		return "", false
	}
	name, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	switch {
	case name == "-":
		return "", false
	case strings.Contains(opts, "inline"):
		return "", true
	case name == "":
		return strings.ToLower(f.Name), false
	}
	return name, false
}

func wants(t reflect.Type) string {
	switch {
	case t == durationType:
		return "a duration such as 30s"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Float64, t.Kind() == reflect.Float32:
		return "a number"
	}
	return "a whole number"
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return fmt.Sprintf("%q", n.Value)
}

func first(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[0]
}

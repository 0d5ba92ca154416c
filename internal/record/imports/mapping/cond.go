package mapping

import (
	"slices"
	"strings"

	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/imports/jsonstream"
)

// Cond is something that holds of a record or does not: every test stated of
// one value, or a combination of conditions.
type Cond struct {
	Source `yaml:",inline"`

	Is      string          `yaml:"is"` // null, value, number, text, list or object
	Equals  any             `yaml:"equals"`
	In      yamlx.List[any] `yaml:"in"`
	Less    *float64        `yaml:"less"`
	More    *float64        `yaml:"more"`
	Matches *pattern        `yaml:"matches"`

	All []*Cond `yaml:"all"`
	Any []*Cond `yaml:"any"`
	Not *Cond   `yaml:"not"`
}

var kinds = []string{"null", "value", "number", "text", "list", "object"}

func (c *Cond) holds(s *scope) (bool, error) {
	switch {
	case c.All != nil:
		for _, x := range c.All {
			if ok, err := x.holds(s); err != nil || !ok {
				return false, err
			}
		}
		return true, nil
	case c.Any != nil:
		for _, x := range c.Any {
			if ok, err := x.holds(s); err != nil || ok {
				return ok, err
			}
		}
		return false, nil
	case c.Not != nil:
		ok, err := c.Not.holds(s)
		return !ok && err == nil, err
	}
	v, err := c.eval(s)
	if err != nil {
		return false, err
	}
	t, isText := text(v)
	f, isNumber := float(v)
	switch {
	case c.Is != "" && !is(v, c.Is),
		c.Equals != nil && !equal(v, c.Equals),
		c.In != nil && !slices.ContainsFunc(c.In, func(x any) bool { return equal(v, x) }),
		c.Less != nil && !(isNumber && f < *c.Less),
		c.More != nil && !(isNumber && f > *c.More),
		c.Matches != nil && !(isText && c.Matches.MatchString(t)):
		return false, nil
	}
	return true, nil
}

func is(v any, kind string) bool {
	switch kind {
	case "null":
		return nothing(v)
	case "value":
		return !nothing(v)
	case "number":
		_, ok := float(v)
		return ok
	case "text":
		_, ok := v.(string)
		return ok && !nothing(v)
	case "list":
		_, ok := v.([]any)
		return ok
	default:
		_, ok := v.(map[string]any)
		return ok
	}
}

func (c *Cond) paths(f func(*jsonstream.Path)) {
	c.Source.paths(f)
	for _, x := range c.nested() {
		x.paths(f)
	}
}

func (c *Cond) nested() []*Cond {
	out := append(slices.Clone(c.All), c.Any...)
	if c.Not != nil {
		out = append(out, c.Not)
	}
	return out
}

func (c *Cond) check(fail func(yamlx.Pos, string, ...any)) {
	tests := c.Is != "" || c.Equals != nil || c.In != nil || c.Less != nil || c.More != nil || c.Matches != nil
	switch n := len(c.nested()); {
	case n == 0 && !tests:
		fail(c.Pos, "a condition wants a test: is, equals, in, less, more or matches, or all, any, not")
	case n == 0:
		c.Source.check(fail, false)
	case tests || c.Path != nil:
		fail(c.Pos, "a condition tests a value or combines conditions, not both")
	}
	if c.Is != "" && !slices.Contains(kinds, c.Is) {
		fail(c.Pos, "is %q: want %s", c.Is, strings.Join(kinds, ", "))
	}
	for _, x := range c.nested() {
		x.check(fail)
	}
}

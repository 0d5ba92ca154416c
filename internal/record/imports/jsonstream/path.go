package jsonstream

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Step is one step of a path.
type Step struct {
	Kind  StepKind
	Key   string // Member
	Index int    // Element; negative counts from the end
}

// StepKind says what a step goes to.
type StepKind uint8

const (
	Member  StepKind = iota // a member of an object: .key or ."any key"
	Element                 // an element of an array: [2], [-1]
	Each                    // every element or member: [*] or .*
)

// Path is a place relative to a record.
//
//	ttft            a member of the record (".ttft" is the same)
//	choices[0].text
//	."gen_ai.usage" a member whose name has dots
//	^time           a member of the object that encloses the record; ^^ goes further up
//	$.version       from the root of the document
//	.               the record itself
type Path struct {
	Up    int  // enclosing objects to go up
	Root  bool // from the root of the document
	Steps []Step
	text  string
}

// ParsePath reads a path as a mapping file has it.
func ParsePath(text string) (Path, error) {
	p := Path{text: text}
	rest := text
	switch {
	case strings.HasPrefix(rest, "$"):
		p.Root = true
		rest = rest[1:]
	default:
		for strings.HasPrefix(rest, "^") {
			p.Up++
			rest = rest[1:]
		}
	}
	if text == "" {
		return p, errors.New("an empty path")
	}
	if rest == "." {
		return p, nil
	}
	for first := true; rest != ""; first = false {
		step, n, err := parseStep(rest, first && !p.Root)
		if err != nil {
			return p, fmt.Errorf("path %q: %w", text, err)
		}
		p.Steps = append(p.Steps, step)
		rest = rest[n:]
	}
	return p, nil
}

// parseStep reads one step; bare says that a key may stand without its dot.
func parseStep(s string, bare bool) (Step, int, error) {
	if s[0] == '[' {
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return Step{}, 0, errors.New("[ without ]")
		}
		if s[1:end] == "*" {
			return Step{Kind: Each}, end + 1, nil
		}
		i, err := strconv.Atoi(s[1:end])
		if err != nil {
			return Step{}, 0, fmt.Errorf("index %q is no number", s[1:end])
		}
		return Step{Kind: Element, Index: i}, end + 1, nil
	}
	n := 0
	if s[0] == '.' {
		n = 1
	} else if !bare {
		return Step{}, 0, fmt.Errorf("want . or [ before %q", s)
	}
	if strings.HasPrefix(s[n:], `"`) {
		end := strings.IndexByte(s[n+1:], '"')
		if end < 0 {
			return Step{}, 0, errors.New("quoted key without its end")
		}
		return Step{Key: s[n+1 : n+1+end]}, n + end + 2, nil
	}
	end := n
	for end < len(s) && s[end] != '.' && s[end] != '[' {
		end++
	}
	switch key := s[n:end]; key {
	case "":
		return Step{}, 0, errors.New("an empty key")
	case "*":
		return Step{Kind: Each}, end, nil
	default:
		return Step{Key: key}, end, nil
	}
}

// String is the path as written.
func (p Path) String() string { return p.text }

// UnmarshalText reads a path out of a mapping file.
func (p *Path) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePath(string(text))
	return err
}

// Lookup follows steps from a value; nil where they lead nowhere. Each finds
// the first element or member from which the rest of the steps lead somewhere.
// Text that holds JSON is entered as if it were JSON.
func Lookup(v any, steps []Step) any {
	for i, s := range steps {
		if text, ok := v.(string); ok {
			v = Enter(text)
		}
		switch s.Kind {
		case Member:
			m, _ := v.(map[string]any)
			v = m[s.Key]
		case Element:
			a, _ := v.([]any)
			at := s.Index
			if at < 0 {
				at += len(a)
			}
			if at < 0 || at >= len(a) {
				return nil
			}
			v = a[at]
		case Each:
			return first(v, steps[i+1:])
		}
		if v == nil {
			return nil
		}
	}
	return v
}

func first(v any, rest []Step) any {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if found := Lookup(e, rest); found != nil {
				return found
			}
		}
	case map[string]any:
		// The order of members is not kept, so take the least name: the same
		// file gives the same answer.
		best := ""
		var found any
		for k, e := range v {
			if found != nil && k > best {
				continue
			}
			if f := Lookup(e, rest); f != nil {
				best, found = k, f
			}
		}
		return found
	}
	return nil
}

// Enter reads text as JSON, nil if it is none.
func Enter(text string) any {
	t := strings.TrimSpace(text)
	if t == "" || t[0] != '{' && t[0] != '[' {
		return nil
	}
	v, err := Decode([]byte(t))
	if err != nil {
		return nil
	}
	return v
}

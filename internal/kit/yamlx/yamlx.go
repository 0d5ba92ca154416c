// Package yamlx reads YAML strictly into Go values.
//
// It keeps the conventions of go.yaml.in/yaml/v3 (field tags, Unmarshaler,
// pointers for optional values, time.Duration from "30s") and adds what a
// configuration file that people write by hand needs: every fault is named
// with its file, line and column, an unknown key is a fault that names the
// nearest known key, and all faults of a file are reported at once.
//
// A key without a value (`timeouts:`) counts as absent, so a struct that was
// filled with defaults before decoding keeps them.
package yamlx

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/limits"
)

// Pos is a place in a file. A struct with a field of type Pos (tagged
// `yaml:"-"`) has it set to where its mapping began, so that faults found
// after decoding can still be placed.
type Pos struct {
	Name         string
	Line, Column int
	node         *yaml.Node // the mapping
}

// Key is the place of the value at the end of a path of keys, as far as the
// file has it; else p.
func (p Pos) Key(path ...string) Pos {
	at := p
	for _, key := range path {
		n := at.value(key)
		if n == nil {
			return at
		}
		at = Pos{p.Name, n.Line, n.Column, n}
	}
	return at
}

// value is the value of a key of the mapping at p, nil where there is none.
func (p Pos) value(key string) *yaml.Node {
	n := p.node
	if n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// Errorf returns a fault at p.
func (p Pos) Errorf(format string, args ...any) *Error {
	return &Error{Pos: p, Msg: fmt.Sprintf(format, args...)}
}

// String is "name:line:column", as compilers write it; unknown parts are left
// out.
func (p Pos) String() string {
	s := p.Name
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Column > 0 {
			s += ":" + strconv.Itoa(p.Column)
		}
	}
	return strings.TrimPrefix(s, ":")
}

// Error is one fault at one place.
type Error struct {
	Pos
	Msg string
}

func (e *Error) Error() string {
	if p := e.Pos.String(); p != "" {
		return p + ": " + e.Msg
	}
	return e.Msg
}

// Errors is every fault of a file, in reading order; its message has one line
// each.
type Errors []*Error

func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Errorf returns a fault at a node, for use in an UnmarshalYAML method; Decode
// adds the file's name.
func Errorf(n *yaml.Node, format string, args ...any) error {
	return Pos{Line: n.Line, Column: n.Column}.Errorf(format, args...)
}

// Decode reads one YAML document strictly into the value that into points to.
// name is the file's name as faults should state it. The error, if any, is
// Errors.
func Decode(data []byte, name string, into any) error {
	dec := yaml.NewDecoder(strings.NewReader(string(data)))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if len(strings.TrimSpace(string(data))) == 0 || err.Error() == "EOF" {
			return Errors{{Pos{Name: name}, "the file is empty"}}
		}
		return Errors{syntax(name, data, err)}
	}
	if root := doc.Content[0]; root.Kind == yaml.ScalarNode && root.Tag == "!!null" { // null, ~, or --- alone
		return Errors{Pos{name, root.Line, root.Column, root}.Errorf("the file is empty")}
	}
	var next yaml.Node
	if err := dec.Decode(&next); err == nil {
		return Errors{Pos{name, next.Line, next.Column, &next}.Errorf("a second document starts here; one is expected")}
	} else if err.Error() != "EOF" {
		return Errors{syntax(name, data, err)}
	}
	return decodeNode(&doc, name, into)
}

// DecodeNode reads a node strictly into the value that into points to. It is
// for UnmarshalYAML methods, which yaml/v3 would otherwise let fall out of
// strictness.
func DecodeNode(n *yaml.Node, into any) error {
	return decodeNode(n, "", into)
}

// ReadFile reads a file that people write. A pipe that does not end is cut off at its limit.
func ReadFile(path string) ([]byte, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, limits.YAML+1))
	if err == nil && len(data) > limits.YAML {
		return nil, Errors{Pos{Name: path}.Errorf("larger than %d MiB, so it is not what is wanted here", limits.YAML>>20)}
	}
	return data, err
}

// syntax places an error of the YAML parser, whose text carries only a line.
func syntax(name string, data []byte, err error) *Error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	e := &Error{Pos: Pos{Name: name}, Msg: msg}
	if m := lineOf.FindStringSubmatch(msg); m != nil {
		e.Line, _ = strconv.Atoi(m[1])
		e.Msg = m[2]
	}
	if line, column := tab(string(data), e.Line); line > 0 && strings.Contains(e.Msg, "cannot start any token") {
		return Pos{Name: name, Line: line, Column: column}.Errorf("a tab: YAML indents with spaces")
	}
	e.Msg = "not valid YAML: " + e.Msg
	return e
}

// tab finds a tab that indents a line, at or next to the given one: the parser
// counts from 0 in some messages and from 1 in others.
func tab(text string, near int) (line, column int) {
	for l := range strings.Lines(text) {
		line++
		indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if i := strings.IndexByte(indent, '\t'); i >= 0 && line >= near-1 && line <= near+1 {
			return line, i + 1
		}
	}
	return 0, 0
}

var lineOf = regexp.MustCompile(`^line (\d+): (.*)$`)

// List is a list that may be written as a single value where it has one:
// `concurrency: 4` and `concurrency: [4]` mean the same.
type List[T any] []T

// UnmarshalYAML reads a sequence, or anything else as a list of one.
func (l *List[T]) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		return DecodeNode(n, (*[]T)(l))
	}
	var one T
	if err := DecodeNode(n, &one); err != nil {
		return err
	}
	*l = List[T]{one}
	return nil
}

// faults flattens an error into places and messages.
func faults(err error, at *yaml.Node) Errors {
	var many Errors
	if errors.As(err, &many) {
		return many
	}
	var one *Error
	if errors.As(err, &one) {
		return Errors{one}
	}
	return Errors{Pos{Line: at.Line, Column: at.Column}.Errorf("%s", strings.TrimPrefix(err.Error(), "yaml: "))}
}

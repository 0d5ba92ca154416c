package checks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

func isJSON(value json.RawMessage) (func(*Answer) Verdict, error) {
	var yes bool
	if json.Unmarshal(value, &yes) != nil || !yes {
		return nil, fmt.Errorf("wants true, got %s; json_schema says what kind of JSON", short(string(value)))
	}
	return func(a *Answer) Verdict {
		v, wrong := parseJSON(a.Text)
		if wrong != "" {
			return Verdict{false, wrong}
		}
		return Verdict{true, "a JSON " + kindOf(v)}
	}, nil
}

func admits(value json.RawMessage) (func(*Answer) Verdict, error) {
	schema, err := compile(value)
	return func(a *Answer) Verdict {
		v, wrong := parseJSON(a.Text)
		if wrong == "" {
			wrong = violation(schema, v)
		}
		if wrong != "" {
			return Verdict{false, wrong}
		}
		return Verdict{true, "a JSON " + kindOf(v) + " that the schema admits"}
	}, err
}

// compile reads a schema, which may refer to itself only: judging a recording
// touches neither files nor the network.
func compile(value json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return nil, err
	}
	switch doc.(type) {
	case map[string]any, bool:
	default:
		return nil, fmt.Errorf("wants a JSON schema, an object, got %s", short(string(value)))
	}
	const here = "schema.json"
	c := jsonschema.NewCompiler()
	c.UseLoader(refuseToLoad{})
	if err := c.AddResource(here, doc); err != nil {
		return nil, err
	}
	schema, err := c.Compile(here)
	if err == nil {
		return schema, nil
	}
	var elsewhere *jsonschema.LoadURLError
	var invalid *jsonschema.SchemaValidationError
	switch {
	case errors.As(err, &elsewhere):
		return nil, fmt.Errorf("the schema refers to %s: only references within it are followed", elsewhere.URL)
	case errors.As(err, &invalid):
		return nil, fmt.Errorf("no valid schema: %s", first(invalid.Err))
	}
	return nil, fmt.Errorf("no valid schema: %s", short(err.Error()))
}

type refuseToLoad struct{}

func (refuseToLoad) Load(string) (any, error) { return nil, errors.New("not loaded") }

// violation says what a schema finds wrong with a value; "" where nothing.
func violation(schema *jsonschema.Schema, v any) string {
	if err := schema.Validate(v); err != nil {
		return first(err)
	}
	return ""
}

var english = message.NewPrinter(language.English)

// first is the first leaf of a validation error, in the order of where it
// lies: the validator itself goes through objects in no fixed order.
func first(err error) string {
	var top *jsonschema.ValidationError
	if !errors.As(err, &top) {
		return err.Error()
	}
	var leaves []string
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, c := range e.Causes {
			walk(c)
		}
		if len(e.Causes) == 0 {
			leaves = append(leaves, fmt.Sprintf("at /%s: %s", strings.Join(e.InstanceLocation, "/"), e.ErrorKind.LocalizedString(english)))
		}
	}
	walk(top)
	return slices.Min(leaves)
}

// fence is a Markdown code block that is all of an answer.
var fence = regexp.MustCompile("^```[a-zA-Z]*\\s*\n((?s:.*))\n?```$")

// parseJSON reads an answer that should be one JSON value, or says what is
// wrong with it. A value in a code block is not JSON: whoever asked for JSON
// gives the answer to a parser.
func parseJSON(text string) (v any, wrong string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, "no text"
	}
	v, err := decodeJSON(text)
	if err == nil {
		return v, ""
	}
	if m := fence.FindStringSubmatch(text); m != nil {
		if _, inside := decodeJSON(m[1]); inside == nil {
			return nil, "JSON inside a code block"
		}
	}
	return nil, fmt.Sprintf("no JSON (%v): %s", err, ends(text))
}

// decodeJSON is jsonschema's own reader: numbers keep their digits.
func decodeJSON(text string) (any, error) {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		err = errors.New("it ends too early")
	}
	return v, err
}

func kindOf(v any) string {
	switch v.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case nil:
		return "null"
	}
	return "number"
}

package checks

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// wantedCall is what a tool_call check asks for; any tool where Name is "".
type wantedCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	schema    *jsonschema.Schema
}

func toolCall(value json.RawMessage) (func(*Answer) Verdict, error) {
	var w wantedCall
	var yes bool
	switch {
	case json.Unmarshal(value, &yes) == nil:
		if !yes {
			return nil, fmt.Errorf("wants true or the name of a tool, got %s", value)
		}
	case json.Unmarshal(value, &w.Name) == nil:
		if w.Name == "" {
			return nil, errors.New("wants the name of a tool, got an empty text")
		}
	default:
		if err := unmarshal(value, &w); err != nil || w.Name == "" && w.Arguments == nil {
			return nil, fmt.Errorf("wants the name of a tool, {name: …, arguments: SCHEMA} or true, got %s", short(string(value)))
		}
		if w.Arguments != nil {
			var err error
			if w.schema, err = compile(w.Arguments); err != nil {
				return nil, fmt.Errorf("arguments: %w", err)
			}
		}
	}
	return w.judge, nil
}

// judge passes an answer with one call at least that is as wanted.
func (w *wantedCall) judge(a *Answer) Verdict {
	if len(a.Calls) == 0 {
		return Verdict{false, "no tool call"}
	}
	var wrong []string
	for _, c := range a.Calls {
		reason := w.wrong(&c)
		if reason == "" {
			return Verdict{true, "calls " + c.Name + " " + c.Arguments}
		}
		wrong = append(wrong, reason)
	}
	return Verdict{false, strings.Join(wrong, "; ")}
}

// wrong says why a call is not as wanted; "" where it is. Arguments must be a
// JSON object; none at all is how a call without arguments is often sent.
func (w *wantedCall) wrong(c *Call) string {
	switch {
	case w.Name != "" && c.Name != w.Name:
		return "calls " + c.Name
	case c.Ambiguous:
		return "calls " + c.Name + " with fragments that cannot be told from another call's"
	}
	text := c.Arguments
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	v, err := decodeJSON(text)
	if _, object := v.(map[string]any); err != nil || !object {
		return "calls " + c.Name + " with arguments that are no JSON object: " + c.Arguments
	}
	if w.schema != nil {
		if reason := violation(w.schema, v); reason != "" {
			return "calls " + c.Name + ": " + reason
		}
	}
	return ""
}

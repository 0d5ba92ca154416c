package checks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"aircheck/internal/kit/nearest"
)

// Answer is what is judged.
type Answer struct {
	Text  string // visible text of the first choice
	Calls []Call // tool calls
}

// Call is one tool call.
type Call struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // as sent
	Ambiguous bool   `json:"ambiguous"` // its fragments could not be told from another call's
}

// Verdict is what a check says of an answer, with its reason in a few words.
type Verdict struct {
	Pass     bool
	Evidence string
}

// Check is one check, ready to judge. It may be used by several goroutines.
type Check struct {
	Kind       string // contains, …
	Definition string // as JSON: {"contains":"scatter"}
	judge      func(*Answer) Verdict
}

// Judge applies the check to an answer.
func (c *Check) Judge(a *Answer) Verdict {
	v := c.judge(a)
	v.Evidence = short(v.Evidence)
	return v
}

// kinds are the checks that there are. A new one is a line here.
var kinds = []struct {
	name string
	read func(value json.RawMessage) (func(*Answer) Verdict, error)
}{
	{"contains", contains},
	{"not_contains", notContains},
	{"equals", equals},
	{"regex", matches},
	{"json", isJSON},
	{"json_schema", admits},
	{"number", number},
	{"min_chars", minChars},
	{"tool_call", toolCall},
}

// Names lists the names of all checks.
func Names() []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
}

// Error says which check of a list is faulty.
type Error struct {
	Index int // from 0
	Kind  string
	Err   error
}

func (e *Error) Error() string {
	if e.Kind == "" {
		return fmt.Sprintf("check %d: %v", e.Index+1, e.Err)
	}
	return fmt.Sprintf("check %d: %s: %v", e.Index+1, e.Kind, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Parse reads a list: a JSON array of objects with one key each, or of names
// where true is the value. Its error, if any, is an [*Error] for the first
// faulty check, or says that this is no list.
func Parse(list []byte) ([]Check, error) {
	var items []json.RawMessage
	if err := unmarshal(list, &items); err != nil {
		return nil, fmt.Errorf("checks want a list of checks, such as [{\"contains\": \"word\"}]: %w", err)
	}
	out := make([]Check, 0, len(items))
	for i, item := range items {
		c, err := parse(item)
		if err != nil {
			return nil, &Error{i, c.Kind, err}
		}
		out = append(out, c)
	}
	return out, nil
}

var errForm = errors.New("a check is one name with its value, such as contains: word")

func parse(item json.RawMessage) (c Check, err error) {
	var name string
	if unmarshal(item, &name) == nil {
		item, _ = json.Marshal(map[string]bool{name: true})
	}
	var fields map[string]json.RawMessage
	if unmarshal(item, &fields) != nil || len(fields) != 1 {
		return c, errForm
	}
	for name, value := range fields {
		for _, k := range kinds {
			if k.name != name {
				continue
			}
			var definition bytes.Buffer
			if err := json.Compact(&definition, item); err != nil {
				return c, err
			}
			c.Kind, c.Definition = name, definition.String()
			c.judge, err = k.read(value)
			return c, err
		}
		return c, fmt.Errorf("unknown check %q; %s", name, nearest.Or("one", name, Names()))
	}
	return c, nil
}

// unmarshal reads one JSON value strictly: no unknown key, nothing after it.
func unmarshal(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("text follows the value")
	}
	return nil
}

// longest is how many characters of evidence are kept.
const longest = 160

// short makes a text one line of limited length.
func short(s string) string {
	if len(s) > 8*longest {
		s = s[:8*longest] // the rest would be cut below
	}
	out := make([]rune, 0, longest+1)
	space := false
	for _, r := range s {
		if r <= ' ' || r == utf8.RuneError {
			space = len(out) > 0
			continue
		}
		if space {
			out, space = append(out, ' '), false
		}
		if out = append(out, r); len(out) > longest {
			return string(out[:longest-1]) + "…"
		}
	}
	return string(out)
}

package checks

import (
	"encoding/json"
	"errors"

	"fmt"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/yamlx"
)

// Rules give checks to requests after they were recorded, in place of those
// that the plan had. The first rule that fits a request holds for it; a request
// that none fits keeps its own checks.
type Rules struct {
	Name string // of the file
	List []Rule
}

// Rule is one entry. What it states must fit; what it leaves out fits anything.
type Rule struct {
	At yamlx.Pos // of the rule in its file

	Scenario    *string
	PromptIndex *int32
	PromptHash  *string

	// Checks are what an answer must pass; empty: no checks at all. Nil where
	// the rule states none, and those recorded stay.
	Checks []Check
	// Score is the least score (see --scores) of a useful answer; nil for the default.
	Score *float64
}

// Request is what rules look at.
type Request struct {
	Scenario    string
	PromptIndex *int32
	PromptHash  *string
}

// For is the rule for a request, nil if there is none.
func (r *Rules) For(q Request) *Rule {
	if r == nil {
		return nil
	}
	for i := range r.List {
		if r.List[i].fits(q) {
			return &r.List[i]
		}
	}
	return nil
}

func (r *Rule) fits(q Request) bool {
	return (r.Scenario == nil || *r.Scenario == q.Scenario) &&
		(r.PromptIndex == nil || q.PromptIndex != nil && *r.PromptIndex == *q.PromptIndex) &&
		(r.PromptHash == nil || q.PromptHash != nil && *r.PromptHash == *q.PromptHash)
}

// ruleForm is a rule as it is written.
type ruleForm struct {
	At          yamlx.Pos  `yaml:"-"`
	Scenario    *string    `yaml:"scenario"`
	PromptIndex *int32     `yaml:"prompt_index"`
	PromptHash  *string    `yaml:"prompt_hash"`
	Checks      *yaml.Node `yaml:"checks"`
	Score       *float64   `yaml:"score"`
}

// LoadRules reads a rules file.
func LoadRules(path string) (*Rules, error) {
	data, err := yamlx.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read checks: %w", err)
	}
	return ReadRules(data, path)
}

// ReadRules reads rules from YAML (or JSON), strictly; name is what faults call
// the file. Every fault is named with its line and column.
//
//	rules:
//	  - scenario: short-chat       # all of these that are stated must fit
//	    prompt_index: 3
//	    checks: [{contains: scatter}, {min_chars: 20}]
//	  - checks: [json]             # every other request
//	    score: 0.7                 # and the least score that is useful
func ReadRules(data []byte, name string) (*Rules, error) {
	var file struct {
		At    yamlx.Pos  `yaml:"-"`
		Rules []ruleForm `yaml:"rules"`
	}
	if err := yamlx.Decode(data, name, &file); err != nil {
		return nil, err
	}
	var faults yamlx.Errors
	if len(file.Rules) == 0 {
		faults = append(faults, file.At.Errorf("a checks file needs rules"))
	}
	out := &Rules{Name: name}
	for _, f := range file.Rules {
		f.At.Name = name
		if f.Checks == nil && f.Score == nil {
			faults = append(faults, f.At.Errorf("a rule needs checks, or a score"))
			continue
		}
		rule := Rule{At: f.At, Scenario: f.Scenario, PromptIndex: f.PromptIndex, PromptHash: f.PromptHash, Score: f.Score}
		if f.Checks != nil {
			list, err := FromYAML(f.Checks)
			var many yamlx.Errors
			if errors.As(err, &many) {
				faults = append(faults, many...)
				continue
			}
			if rule.Checks, err = Parse(list); err != nil {
				faults = append(faults, f.At.Errorf("%v", err)) // FromYAML has parsed it: cannot be
				continue
			}
		}
		out.List = append(out.List, rule)
	}
	for _, e := range faults {
		e.Name = name
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return out, nil
}

// FromYAML gives a list of checks in YAML as the JSON that [Parse] reads. Every
// fault is named with its line and column; the error is yamlx.Errors.
func FromYAML(list *yaml.Node) (json.RawMessage, error) {
	if list.Kind == yaml.AliasNode {
		list = list.Alias
	}
	if list.Kind != yaml.SequenceNode {
		return nil, yamlx.Errors{at(list, errors.New("checks want a list, such as [{contains: word}]"))}
	}
	var faults yamlx.Errors
	items := []json.RawMessage{}
	for _, n := range list.Content {
		var v any
		if err := n.Decode(&v); err != nil {
			faults = append(faults, at(n, err))
			continue
		}
		if name, ok := v.(string); ok { // "- json" for "- json: true"
			v = map[string]any{name: true}
		}
		item, err := json.Marshal(v)
		if err != nil {
			err = fmt.Errorf("cannot be written as JSON: %w", err)
		} else {
			var c Check
			if c, err = parse(item); err != nil && c.Kind != "" {
				err = fmt.Errorf("%s: %w", c.Kind, err)
			}
		}
		if err != nil {
			faults = append(faults, at(n, err))
			continue
		}
		items = append(items, item)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	out, err := json.Marshal(items)
	return out, err
}

func at(n *yaml.Node, err error) *yamlx.Error {
	return yamlx.Pos{Line: n.Line, Column: n.Column}.Errorf("%v", err)
}

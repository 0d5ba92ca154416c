package checks

import (
	"errors"
	"strings"
	"testing"

	"aircheck/internal/kit/yamlx"
)

func TestFirstRuleThatFitsHolds(t *testing.T) {
	rules, err := ReadRules([]byte(`
rules:
  - scenario: sums
    prompt_index: 1
    checks: [{number: 4}]
  - scenario: sums
    checks: [{number: true}, json]
    score: 0.9
  - prompt_hash: abc
    checks: []
  - score: 0.25
`), "c.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q    Request
		rule int
	}{
		{Request{Scenario: "sums", PromptIndex: new(int32(1))}, 0},
		{Request{Scenario: "sums", PromptIndex: new(int32(2))}, 1},
		{Request{Scenario: "sums"}, 1},
		{Request{Scenario: "chat", PromptHash: new("abc")}, 2},
		{Request{Scenario: "chat"}, 3},
	} {
		if got := rules.For(c.q); got != &rules.List[c.rule] {
			t.Errorf("%+v: got %+v, want rule %d", c.q, got, c.rule)
		}
	}
	if l := rules.List; len(l[1].Checks) != 2 || *l[1].Score != 0.9 || l[2].Checks == nil || len(l[2].Checks) != 0 || l[3].Checks != nil {
		t.Errorf("rules: %+v", l)
	}
	var none *Rules
	if none.For(Request{}) != nil {
		t.Error("no rules gave one")
	}
}

func TestFaultyRules(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "c.yaml: the file is empty",
		"rules: []":               "needs rules",
		"rule: []":                "rule",
		"rules: [{scenario: s}]":  "c.yaml:1:9: a rule needs checks",
		"rules: [{checks: json}]": "checks want a list",
		"rules:\n  - checks:\n      - contain: x\n      - regex: '('": "c.yaml:3:9: unknown check \"contain\"",
		"rules: [{checks: [{a: 1, b: 2}]}]":                           "one name with its value",
		"rules: [{checks: [{contains: .nan}]}]":                       "cannot be written as JSON",
		"rules: [{senario: s, checks: [json]}]":                       "senario",
		"rules: [{prompt_index: x, checks: []}]":                      "c.yaml:1",
	} {
		_, err := ReadRules([]byte(text), "c.yaml")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	_, err := ReadRules([]byte("rules:\n  - checks:\n      - contain: x\n      - regex: '('\n  - {}"), "c.yaml")
	var all yamlx.Errors
	if !errors.As(err, &all) || len(all) != 3 {
		t.Errorf("got %v, want three faults", err)
	}
}

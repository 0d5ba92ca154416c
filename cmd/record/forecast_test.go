package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/record/plan"
	"aircheck/internal/rules/prices"
)

// A plan that breaks what a plan can break: every rule is one of the audit's.
func TestBroken(t *testing.T) {
	p, err := plan.Parse([]byte(`
order: sequential
windows: {count: 8, every: 2h}
trials: 3
warmup: 0
targets:
  - {provider: a, model: m, base_url: http://a, params: {temperature: 0.5}}
  - {provider: b, model: m, base_url: http://b}
scenarios:
  - {name: s, messages: [{role: user, content: hi}], params: {max_tokens: 10, stream: false}}
  - {name: open, extends: s, rate: {rps: 1}}
`), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	blocks := p.Schedule()
	lines := broken(p, blocks, prices.Embedded())
	var rules []string
	for _, line := range lines {
		rule, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		rules = append(rules, rule)
	}
	want := []string{"few_trials", "few_windows", "no_warmup", "one_after_another", "fixed_order", "temperature_unset", "temperature_above_0",
		"temperatures_differ", "params_differ", "few_prompts", "not_streamed", "unknown_prices"}
	if !slices.Equal(rules, want) {
		t.Errorf("got %q", lines)
	}
	page, err := os.ReadFile("../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range rules {
		if !regexp.MustCompile("(?m)^\\| `" + rule + "` ").Match(page) {
			t.Errorf("docs/audit.md has no rule %s", rule)
		}
	}
	text := strings.Join(append(lasts(p), bounded(p, blocks)...), "\n")
	for _, want := range []string{"expected duration: 14 h 00 min, a window ", "measured: 24 a cell", "failure rate of 12 % possible",
		"it takes 24 to decide a difference", "they span 14 h 00 min"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

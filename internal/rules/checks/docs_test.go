package checks

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every check of the manual's table is one, its other forms and its rules file
// too, and none is missing.
func TestManual(t *testing.T) {
	data, err := os.ReadFile("../../../docs/checks.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := string(data)
	seen := map[string]bool{}
	code := regexp.MustCompile("`([^`]*)`")
	for line := range strings.Lines(manual) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		forms := code.FindAllStringSubmatch(line, -1)
		name, _, _ := strings.Cut(forms[0][1], ":")
		seen[name] = true
		texts := []string{forms[0][1]}
		for _, f := range forms[1:] {
			texts = append(texts, name+": "+strings.ReplaceAll(f[1], "SCHEMA", "{type: object}"))
		}
		for _, text := range texts {
			if _, err := ReadRules([]byte("rules: [{checks: [{"+text+"}]}]"), "manual"); err != nil {
				t.Errorf("the manual's %q: %v", text, err)
			}
		}
	}
	for _, name := range Names() {
		if !seen[name] {
			t.Errorf("docs/checks.md does not explain %s", name)
		}
	}
	_, rest, _ := strings.Cut(manual, "```yaml\n")
	example, _, _ := strings.Cut(rest, "```")
	rules, err := ReadRules([]byte(example), "manual")
	if err != nil || len(rules.List) != 2 {
		t.Errorf("the manual's rules: %v", err)
	}
}

package plan

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"aircheck/internal/rules/checks"
)

// Every key of a plan stands in the manual.
func TestManualIsComplete(t *testing.T) {
	data, err := os.ReadFile("../../../docs/plan.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := string(data)
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(v reflect.Type) {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct || seen[v] || !strings.HasSuffix(v.PkgPath(), "/plan") {
			return
		}
		seen[v] = true
		for i := range v.NumField() {
			key, _, _ := strings.Cut(v.Field(i).Tag.Get("yaml"), ",")
			if key != "" && key != "-" && !strings.Contains(manual, "`"+key+"`") {
				t.Errorf("docs/plan.md does not mention %s", key)
			}
			walk(v.Field(i).Type)
		}
	}
	walk(reflect.TypeFor[file]())
	walk(reflect.TypeFor[scenarioFile]())
	for _, p := range probes {
		if !strings.Contains(manual, p.name) {
			t.Errorf("docs/plan.md does not mention the probe %s", p.name)
		}
	}
	for _, c := range checks.Names() {
		if !strings.Contains(manual, c) {
			t.Errorf("docs/plan.md does not mention the check %s", c)
		}
	}
	if len(seen) < 10 {
		t.Errorf("only %d types were walked", len(seen))
	}
}

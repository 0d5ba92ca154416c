package mapping

import (
	"context"
	"os"
	"reflect"
	"strings"
	"testing"

	"aircheck/internal/record/imports/ledger"
	"aircheck/schema"
)

// docs/importing.md mentions every key.
func TestManualMentionsEveryKey(t *testing.T) {
	data, err := os.ReadFile("../../../../docs/importing.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Mapping](), reflect.TypeFor[Source](), reflect.TypeFor[Cond](), reflect.TypeFor[Check](), reflect.TypeFor[Failure]()} {
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("yaml"), ",")
			if key != "" && key != "-" && !strings.Contains(string(data), "`"+key+"`") {
				t.Errorf("docs/importing.md does not mention %s (%s)", key, typ.Name())
			}
		}
	}
	for unit := range units {
		if !strings.Contains(string(data), "`"+unit+"`") {
			t.Errorf("docs/importing.md does not mention the unit %s", unit)
		}
	}
}

// The example reads the lines that it shows.
func TestExampleMapping(t *testing.T) {
	m, err := Load("../../../../examples/mappings/own-log.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(m.Text) {
		if text, is := strings.CutPrefix(line, "#   "); is {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	log := strings.Replace(strings.Join(lines, "\n"), ",\n", ",", 1) // the first line is shown on two
	path := write(t, "log.jsonl", log)
	var rows []*schema.Request
	account := &ledger.File{Name: "log.jsonl"}
	err = m.Read(context.Background(), path, account, func(q *schema.Request, _ ledger.Place) error { rows = append(rows, q); return nil })
	const want = "groq llama-3-70b 212000000 1840000000 180 stop \ngroq llama-3-70b     slow down\n"
	if got := show(rows, "provider", "model", "reported_ttft_ns", "end_ns", "reported_output_tokens", "reported_finish_reason", "reported_error"); err != nil || got != want || len(account.Faults) > 0 {
		t.Errorf("%v %v\n%swant\n%s", err, account.Faults, got, want)
	}
}

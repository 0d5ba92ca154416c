package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/kit/duck"
)

const (
	suiteDir       = "../../../examples/conformance/streams"
	otherToolsPage = "../../../docs/other-tools.md"
	knownFile      = "../../../scripts/replay/known.tsv"
	readmePage     = "../../../README.md"
)

// Every stream of the suite gives what its bytes say, and the page says what
// other tools would make of it.
func TestOtherTools(t *testing.T) {
	streams, files, err := conformanceStreams(suiteDir)
	if err != nil || len(streams) < 50 {
		t.Fatalf("%d streams, %v", len(streams), err)
	}
	r, err := conformed(t.Context(), files, filepath.Join(t.TempDir(), "traces"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	table, err := duck.Query(t.Context(), r, "query", `
		SELECT r.caller_request_id, r.outcome, r.ttft_ms, r.output_tokens, r.reasoning_tokens, r.visible_tokens, a.text
		FROM results r LEFT JOIN answers a ON a.request_id = r.request_id`)
	if err != nil {
		t.Fatal(err)
	}
	columns := []string{"name", "outcome", "ttft_ms", "output_tokens", "reasoning_tokens", "visible_tokens", "text"}
	got := map[string]map[string]any{}
	for _, row := range table.Rows {
		name := fmt.Sprint(row[0])
		got[name] = map[string]any{}
		for i, c := range columns {
			got[name][c] = row[i]
		}
	}
	for _, s := range streams {
		if got[s.Name] == nil {
			t.Errorf("%s: not imported", s.Name)
			continue
		}
		for key, want := range s.Right {
			if key == "success" || key == "text" && want == nil {
				continue
			}
			right, several := want.([]any)
			if !several {
				right = []any{want}
			}
			if !slices.ContainsFunc(right, func(w any) bool { return same(got[s.Name][key], w) }) {
				t.Errorf("%s: %s is %v, right is %v", s.Name, key, got[s.Name][key], want)
			}
		}
	}
	tools, err := toolsOf(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	known, err := knownOf(knownFile)
	if err != nil || len(known) == 0 {
		t.Fatalf("%d lines of what is known, %v", len(known), err)
	}
	text, short := otherTools(streams, tools, known), shortForm(tools)
	readme, err := os.ReadFile(readmePage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(readme), "-update -->\n")
	block, after, ends := strings.Cut(rest, "<!-- end -->")
	if !begins || !ends {
		t.Fatal("README.md has no block of other tools")
	}
	if *update {
		if err := os.WriteFile(otherToolsPage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(readmePage, []byte(before+"-update -->\n"+short+"<!-- end -->"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if block != short {
		t.Error("README.md says other things of other tools: go test ./internal/tools/docgen -run OtherTools -update")
	}
	if page, err := os.ReadFile(otherToolsPage); err != nil || string(page) != text {
		t.Errorf("docs/other-tools.md is stale (%v): go test ./internal/tools/docgen -run OtherTools -update", err)
	}
}

func same(got, want any) bool {
	if want == nil || got == nil {
		return got == nil && want == nil
	}
	if w, ok := want.(float64); ok {
		var g float64
		_, err := fmt.Sscan(fmt.Sprint(got), &g)
		return err == nil && math.Abs(g-w) < 1e-6
	}
	return fmt.Sprint(got) == fmt.Sprint(want)
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/report/table"
	"aircheck/internal/tools/bench"
)

var recipe = regexp.MustCompile("(?s)### (\\d+)\\. ([^\n]+)\n\n```sql\n(.*?)\n```\n\n\\*On the demo:\\* [^\n]+\n\n\\*It does not say\\* ")

// Each query of the cookbook runs and its answer fits 100 columns, on any dataset.
// On that of the demo, which AIRCHECK_DEMO names, it is what the fleet has planted.
func TestCookbook(t *testing.T) {
	text, err := os.ReadFile("../../docs/cookbook.md")
	if err != nil {
		t.Fatal(err)
	}
	recipes := recipe.FindAllStringSubmatch(string(text), -1)
	if len(recipes) != 30 || len(recipes) != strings.Count(string(text), "```sql") || len(cookbookTruth) != len(recipes) {
		t.Fatalf("%d recipes, %d queries, %d truths: want 30", len(recipes), strings.Count(string(text), "```sql"), len(cookbookTruth))
	}
	dir := t.TempDir()
	demo := os.Getenv("AIRCHECK_DEMO")
	if demo != "" {
		dir = filepath.Join(demo, "traces")
	} else if _, _, err := bench.Dataset(dir, 100, 1); err != nil {
		t.Fatal(err)
	}
	r, err := build.Open(t.Context(), build.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, m := range recipes {
		number, question, query := m[1], m[2], m[3]
		if number != fmt.Sprint(i+1) {
			t.Errorf("recipe %s stands at place %d", number, i+1)
		}
		rows, err := r.Stream(t.Context(), query)
		if err != nil {
			t.Errorf("%s. %s: %v", number, question, err)
			continue
		}
		var out strings.Builder
		_, err = table.Write(&out, table.Head{Columns: rows.Columns, Types: rows.Types}, rows, "table", 100)
		rows.Close()
		if err != nil {
			t.Errorf("%s. %s: %v", number, question, err)
		}
		for line := range strings.Lines(out.String()) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > 100 {
				t.Errorf("%s. %s: wider than 100 columns: %s", number, question, line)
			}
		}
		if demo == "" {
			continue
		}
		truth, err := duck.Query(t.Context(), r, "truth", "SELECT "+cookbookTruth[i]+" FROM ("+query+")")
		if err != nil || truth.Rows[0][0] != true {
			t.Errorf("%s. %s: %s is not so: %v\n%s", number, question, cookbookTruth[i], err, out.String())
		}
	}
}

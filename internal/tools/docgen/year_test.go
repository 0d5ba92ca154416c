package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/record/imports"
	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/report/table"
)

const yearFile = "../../../docs/proxy-year.md"

// What is planted in a year of a log is what its questions find, and the page says it.
func TestProxyYear(t *testing.T) {
	dir := t.TempDir()
	if err := writeYear(dir); err != nil {
		t.Fatal(err)
	}
	traces := filepath.Join(dir, "traces")
	own, err := mapping.Load("../../../examples/mappings/own-log.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := imports.Import(t.Context(), imports.Options{Format: "table", Map: own, Files: []string{filepath.Join(dir, "log.jsonl")}, To: traces}); err != nil {
		t.Fatal(err)
	}
	r, err := build.OpenFor(t.Context(), build.Options{Dir: traces, Prices: filepath.Join(dir, "prices.json"), Period: "month"},
		"results", "latency", "pairs", "availability", "outages", "errors", "drift")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var answers []string
	for _, q := range yearQuestions {
		rows, err := duck.Stream(t.Context(), r, q.asks, q.sql)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if _, err := table.Write(&b, table.Head{Columns: rows.Columns, Types: rows.Types}, rows, "markdown", 0); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, b.String())
	}
	for i, planted := range map[int]string{
		4: "| ember | 3 | 2025-03-14 08:",
		6: "| lumen | tpot_ms | 2025-06 | 2025-07 | 0.8",
		8: "| 1.2 |\n| ember | 1 |",
	} {
		if !strings.Contains(answers[i], planted) {
			t.Errorf("%s: no %q in\n%s", yearQuestions[i].asks, planted, answers[i])
		}
	}
	text := yearPage(answers)
	if *update {
		if err := os.WriteFile(yearFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := os.ReadFile(yearFile); err != nil || string(page) != text {
		t.Errorf("docs/proxy-year.md is stale (%v): go test ./internal/tools/docgen -run ProxyYear -update", err)
	}
}

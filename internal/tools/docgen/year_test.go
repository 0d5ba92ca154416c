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
	"aircheck/internal/tools/corpus"
)

const (
	yearFile    = "../../../docs/proxy-year.md"
	llmperfFile = "../../../docs/llmperf.md"
)

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
	answers := answersTo(t, r, yearQuestions)
	for i, planted := range map[int]string{
		4: "| ember | 3 | 2025-03-14 08:",
		6: "| lumen | tpot_ms | 2025-06 | 2025-07 | 0.8",
		8: "| 1.2 |\n| ember | 1 |",
	} {
		if !strings.Contains(answers[i], planted) {
			t.Errorf("%s: no %q in\n%s", yearQuestions[i].asks, planted, answers[i])
		}
	}
	stands(t, yearFile, questionsPage(yearIntro, yearQuestions, answers))
}

// The published requests of a leaderboard answer what they can.
func TestLLMPerf(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "history", "llmperf", "raw_data*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	traces := filepath.Join(t.TempDir(), "traces")
	if _, err := imports.Import(t.Context(), imports.Options{Format: "llmperf", Files: files, To: traces}); err != nil {
		t.Fatal(err)
	}
	r, err := build.OpenFor(t.Context(), build.Options{Dir: traces}, "results", "latency", "pairs", "errors")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stands(t, llmperfFile, questionsPage(llmperfIntro, llmperfQuestions, answersTo(t, r, llmperfQuestions)))
}

func answersTo(t *testing.T, r *build.Reader, questions []question) (answers []string) {
	for _, q := range questions {
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
	return answers
}

// stands fails where a page is another text, or writes it with -update.
func stands(t *testing.T, file, text string) {
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := os.ReadFile(file); err != nil || string(page) != text {
		t.Errorf("%s is stale (%v): go test ./internal/tools/docgen -run %s -update", filepath.Base(file), err, t.Name())
	}
}

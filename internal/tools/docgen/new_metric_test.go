package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	reportpage "aircheck/internal/report/page"
	"aircheck/queries"
	"aircheck/schema"
)

// A row of the registry is all that a new metric takes, whether it is a column
// of results that nothing else names or an expression over them: its values
// reach everything that is said of metrics.
func TestNewMetricIsOneRow(t *testing.T) {
	const rows = `,
    {metric: 'sent_ms', title: 'time until the request is sent', source: 'sent_ms',
     unit: 'ms', better: 'lower', family: 'sending', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 5.0, population: 'complete',
     heading: 'Time to send', verb: 'takes requests', verb_plural: 'take requests', event: 'requests are sent', superlative: 'first', comparative: 'faster', opposite: 'slower'},
    {metric: 'chars_per_token', title: 'characters a token', source: 'answer_chars / nullif(output_tokens, 0)',
     unit: 'chars', better: 'higher', family: 'density', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: NULL, population: 'complete',
     heading: 'Characters a token', verb: 'packs', verb_plural: 'pack', event: NULL, superlative: 'densest', comparative: 'denser', opposite: 'looser'}
];`
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		if f.Name == "metrics" {
			text := strings.Replace(f.SQL, "\n];", rows, 1)
			if files[i], err = queries.Parse(f.Path, text); err != nil || text == f.SQL {
				t.Fatal("the registry does not end where it did", err)
			}
		} else if strings.Contains(f.SQL, "sent_ms") && slices.Contains([]string{"speed", "compare", "fit"}, f.Folder) {
			t.Fatalf("queries/%s names the column already: take another one", f.Path)
		}
	}

	dir := t.TempDir()
	limits := filepath.Join(dir, "workloads.yaml")
	if err := os.WriteFile(limits, []byte(`workloads: [{name: w, scenarios: [s], decides: [
		{metric: sent_ms, at_most: 250}, {metric: good_share, at_least: 0.1}], each: [{metric: sent_ms, at_most: 250}]}]`), 0o644); err != nil {
		t.Fatal(err)
	}
	market(t, dir)
	o := build.Options{Dir: dir, Workloads: limits, Definitions: files}
	r, err := build.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range []struct{ query, want string }{
		{"SELECT string_agg(concat_ws(' ', provider, model, n, round(p50, -1), round(max, -1)), ', ' ORDER BY provider, model) FROM latency WHERE metric = 'sent_ms'",
			"a m1 24 100 100, a m2 24 300 300, b m1 24 200 200, b m2 24 150 150, c m3 24 450 600"},
		{"SELECT string_agg(concat_ws(' ', provider, model, n, p50), ', ' ORDER BY provider, model) FROM latency WHERE metric = 'chars_per_token'",
			"a m1 24 2, a m2 24 2, b m1 24 2, b m2 24 2, c m3 24 2"},
		{"SELECT string_agg(concat_ws(' ', model, provider, round(estimate, -1), rank_lo, rank_hi), ', ' ORDER BY model, provider) FROM ranks WHERE metric = 'sent_ms'",
			"m1 a 100 1 1, m1 b 200 2 2, m2 a 300 2 2, m2 b 150 1 1, m3 c 450 1 1"},
		{"SELECT concat_ws(' ', leader_1, leader_2, round(ratio_1, 1), round(level_a_1, -1), verdict) FROM flips WHERE metric = 'sent_ms' AND axis = 'model'",
			"a b 2 100 supported"},
		{"SELECT concat_ws(' ', provider, model, round(level_before, -1), round(level_after, -1), round(ratio, 1), direction, verdict) FROM drift WHERE metric = 'sent_ms' AND span = 'period' AND ratio > 1.5",
			"c m3 300 600 2 worse supported"},
		{"SELECT string_agg(concat_ws(' ', provider, model, round(value, -1), claim), ', ' ORDER BY provider, model) FROM workload_fit WHERE metric = 'sent_ms'",
			"a m1 100 met, a m2 300 missed, b m1 200 met, b m2 150 met, c m3 450 missed"},
		{"SELECT string_agg(concat_ws(' ', provider, model, value), ', ' ORDER BY provider, model) FROM workload_fit WHERE metric = 'good_share'",
			"a m1 1, a m2 0, b m1 1, b m2 1, c m3 0"},
		{"SELECT concat_ws(' ', unit, better, kind) FROM fit_metrics WHERE metric = 'sent_ms'", "ms lower values"},
	} {
		table, err := duck.Query(t.Context(), r, "query", c.query)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(table.Rows); strings.ReplaceAll(got, ".0", "") != "[["+c.want+"]]" {
			t.Errorf("%s\ngives %s\nwant  %s", c.query, got, c.want)
		}
	}

	changed, err := build.CompareBy(t.Context(), o, "period", "first half", "second half", build.CompareOptions{Metrics: []string{"sent_ms"}})
	if err != nil {
		t.Fatal(err)
	}
	worse := 0
	for _, c := range changed.Changes {
		if c.Claim == build.Regression && c.Provider == "c" && math.Abs(*c.LevelBefore-300) < 3 && math.Abs(*c.LevelAfter-600) < 3 {
			worse++
		}
	}
	if len(changed.Changes) != 5 || worse != 1 {
		t.Errorf("compare finds %+v", changed.Changes)
	}

	report, err := reportpage.Build(t.Context(), r, reportpage.Options{Publication: reportpage.Publication{Title: "t"}, Checksum: "c", Tool: "test"})
	if err != nil {
		t.Fatal(err)
	}
	html, err := report.Single()
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(html), "sent_ms")
	if after = after[:min(len(after), 800)]; !found || !regexp.MustCompile(`\b(9[789]|10[0123])(&nbsp;| |\x{a0})ms`).MatchString(after) {
		t.Errorf("the report says of it: %q", after)
	}

	s, err := sourceOf(t.Context(), "", files)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var text strings.Builder
	if err := metricsPage(t.Context(), s, &text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| `sent_ms` | time until the request is sent | ms | lower |", "| `sent_ms` | ms from the start until the last request byte", "| `answer_chars / nullif(output_tokens, 0)` | characters a token |"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the page of metrics does not say %q", want)
		}
	}
}

// market writes 24 windows: of two providers and two models, where a sends sooner
// on m1 and b on m2, and of c, which takes twice as long in the second half. Times vary by
// up to 3 ms, so that they are compared to the nearest ten.
func market(t *testing.T, dir string) {
	t.Helper()
	w, err := schema.Create(dir, "20260301T000000Z-market")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var ids schema.IDs
	order := int32(0)
	noise := rand.New(rand.NewPCG(1, 2))
	for window := range 24 {
		for _, c := range []struct {
			provider, model string
			sent            int64
		}{{"a", "m1", 100}, {"b", "m1", 200}, {"a", "m2", 300}, {"b", "m2", 150}, {"c", "m3", 300}} {
			if c.provider == "c" && window >= 12 {
				c.sent = 600
			}
			c.sent += noise.Int64N(7) - 3
			ns := func(ms int64) *int64 { return new(ms * 1e6) }
			at := start.Add(time.Duration(window)*2*time.Hour + time.Duration(order)*time.Millisecond)
			order++
			q := &schema.Request{
				RequestID: ids.Next(at), OrderIndex: order, Attempt: 1, Origin: "imported:market", Detail: "requests", Phase: "measure",
				Provider: c.provider, Model: c.model, Scenario: new("s"), Concurrency: new(int32(1)),
				Vantage: new("here"), Window: new(fmt.Sprintf("w%02d", window)), Trial: new(int32(0)), StartedAtNs: new(at.UnixNano()), ConnReused: new(true),
				Streamed: new(true), HTTPStatus: new(int32(200)), EndReason: new("eof"), SentNs: ns(c.sent), HeadersNs: ns(700),
				ReportedTTFTNs: ns(800), ReportedLastTokenNs: ns(1800), EndNs: ns(1900),
				ReportedOutputTokens: new(int64(5)), ReportedFinishReason: new("stop"), ReportedText: new("ten chars."),
			}
			w.Begin(q.RequestID)
			if err := w.Write(q, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Seal(&schema.Run{Name: "market", Origin: "imported:market", Tool: "test", Host: "test", StartedAtNs: start.UnixNano(), EndedAtNs: start.UnixNano()}); err != nil {
		t.Fatal(err)
	}
}

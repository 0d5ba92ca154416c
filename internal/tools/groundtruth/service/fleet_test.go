package service

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/runner"
	"aircheck/internal/record/simulate"
	"aircheck/queries"
)

// The same over real HTTP: one provider gives way beyond two streams, is slow after
// silence, and ignores every parameter; the other ignores tools alone, and does not
// answer three requests of the third window.
const fleet = `
fleet: service
seed: 3
behaviour:
  first_token: {median: 15ms, sigma: 0.1}
  gap: {median: 3ms, sigma: 0.1}
  tokens_per_frame: 4
  thinking: {tokens: 8}
  answer:
    tokens: 24
    texts:
      - {when: lighthouse, text: Once., tokens: 100}
      - {when: from 1 to 12, text: 1 2 3 4 5 6 7 8 9 10 11 12}
providers:
  - {name: plain, models: [{name: m, ignores: tools, faults: [{kind: server_error, on: [129, 130, 131]}]}]}
  - name: planted
    models:
      - name: m
        load: {cliff: 2, factor: 6}
        cold: {after: 200ms, adds: 150ms}
        ignores: [reasoning_off, max_tokens, stop, json_mode, usage, tools, n, logprobs]
`

// A window is 10 requests of loops, 4 of a cold start, 4 of a burst and 6 of a sweep,
// and the first one 80 of probes: the third window begins with request 129.
const fleetPlan = `
name: service
windows: {count: 8, every: 10ms}
trials: 3
warmup: 0
parallel: 2
probes: [reasoning_off, max_tokens, stop, json_mode, usage, tools, n, logprobs]
scenarios:
  - name: loop
    workload: chat
    messages: [{role: user, content: Say something.}]
    params: {max_tokens: 200, reasoning_effort: none}
    concurrency: [1, 2, 4]
  - {name: cold, extends: loop, workload: bursty, concurrency: null, cold_start: {idle: 220ms}}
  - {name: spike, extends: loop, workload: bursty, concurrency: null, burst: {size: 4, after_idle: 10ms}}
  - {name: sweep, extends: loop, workload: rag, concurrency: 1, input_tokens: [100, 400]}
targets:
`

func TestFleet(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "traces")
	truths := recordFleet(t, dir)
	r, err := build.Open(t.Context(), build.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ask := func(query string) string {
		t.Helper()
		table, err := duck.Query(t.Context(), r, "query", query)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, row := range table.Rows {
			var fields []string
			for i, v := range row {
				fields = append(fields, duck.Text(v, table.Types[i]))
			}
			out = append(out, strings.Join(fields, " "))
		}
		return strings.Join(out, "\n")
	}
	want := func(what, query, want string) {
		t.Helper()
		if got := ask(query); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", what, got, want)
		}
	}
	// Eight windows of so few targets cannot tell how windows depend on each other,
	// so what is found there may stay a tendency, however large.
	want("the cliff", "SELECT provider, concurrency, contains(cliff, 'throughput'), cliff_verdict IN ('supported', 'tendency') FROM load WHERE contains(cliff, 'throughput') OR cliff_verdict = 'supported' ORDER BY 1, 2", "planted 4 true true")
	want("cold starts", "SELECT provider, verdict, why_not, penalty_ms BETWEEN 120 AND 190, warm_after FROM cold_starts WHERE claim = 'penalty' ORDER BY 1", "planted tendency too few windows true 1")
	want("bursts", "SELECT count(*), min(bursts), min(answered) FROM bursts", "8 8 8")
	// An answer that a busy machine reads at once has no first token of its own.
	want("a sweep", "SELECT scenario, n BETWEEN 40 AND 48, n_windows, lengths, counted_by, evidence FROM prefill WHERE provider = 'plain'", "sweep true 8 2 usage windows")
	want("what is ignored", "SELECT provider, count(*), min(n - k), max(k) FROM conformance WHERE claim = 'ignored' GROUP BY ALL ORDER BY 1", "plain 1 5 0\nplanted 7 5 0")
	// Without usage nobody can say whether the model was told of its tools.
	want("what nobody can say", "SELECT provider, probe, warning FROM conformance WHERE claim = 'unverifiable' AND treatments > 0", "planted tools 5 answers cannot tell")
	want("what is honoured", "SELECT provider, count(*), min(k), min(n) FROM conformance WHERE claim = 'honoured' AND treatments > 0 GROUP BY ALL ORDER BY 1", "plain 7 5 5")
	want("what nobody says", "SELECT DISTINCT finding FROM conformance WHERE probe = 'precision'", "undisclosed")
	want("its workloads", "SELECT DISTINCT workload FROM workload_fit ORDER BY 1", "bursty\nchat\nrag")

	// The outage, by the fleet's own times: it lasted at least from the first to the
	// last request that failed, and at most from the answer before to the one after.
	want("the outage", "SELECT provider, scenario, concurrency, failures, n_windows, outcomes FROM outages", "plain loop 1 3 1 server_error")
	var failed []int64
	for _, x := range truths {
		if x.Provider == "plain" && x.Outcome == "server_error" {
			failed = append(failed, x.ReceivedNs)
		}
	}
	if len(failed) != 3 {
		t.Fatalf("the fleet failed %d requests, not 3", len(failed))
	}
	lasted := time.Duration(failed[2] - failed[0])
	var least, most float64
	fmt.Sscan(ask("SELECT min_ms, max_ms FROM outages"), &least, &most)
	if seen := time.Duration(least * 1e6); (seen-lasted).Abs() > 20*time.Millisecond || time.Duration(most*1e6) < lasted {
		t.Errorf("an outage of %v was seen for %v, and lasted at most %v ms", lasted, seen, most)
	}
	keys(t, r)
}

// keys holds the files to their word: a key names one row.
func keys(t *testing.T, r *build.Reader) {
	t.Helper()
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	views := map[string]bool{"availability": true, "availability_hours": true, "outages": true, "errors": true, "throughput": true, "load": true,
		"cold_starts": true, "bursts": true, "probes": true, "conformance": true, "workload_fit": true, "prefill": true, "workloads": true, "fit_metrics": true}
	for _, f := range files {
		if !views[f.Name] {
			continue
		}
		delete(views, f.Name)
		var key []string
		for _, k := range f.Key {
			key = append(key, duck.Ident(k))
		}
		table, err := duck.Query(t.Context(), r, f.Name, fmt.Sprintf("SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT %s FROM %s)) FROM %s", strings.Join(key, ", "), f.Name, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		if rows, distinct := table.Rows[0][0].(int64), table.Rows[0][1].(int64); rows == 0 || rows != distinct {
			t.Errorf("%s: %d rows, %d keys (%s)", f.Name, rows, distinct, strings.Join(f.Key, ", "))
		}
	}
	for v := range views {
		t.Errorf("no view %s", v)
	}
}

// recordFleet records the plan, and gives the fleet's truth.
func recordFleet(t *testing.T, dir string) []simulate.Truth {
	t.Helper()
	f, err := simulate.Parse([]byte(fleet), "fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	server, err := simulate.Start(f, "127.0.0.1:0", &log)
	if err != nil {
		t.Fatal(err)
	}
	text := fleetPlan
	for _, p := range f.Providers {
		text += fmt.Sprintf("  - {provider: %s, model: m, api: openai-chat, base_url: %q}\n", p.Name, server.URL(p.Name))
	}
	p, err := plan.Parse([]byte(text), "plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := runner.New(runner.Options{Plan: p, Dir: dir, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Run(context.Background(), context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	truths, err := simulate.ReadTruth(&log)
	if err != nil {
		t.Fatal(err)
	}
	return truths
}

package groundtruth

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/runner"
	"aircheck/internal/record/simulate"
)

// A fleet of one thinking model, asked not to think. Over real HTTP, through
// the real recorder: what it planted is what the views find.
const fleet = `
fleet: planted
seed: 11
behaviour:
  first_token: {median: 2ms, sigma: 0.2}
  gap: {median: 100us, sigma: 0.2}
  tokens_per_frame: 8
  answer: {tokens: 50}
  thinking: {tokens: 30}
providers:
  - {name: plain, models: [{name: m}]}
  - {name: twin, models: [{name: m}]}
  - {name: build, models: [{name: m, answer: {build: other, differs: 0.6}}]}
  - {name: cutter, models: [{name: m, faults: [{kind: silent_truncated, every: 3}]}]}
  - {name: thinker, models: [{name: m, ignores: reasoning_off}]}
  - {name: eater, models: [{name: m, faults: [{kind: starved, every: 4}]}]}
`

const fleetPlan = `
name: planted
windows: {count: 8, every: 400ms}
trials: 6
warmup: 0
parallel: 2
scenarios:
  - name: s
    prompts: prompts.jsonl
    params: {temperature: 0, max_tokens: 99, reasoning_effort: none, stream_options: {include_usage: true}}
    checks: [{regex: '\.$'}]
targets:
`

func TestFleet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	truths := recordFleet(t, dir)
	first, last := truths[0].ReceivedNs, truths[0].ReceivedNs
	for i := range truths {
		first, last = min(first, truths[i].ReceivedNs), max(last, truths[i].ReceivedNs)
	}
	boundary := time.Unix(0, first+(last-first)/2).UTC().Truncate(time.Second)
	// The price doubles at a full second in the middle of the run.
	prices := filepath.Join(dir, "prices.yaml")
	table := fmt.Sprintf("- id: twin\n  models: [{id: m, prices: [{prices: {input_mtok: 1, output_mtok: 3}}, {constraint: {start_time: %q, end_time: %q}, prices: {input_mtok: 2, output_mtok: 6}}]}]\n",
		boundary.Format(time.TimeOnly), boundary.Add(6*time.Hour).Format(time.TimeOnly))
	if err := os.WriteFile(prices, []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := build.Open(t.Context(), build.Options{Dir: filepath.Join(dir, "traces"), Prices: prices})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ask := func(query string, args ...any) string {
		t.Helper()
		table, err := duck.Query(t.Context(), r, "query", query, args...)
		if err != nil {
			t.Fatal(err)
		}
		return lines(table)
	}
	count := func(provider string, is func(*simulate.Truth) bool) (n int) {
		for i := range truths {
			if truths[i].Provider == provider && is(&truths[i]) {
				n++
			}
		}
		return n
	}
	want := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}

	// 48 requests a provider, six prompts, eight windows.
	want("plain and its twin", ask("SELECT coalesce(claim, verdict), distance, p FROM agreement WHERE provider_a = 'plain' AND provider_b = 'twin'"), "undecided 0 1")
	want("plain and another build", ask("SELECT claim, prompts, differing > 0, distance > 0.1, variation_a + variation_b FROM agreement WHERE provider_a = 'build' AND provider_b = 'plain'"),
		"differs 6 true true 0")

	thought := func(x *simulate.Truth) bool { return x.Tokens.Thinking > 0 }
	want("thinking that was off", ask("SELECT provider, off, off_ignored, off_unverified FROM thinking ORDER BY provider"), strings.Join([]string{
		"build 48 0 0", "cutter 48 0 0", fmt.Sprintf("eater 48 %d 0", count("eater", thought)), "plain 48 0 0",
		fmt.Sprintf("thinker 48 %d 0", count("thinker", thought)), "twin 48 0 0"}, "\n"))
	want("all of the thinker's", fmt.Sprint(count("thinker", thought)), "48")

	starved := count("eater", func(x *simulate.Truth) bool { return x.Outcome == "starved" })
	want("a budget eaten", ask("SELECT starved, budget_eaten FROM thinking WHERE provider = 'eater'"), fmt.Sprint(starved, starved))
	want("and its answers", ask("SELECT starved FROM fidelity WHERE provider = 'eater'"), "12")

	cut := count("cutter", func(x *simulate.Truth) bool { return x.Fault == simulate.SilentTruncated })
	found := ask("SELECT cut_short FROM fidelity WHERE provider = 'cutter'")
	var n int
	if fmt.Sscan(found, &n); n > cut || n < cut*3/4 { // a cut may fall on the end of a sentence
		t.Errorf("silent truncation: found %d of %d", n, cut)
	}
	want("cut short elsewhere", ask("SELECT sum(cut_short)::BIGINT FROM fidelity WHERE provider <> 'cutter'"), "0")
	want("checks", ask("SELECT checked, checked - passed >= $1 FROM fidelity WHERE provider = 'cutter'", int64(n)), "48 true")

	// Tokens as the fleet counted them, at the price of each request's time.
	var owed, before int64
	for i := range truths {
		if x := &truths[i]; x.Provider == "twin" {
			cost := 1000*int64(x.Tokens.Input) + 3000*int64(x.Tokens.Answer)
			if time.Unix(0, x.ReceivedNs).UTC().Before(boundary) {
				before++
			} else {
				cost *= 2
			}
			owed += cost
		}
	}
	if before == 0 || before == 48 {
		t.Fatalf("%d of 48 requests before the price changed at %v", before, boundary)
	}
	want("a price change", ask("SELECT prices, round(spend_high_usd * 1e9)::BIGINT, undated FROM costs WHERE provider = 'twin'"), fmt.Sprint(2, " ", owed, " ", 0))
}

// recordFleet records the plan against the fleet, and gives the fleet's truth.
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
	var prompts string
	for i := range 6 {
		prompts += fmt.Sprintf("\"Tell me of harbour number %d.\"\n", i)
	}
	if err := os.WriteFile(filepath.Join(dir, "prompts.jsonl"), []byte(prompts), 0o644); err != nil {
		t.Fatal(err)
	}
	text := fleetPlan
	for _, p := range f.Providers {
		text += fmt.Sprintf("  - {provider: %s, model: m, api: openai-chat, base_url: %q}\n", p.Name, server.URL(p.Name))
	}
	p, err := plan.Parse([]byte(text), filepath.Join(dir, "plan.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rec, err := runner.New(runner.Options{Plan: p, Dir: filepath.Join(dir, "traces"), Getenv: func(string) string { return "" }})
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

package groundtruth

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
)

// A small model is right on three of four prompts for a tenth of the price.
// Routed: $0.0001 + ¼ · $0.001 a prompt, as useful as the large one alone, 65 %
// cheaper; the fourth prompt takes both times.
func TestRouting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d, err := Create(dir, "r")
	if err != nil {
		t.Fatal(err)
	}
	at := Day
	for w := range 8 {
		for p := range 4 {
			for _, model := range []string{"small", "large"} {
				at = at.Add(time.Minute)
				a := Answer{Provider: "p", Model: model, Scenario: "s", Workload: "chat", Prompt: fmt.Sprint("h", p), Window: w, Trial: p, At: at,
					FirstToken: 100 * time.Millisecond, Text: "The answer is 4.", Input: 50, Output: 50, Checks: `[{"number":4}]`}
				if model == "large" {
					a.FirstToken = 400 * time.Millisecond
				} else if p == 3 {
					a.Text = "The answer is 5."
				}
				if _, err := d.Add(a); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := d.Seal(); err != nil {
		t.Fatal(err)
	}
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	table := "- id: p\n  models:\n    - {id: small, prices: {input_mtok: 1, output_mtok: 1}}\n    - {id: large, prices: {input_mtok: 10, output_mtok: 10}}\n"
	if err := os.WriteFile(prices, []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	o := build.Options{Dir: dir, Prices: prices}
	// Three pieces of text, the finish, the usage and the end: 250 ms after the first token.
	got := rows(t, o, `SELECT workload, policy, prompts, n, n_windows, escalated, useful_share, default_useful_share, always_useful_share,
		round(cost_usd * 1e9)::BIGINT, round(always_cost_usd * 1e9)::BIGINT, round(saving_share, 6), p50_ms, p95_ms, default_p50_ms, always_p50_ms,
		round(cost_per_useful_lo_usd * 1e9)::BIGINT, round(cost_per_useful_hi_usd * 1e9)::BIGINT, round(default_cost_per_useful_usd * 1e9)::BIGINT, warning FROM routing`)
	want := "chat small at p, then large at p 4 32 8 8 1 0.75 1 350000 1000000 0.65 350 1000 350 650 350000 350000 133333 "
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

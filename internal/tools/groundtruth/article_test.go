package groundtruth

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
)

const articlePrices = `
as_of: 2026-03-01
providers:
  - id: north
    models:
      - {id: gpt-oss-120b, prices: {input_mtok: 0.10, output_mtok: 0.50}}
      - {id: large, prices: {input_mtok: 5, output_mtok: 25}}
  - id: south
    models:
      - {id: gpt-oss-120b, prices: {input_mtok: 0.10, output_mtok: 0.566666667}}
      - {id: large, prices: {input_mtok: 5, output_mtok: 25}}
      - {id: small, prices: {input_mtok: 0.02, output_mtok: 0.193333334}}
`

// The figures of the article that the project starts from: one model at
// $0.00017 and $0.00019 an answer on two providers, 12 % apart; another at
// $0.015, the smallest at $0.00006, 250 times less; a median first token after
// 0.29 s against a worst of 0.35 s. A dataset that was built to them shows them.
func TestTheArticlesFigures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d, err := Create(dir, "article")
	if err != nil {
		t.Fatal(err)
	}
	// 200 tokens in and 300 out: (200·0.10 + 300·0.50) / 10⁶ = $0.00017, and so on.
	for _, offer := range []struct {
		provider, model string
		input, output   int64
	}{
		{"north", "gpt-oss-120b", 200, 300},
		{"south", "gpt-oss-120b", 200, 300},
		{"north", "large", 500, 500},
		{"south", "large", 500, 500},
		{"south", "small", 100, 300},
	} {
		for w := range 12 {
			for k := range 5 {
				// A third at 0.29 s, as many below as above, one at 0.35 s.
				first := 290 * time.Millisecond
				switch n := w*5 + k; {
				case n == 59:
					first = 350 * time.Millisecond
				case n%3 == 0:
					first -= time.Duration(n) * time.Millisecond / 2
				case n%3 == 1:
					first += time.Duration(n) * time.Millisecond / 2
				}
				_, err := d.Add(Answer{Provider: offer.provider, Model: offer.model, Scenario: "chat", Prompt: "h", Window: w, Trial: k,
					At: Day.Add(time.Duration(w) * 2 * time.Hour), FirstToken: first, Text: "Because air scatters blue light.",
					Input: offer.input, Output: offer.output, Checks: `[{"contains":"scatter"}]`})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := d.Seal(); err != nil {
		t.Fatal(err)
	}
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(prices, []byte(articlePrices), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := build.Open(t.Context(), build.Options{Dir: dir, Prices: prices})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	one := func(query string) []float64 {
		t.Helper()
		table, err := duck.Query(t.Context(), r, "query", query)
		if err != nil {
			t.Fatal(err)
		}
		var out []float64
		for _, v := range table.Rows[0] {
			f, _ := v.(float64)
			out = append(out, f)
		}
		return out
	}
	near := func(what string, got, want, by float64) {
		t.Helper()
		if math.Abs(got-want) > by {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	per := func(provider, model string) float64 {
		return one(fmt.Sprintf("SELECT cost_per_useful_usd FROM costs WHERE provider = '%s' AND model = '%s'", provider, model))[0]
	}
	near("one model at the first provider", per("north", "gpt-oss-120b"), 0.00017, 1e-9)
	near("and at the second", per("south", "gpt-oss-120b"), 0.00019, 1e-9)
	near("another model", per("north", "large"), 0.015, 1e-9)
	near("the smallest", per("south", "small"), 0.00006, 1e-9)
	near("between models", per("south", "large")/per("south", "small"), 250, 0.01)

	// Provider pairs: 0.00019/0.00017 and 1; model pairs: 0.015/0.00017 and 0.015/0.00019.
	v := one("SELECT provider_ratio_max, model_ratio, leverage, model_ratio_lo, model_ratio_hi FROM cost_leverage")
	near("apart by provider", v[0], 1.1176, 0.0001)
	near("apart by model", v[1], (0.015/0.00017+0.015/0.00019)/2, 0.01)
	near("leverage", v[2], v[1]/((0.00019/0.00017+1)/2), 0.01)
	near("its interval", v[4]-v[3], 0, 1e-9) // every window costs the same

	l := one("SELECT p50, max FROM latency WHERE metric = 'ttft_net_ms' AND provider = 'north' AND model = 'gpt-oss-120b'")
	near("median first token", l[0], 290, 0.001)
	near("worst first token", l[1], 350, 0.001)
}

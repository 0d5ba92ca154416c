package prices_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/rules/prices"
	"aircheck/internal/tools/corpus"
)

func TestMatching(t *testing.T) {
	table := load(t, `
- id: maker
  aliases: [maker-ai]
  api_pattern: 'https://api\.maker\.example'
  provider_match: {or: [{contains: maker}, {and: [{starts_with: m}, {ends_with: x}]}]}
  models:
    - {id: A-1, prices: {input_mtok: 1, output_mtok: 1}}
    - {id: b, match: {starts_with: Bee-}, prices: {input_mtok: 2, output_mtok: 2}}
    - {id: c, match: {or: [{contains: -see-}, {regex: '^sea-\d+$'}]}, prices: {input_mtok: 3, output_mtok: 3}}
    - {id: d, match: {and: [{starts_with: d}, {ends_with: -pro}]}, prices: {input_mtok: 4, output_mtok: 4}}
    - {id: any-d, match: {starts_with: d}, prices: {input_mtok: 5, output_mtok: 5}}
- id: cloud
  fallback_model_providers: [maker]
  models:
    - {id: a-1, prices: {input_mtok: 9, output_mtok: 9}}
`)
	for _, c := range []struct {
		provider, url, sent, model string
		want                       int64 // dollars; 0: none
	}{
		{"maker", "", "a-1", "", 1},
		{"Maker AI", "", "A-1", "", 1},
		{"maker_ai", "", "BEE-9", "", 2},
		{"supermaker", "", "x-see-y", "", 3},
		{"max", "", "sea-12", "", 3},
		{"maker", "", "sea-", "", 0},
		{"maker", "", "d-pro", "", 4},
		{"maker", "", "d-mini", "", 5},
		{"maker", "", "org/unknown", "a-1", 1}, // the canonical name, where the sent one is not known
		{"maker", "", "d-mini", "a-1", 5},      // the sent name first
		{"own-name", "", "a-1", "", 0},         // never by the model alone
		{"own-name", "api.maker.example", "a-1", "", 1},
		{"own-name", "https://api.maker.example/v1", "a-1", "", 1},
		{"own-name", "https://evil.example/https://api.maker.example", "a-1", "", 0},
		{"cloud", "", "a-1", "", 9},
		{"cloud", "", "bee-1", "", 2},
	} {
		q, ok := table.Price(prices.Query{Provider: c.provider, URL: c.url, ModelID: c.sent, Model: c.model, Usage: prices.Usage{Input: n(1e6), Output: n(0)}})
		if ok != (c.want > 0) || q.Total != c.want*1e9 {
			t.Errorf("%+v: %d (%s)", c, q.Total, q.Missing)
		}
	}
	q, _ := table.Price(prices.Query{Provider: "cloud", ModelID: "bee-1", Usage: prices.Usage{Input: n(1), Output: n(1)}})
	if len(q.Notes) != 1 || q.Notes[0] != "no price of cloud: that of maker; found by a part of the name bee-1: that of b, which may be another model" || q.Source != "maker/b" {
		t.Errorf("resold model: %+v", q)
	}
}

func TestFaultsAreNamed(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"- id: p\n  modles: []", `prices.yaml:2:3: unknown key "modles"; the nearest known key is "models"`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtoks: 1}", `prices.yaml:4:16: unknown price "input_mtoks"; the nearest known one is "input_mtok"`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: cheap}", `prices.yaml:4:28: wants a price in US dollars, got "cheap"`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: \"1\"}", `prices.yaml:4:28: wants a price in US dollars, got "1"`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: -1}", `prices.yaml:4:28: a price cannot be negative, got -1`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: .inf}", `prices.yaml:4:28: wants a price in US dollars, got ".inf"`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: 1e999999999}", `prices.yaml:4:28: wants a price in US dollars, got "1e999999999"`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: 1e7}", `prices.yaml:4:28: wants a price below a million dollars, got 1e7`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: .nan}", `prices.yaml:4:28: wants a price in US dollars, got ".nan"`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: {bas: 1}}", `prices.yaml:4:29: unknown key "bas"; the nearest known key is "base"`},
		{"- id: p\n  models:\n    - id: m\n      prices: {input_mtok: {base: 1, tiers: [{start: 5, price: 1}, {start: 2, price: 1}]}}", `prices.yaml:4:28: tiers want to rise by their start`},
		{"- id: p\n  models:\n    - id: m\n      prices: [{constraint: {start_date: soon}, prices: {input_mtok: 1}}]", `prices.yaml:4:42: wants a date such as 2026-08-13, got "soon"`},
		{"- id: p\n  models:\n    - id: m\n      prices: [{constraint: {start_time: 1:00}, prices: {input_mtok: 1}}]", `prices.yaml:4:16: hours want both start_time and end_time`},
		{"- id: p\n  models:\n    - id: m\n      prices: [{constraint: {start_date: 2026-01-01}}]", `prices.yaml:4:16: no prices for text here`},
		{"- id: p\n  models:\n    - id: m", `prices.yaml:3:7: model "m" has no prices`},
		{"- id: p\n  models:\n    - prices: {input_mtok: 1}", `prices.yaml:3:7: a model wants an id`},
		{"- id: p\n  models:\n    - {id: m, match: {equals: a, contains: b}, prices: {input_mtok: 1}}", `prices.yaml:3:22: a match wants exactly one of equals, starts_with, ends_with, contains, regex, or, and; got 2`},
		{"- id: p\n  models:\n    - {id: m, match: {regex: '(?!x)'}, prices: {input_mtok: 1}}", "prices.yaml:3:22: regex \"(?!x)\": error parsing regexp: invalid or unsupported Perl syntax: `(?!`"},
		{"- id: p\n- id: q\n  aliases: [P]", `prices.yaml:2:3: provider "p" is already named "P"`},
		{"- id: p\n  fallback_model_providers: [q]", `prices.yaml:1:3: fallback_model_providers names "q", which is no provider here`},
		{"as_off: 2026-01-01", `prices.yaml:1:1: unknown key "as_off"; the nearest known key is "as_of"`},
		{`{"providers": [{"id": "p", "modles": []}]}`, `prices.yaml:1:28: unknown key "modles"; the nearest known key is "models"`},
		{"", `prices.yaml: the file is empty`},
	} {
		_, err := prices.Load(strings.NewReader(c.in), "prices.yaml")
		if err == nil {
			t.Errorf("%q: no error", c.in)
			continue
		}
		if want := "read price table: " + c.want; err.Error() != want {
			t.Errorf("%q:\n got %s\nwant %s", c.in, err, want)
		}
	}
}

// Names that plans use, and what they cost by the embedded table.
func TestEmbedded(t *testing.T) {
	table := prices.Embedded()
	if table.AsOf.IsZero() || len(table.Sources) == 0 || table.ID == "" {
		t.Errorf("the table does not say what it is: %v %v %q", table.AsOf, table.Sources, table.ID)
	}
	for _, c := range []struct {
		provider, model, tier, at string
		input                     int64 // nano-dollars for a thousand tokens
	}{
		{"openai", "gpt-4o-mini", "", "2026-08-01", 150_000},
		{"openai", "gpt-4o-2024-05-13", "", "2026-08-01", 5_000_000},
		{"openai", "o3", "", "2025-06-09", 10_000_000},
		{"openai", "o3", "", "2025-06-10", 2_000_000},
		{"openai", "gpt-5.4", "priority", "2026-08-01", 5_000_000},
		{"azure-openai", "gpt-4o-mini", "", "2026-08-01", 150_000}, // by way of OpenAI's list
		{"anthropic", "claude-sonnet-4-6", "", "2026-04-01", 3_000_000},
		{"amazon-bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", "", "2026-08-01", 3_300_000},
		{"Google Vertex", "gemini-2.5-pro", "", "2026-08-01", 1_250_000},
		{"gemini", "gemini-2.5-flash", "", "2026-08-01", 300_000},
		{"fireworks-ai", "accounts/fireworks/models/gpt-oss-120b", "", "2026-08-01", 150_000},
		{"groq", "openai/gpt-oss-120b", "on_demand", "2026-08-01", 150_000},
		{"moonshot", "kimi-k2.7-code-highspeed", "", "2026-08-01", 1_900_000},
		{"together_ai", "meta-llama/Llama-3.3-70B-Instruct-Turbo", "", "2026-08-01", 880_000},
		{"xai", "grok-4", "", "2026-08-01", 3_000_000},
		{"deepseek", "deepseek-chat", "", "2026-08-01", 135_000}, // midnight: off-peak
	} {
		q, ok := table.Price(prices.Query{Provider: c.provider, ModelID: c.model, ServiceTier: c.tier, At: day(c.at), Usage: prices.Usage{Input: n(1000), Output: n(0)}})
		if !ok || q.Total != c.input {
			t.Errorf("%s %s %s: %d (%s), want %d", c.provider, c.model, c.tier, q.Total, q.Missing, c.input)
		}
	}
	for _, name := range []string{"openai-like", "anyscale", "lepton", ""} {
		if q, ok := table.Price(prices.Query{Provider: name, ModelID: "gpt-4o", Usage: prices.Usage{Input: n(1), Output: n(1)}}); ok {
			t.Errorf("%q has a price: %+v", name, q)
		}
	}
	if q, _ := table.Price(prices.Query{Provider: "openai", ModelID: "gpt-4o", At: day("2024-06-01"), Usage: prices.Usage{Input: n(1), Output: n(1)}}); !q.Undated {
		t.Error("today's price is dated two years back")
	}
}

// A published file of the v2 form is a table as it is.
func TestPublishedFile(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus.Dir(t), "prices", "genai-prices", "prices~new_data~v2~data_slim.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := prices.Load(f, "data_slim.json")
	if err != nil {
		t.Fatal(err)
	}
	// Its clauses guess a provider from a part of the name.
	q, ok := table.Price(prices.Query{Provider: "my-anthropic", ModelID: "claude-opus-4-5", Usage: prices.Usage{Input: n(1e6), Output: n(0)}})
	if !ok || q.Total != 5e9 {
		t.Errorf("quote: %+v", q)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(shop)
	f.Add(dated)
	f.Add(`{"providers": [{"id": "p", "models": [{"id": "m", "match": {"or": []}, "prices": {"input_mtok": 1e-9}}]}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		table, err := prices.Load(strings.NewReader(s), "f")
		if err != nil {
			return
		}
		// Whatever was read can be asked.
		q, ok := table.Price(prices.Query{Provider: "p", Model: "m", At: day("2026-08-13"), Usage: prices.Usage{Input: n(1 << 40), Cached: n(5), Output: n(1 << 40)}})
		if ok != (q.Missing == "") || q.Total < 0 {
			t.Errorf("quote: %+v", q)
		}
	})
}

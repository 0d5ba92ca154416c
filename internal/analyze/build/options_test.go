package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/kit/duck"
	"aircheck/schema"
)

// option writes an option's file.
func option(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// stated is a row of a source's own figures: first token after ms.
func (f *fixture) stated(provider, model string, ms int64, edit func(*schema.Request)) {
	f.request(func(q *schema.Request) {
		q.Provider, q.Model, q.ModelID, q.Detail = provider, model, new(model), "requests"
		q.ReportedTTFTNs, q.ReportedLastTokenNs, q.EndNs = new(ms*1e6), new(ms*1e6+1e9), new(ms*1e6+1e9)
		q.ReportedFinishReason, q.ReportedOutputTokens = new("stop"), new(int64(100))
		if edit != nil {
			edit(q)
		}
	})
}

// checkQueries compares what queries give, as text, over one opened dataset.
func checkQueries(t *testing.T, o Options, want map[string]string) {
	t.Helper()
	r, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for q, want := range want {
		got, err := duck.Query(t.Context(), r, "query", q)
		if err != nil {
			t.Errorf("%s: %v", q, err)
		} else if text1(got) != want {
			t.Errorf("%s: got %q, want %q", q, text1(got), want)
		}
	}
}

func TestExclusionsTakeRowsOutOfMeasured(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	for _, ms := range []int64{100, 200, 300, 9000} {
		f.stated("p", "m", ms, nil)
	}
	f.stated("p", "m", 9000, func(q *schema.Request) { q.Phase = "warmup" })
	f.seal()
	o := Options{Dir: dir, Exclusions: option(t, "exclusions.yaml", `
exclusions:
  - predicate: ttft_ms > 5000
    reason: our line was down
    date: 2026-03-02
  - predicate: e2e_ms > 1250 AND provider = 'p'
    reason: later doubt
    date: 2026-03-03
  - predicate: false
    reason: a mistake
    date: 2026-03-04
`)}
	checkQueries(t, o, map[string]string{
		"SELECT count(*), count(*) FILTER (measured), count(excluded) FROM results": "5 2 3",
		"SELECT excluded FROM results WHERE ttft_ms = 9000 AND phase = 'measure'":   "our line was down",
		"SELECT n, max FROM latency WHERE metric = 'ttft_ms'":                       "2 200",
		"SELECT place, reason, date, matches, excluded FROM exclusions":             "1 our line was down 2026-03-02 2 2\n2 later doubt 2026-03-03 3 1\n3 a mistake 2026-03-04 0 0",
		"SELECT n, \"of\", severity FROM audit WHERE rule = 'excluded'":             "3 5 note",
	})
	// Without the file all of them are back, and nothing was lost.
	checkQueries(t, Options{Dir: dir}, map[string]string{
		"SELECT count(*) FILTER (measured), (SELECT count(*) FROM exclusions) FROM results": "4 0",
	})
}

// A predicate knows one request, and the same data gives the same numbers.
func TestExclusionsAreRepeatable(t *testing.T) {
	dir := sealed(t)
	for predicate, want := range map[string]string{
		"random() < 0.5":                                            "random may give another value each time",
		"started_at < now()":                                        "now may give another value each time",
		"started_at < current_timestamp":                            "current_timestamp may",
		"started_at < CURRENT_DATE":                                 "current_date may",
		"started_at < localtimestamp":                               "localtimestamp may",
		"age(started_at) > INTERVAL 1 DAY":                          "age may",
		"(SELECT count(*) FROM '/tmp/x/*.parquet') > 0":             "a predicate knows the columns of one request only",
		"ttft_ms > (SELECT avg(ttft_ms) FROM results)":              "it reads results",
		"request_id IN (SELECT request_id FROM read_csv('/x.csv'))": "read_csv",
	} {
		o := Options{Dir: dir, Exclusions: option(t, "exclusions.yaml", "exclusions:\n  - {predicate: \""+predicate+"\", reason: a test, date: 2026-03-01}\n")}
		if _, err := Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", predicate, err, want)
		}
	}
}

func TestAliasesBringSpellingsTogether(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.stated("Together AI", "llama-3.1-8b", 100, nil)
	f.stated("together.ai", "Meta-Llama-3.1-8B-Instruct-Turbo", 300, nil)
	f.stated("other", "x", 500, func(q *schema.Request) { q.ModelID = new("groq/Llama8@fp8") })
	f.seal()
	o := Options{Dir: dir, Aliases: option(t, "aliases.yaml", `
providers:
  together: [Together AI, TOGETHER.ai]
models:
  llama-3.1-8b: [meta-llama-3.1-8b-instruct-turbo]
ids:
  groq/llama8@fp8: {provider: groq, model: llama-3.1-8b, precision: fp8}
`)}
	checkQueries(t, o, map[string]string{
		"SELECT provider, model, count(*) FROM results GROUP BY ALL ORDER BY ALL":         "groq llama-3.1-8b 1\ntogether llama-3.1-8b 2",
		"SELECT provider, n, p50 FROM latency WHERE metric = 'ttft_ms' ORDER BY provider": "groq 1 500\ntogether 2 200",
		"SELECT precision FROM results WHERE provider = 'groq'":                           "fp8",
		"SELECT provider FROM requests ORDER BY request_id":                               "Together AI\ntogether.ai\nother", // as recorded
	})
}

func TestPeriodsCutTime(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	for month, leader := range []string{"a", "b"} {
		f.base = time.Date(2026, time.Month(3+month), 1, 10, 0, 0, 0, time.UTC)
		for window := range 12 {
			for range 5 {
				for _, provider := range []string{"a", "b"} {
					ms := int64(200 + f.n%7)
					if provider != leader {
						ms *= 3
					}
					f.stated(provider, "m", ms, func(q *schema.Request) { q.Window = new(string(rune('A' + 12*month + window))) })
				}
			}
		}
	}
	f.seal()
	const q = "SELECT at_1, at_2, leader_1, leader_2 FROM flips WHERE axis = 'period' AND metric = 'ttft_ms'"
	checkQueries(t, Options{Dir: dir, Period: "month"}, map[string]string{q: "2026-03 2026-04 a b"})
	checkQueries(t, Options{Dir: dir}, map[string]string{q: "first half second half a b"})
	if _, err := Open(t.Context(), Options{Dir: dir, Period: "moon"}); err == nil {
		t.Error("a period of one moon was accepted")
	}
}

// A refused request is free, whatever tokens its source states, and so adds
// nothing to any sum.
func TestRefusedRequestsHaveNoCost(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	tokens := func(status int32) func(*schema.Request) {
		return func(q *schema.Request) {
			q.HTTPStatus, q.ReportedInputTokens, q.ReportedOutputTokens = &status, new(int64(1000)), new(int64(10))
			if status >= 400 {
				q.ReportedError, q.ReportedTTFTNs, q.ReportedText, q.ReportedFinishReason = new("rate limit"), nil, nil, nil
			}
		}
	}
	f.stated("p", "m", 100, tokens(200))
	f.stated("p", "m", 100, tokens(429))
	f.seal()
	o := Options{Dir: dir, Prices: option(t, "prices.yaml", "- id: p\n  models: [{id: m, prices: {input_mtok: 1, output_mtok: 10}}]\n")}
	checkQueries(t, o, map[string]string{
		"SELECT outcome, billing, cost_nanousd FROM results ORDER BY request_id":                          "ok billed 1100000\nrate_limited free ",
		"SELECT round(spend_high_usd * 1e9)::BIGINT, price_coverage FROM costs":                           "1100000 1",
		"SELECT sum(cost_nanousd) = (SELECT round(spend_high_usd * 1e9)::BIGINT FROM costs) FROM results": "true",
	})
}

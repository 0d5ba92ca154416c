package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/schema"
)

// market writes ten windows of two providers of one model. A prompt has 100 tokens
// and an answer 50; each window also has a long prompt of 1000. At a all is answered
// within 300 ms; b answers in 900 ms, and one of four short prompts fails.
func market(t *testing.T) *build.Reader {
	t.Helper()
	dir := t.TempDir()
	w, err := schema.Create(dir, "20260301T000000Z-market")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var ids schema.IDs
	order := int32(0)
	for window := range 10 {
		for _, provider := range []string{"a", "b"} {
			for trial := range 5 {
				order++
				at := start.Add(time.Duration(window)*time.Hour + time.Duration(order)*time.Second)
				ms, input, status := int64(300), int64(100), int32(200)
				if provider == "b" {
					ms = 900
				}
				if trial == 4 {
					input = 1000
				}
				q := &schema.Request{
					RequestID: ids.Next(at), OrderIndex: order, Attempt: 1, Origin: "imported:market", Detail: "requests", Phase: "measure",
					Provider: provider, Model: "m", Scenario: new("s"), Concurrency: new(int32(1)), Window: new(fmt.Sprintf("w%02d", window)),
					StartedAtNs: new(at.UnixNano()), Streamed: new(true), EndReason: new("eof"), EndNs: new(ms * 1e6), ReportedInputTokens: new(input),
				}
				if provider == "b" && trial == 0 {
					status, q.ReportedError = 500, new("internal error")
				} else {
					q.ReportedTTFTNs, q.ReportedLastTokenNs = new(ms*1e6/2), new(ms*1e6)
					q.ReportedOutputTokens, q.ReportedFinishReason = new(int64(50)), new("stop")
				}
				q.HTTPStatus = &status
				w.Begin(q.RequestID)
				if err := w.Write(q, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := w.Seal(&schema.Run{Name: "market", Origin: "imported:market", Tool: "test", Host: "test", StartedAtNs: start.UnixNano(), EndedAtNs: start.UnixNano()}); err != nil {
		t.Fatal(err)
	}
	prices := filepath.Join(dir, "prices.yaml")
	list := "as_of: 2026-03-01\nproviders:\n"
	for provider, usd := range map[string]string{"a": "1", "b": "2"} {
		list += fmt.Sprintf("  - {id: %s, models: [{id: m, prices: {input_mtok: %s, output_mtok: 10}}]}\n", provider, usd)
	}
	if err := os.WriteFile(prices, []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := build.Open(t.Context(), build.Options{Dir: dir, Prices: prices})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func ask(t *testing.T, r *build.Reader, query string) string {
	t.Helper()
	table, err := duck.Query(t.Context(), r.Conn, "query", query)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Trim(fmt.Sprint(table.Rows), "[]")
}

// A bill, lateness and failures are those of the requests that are alike, and of no
// others: a million short ones cost (100 + 50×10) $/M at a, whatever the long cost.
func TestProject(t *testing.T) {
	r := market(t)
	mix, err := ParseMix([]byte("traffic: [{input_tokens: 80, output_tokens: 60, a_month: 1000000}]\nlimits: {e2e_ms: 500}"), "mix.yaml", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := Project(t.Context(), r, mix); err != nil {
		t.Fatal(err)
	}
	const told = "SELECT provider, n, n_windows, round(bill_usd, 6), round(bill_lo_usd, 6), late_share, round(failures_a_day * 30.4375, 3), covered_share, warning FROM projection WHERE provider = "
	if got := ask(t, r, told+"'a'"); got != "a 40 10 600 600 0 0 1 <nil>" {
		t.Errorf("a: %s", got)
	}
	// Late: all that answer take 900 ms. A failed request costs its input where it is charged.
	if got := ask(t, r, told+"'b'"); !strings.HasPrefix(got, "b 40 10 ") || !strings.HasSuffix(got, " 1 250000 1 <nil>") {
		t.Errorf("b: %s", got)
	}

	mix, err = ParseMix([]byte("traffic: [{input_tokens: 100, a_month: 300}, {input_tokens: 50000, a_month: 100}]"), "mix.yaml", 800)
	if err != nil {
		t.Fatal(err)
	}
	if err := Project(t.Context(), r, mix); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, r, "SELECT requests_a_month, covered_share, warning FROM projection WHERE provider = 'a'"); got != "800 0.75 part of the mix was not recorded" {
		t.Errorf("what was not recorded: %s", got)
	}
}

func TestFaultsOfAMix(t *testing.T) {
	for text, want := range map[string]string{
		"traffic: []":                                          "mix.yaml:1:1: no traffic",
		"traffic:\n  - {input_tokens: 5}":                      "mix.yaml:2:5: a shape needs a_month",
		"traffic:\n  - {a_month: 5, input_tokens: 0}":          "mix.yaml:2:32: input_tokens: want",
		"traffic:\n  - {a_month: 5, input: 7}":                 "unknown key",
		"traffic:\n  - {a_month: 5}\nlimits:\n  ttft_nt_ms: 5": "mix.yaml:4:15: no limit of \"ttft_nt_ms\"",
		"traffic:\n  - {a_month: 5}\nlimits:\n  e2e_ms: -5":    "mix.yaml:4:11: limit of e2e_ms",
	} {
		if _, err := ParseMix([]byte(text), "mix.yaml", 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A log becomes shapes, scaled to a month.
func TestMixOfALog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(log, []byte("model,input_tokens,output_tokens,started_at\nm,100,50,2026-03-01 00:00:00\nm,110,52,2026-03-02 00:00:00\nm,5000,50,2026-03-03 00:00:00\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	mix, err := ReadMix(t.Context(), log, 0)
	if err != nil || len(mix.Shapes) != 2 || *mix.Shapes[0].Input != 105 || mix.Shapes[0].Month != 2*daysAMonth/2 || mix.Shapes[1].Model != "m" {
		t.Errorf("%+v, %v", mix, err)
	}
	mix, err = ReadMix(t.Context(), log, 300)
	if err != nil || mix.Shapes[0].Month != 200 {
		t.Errorf("%+v, %v", mix, err)
	}
}

func TestSwitch(t *testing.T) {
	r := market(t)
	if err := Switch(t.Context(), r, "a", "b"); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, r, "SELECT from_value, to_value, round(change, 2), verdict FROM switched WHERE item LIKE 'time to the whole answer%'"); got != "300 900 3 supported" && !strings.HasPrefix(got, "300 900 3 ") {
		t.Errorf("speed: %s", got)
	}
	if got := ask(t, r, "SELECT from_value, to_value FROM switched WHERE item = 'share answered'"); got != "100.0 % 80.0 %" {
		t.Errorf("answered: %s", got)
	}
	if err := Switch(t.Context(), r, "b", "a"); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, r, "SELECT round(change, 2) FROM switched WHERE item LIKE 'time to the whole answer%'"); got != "0.33" {
		t.Errorf("the other way round: %s", got)
	}
	if err := Switch(t.Context(), r, "a", "bb"); err == nil || !strings.Contains(err.Error(), `no provider "bb"`) {
		t.Errorf("an unknown provider: %v", err)
	}
}

func TestFacts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "facts.yaml")
	for text, want := range map[string]string{
		"facts:\n  - {provider: a, what: residency, says: EU, source: 'https://a.example', date: 2026-03-01}": "",
		"facts:\n  - {provider: a, what: residency, says: EU}":                                                ":2:5: a fact needs",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		list, err := ReadFacts(path)
		if want == "" && (err != nil || len(list) != 1 || list[0].Says != "EU") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v, %v", text, list, err)
		}
	}
}

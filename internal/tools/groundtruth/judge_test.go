package groundtruth

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/settings"
)

// judged is a recording of six answers: what the plan's checks say of them, a
// call, a truncated one, one whose checks cannot be read, and a failure.
func judged(t *testing.T) (dir string, ids []int64) {
	t.Helper()
	dir = t.TempDir()
	d, err := Create(dir, "r")
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range []Answer{
		{Text: "The answer is 42.", Checks: `[{"number":42},{"min_chars":5}]`},
		{Text: "It is 41.", Checks: `[{"number":42},{"min_chars":5}]`},
		{Calls: `[{"index":0,"id":"c","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]`, Finish: "tool_calls",
			Checks: `[{"tool_call":{"name":"get_weather","arguments":{"required":["city"]}}}]`},
		{Text: "The answer is 42 and", Finish: "length", Checks: `[{"number":42}]`},
		{Text: "The answer is 42.", Checks: `[{"nombre":42}]`},
		{Status: 500, Checks: `[{"number":42}]`},
	} {
		a.Provider, a.Model, a.Scenario, a.Prompt, a.At, a.Input, a.Output = "p", "m", "s", fmt.Sprint("h", i), Day.Add(time.Duration(i)*time.Second), 5, 5
		id, err := d.Add(a)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := d.Seal(); err != nil {
		t.Fatal(err)
	}
	return dir, ids
}

const verdicts = "SELECT useful, complete, checks_passed, check_failures, checks_unjudged, score FROM results ORDER BY request_id"

func TestChecksOfThePlan(t *testing.T) {
	t.Parallel()
	dir, _ := judged(t)
	want := `true true 2 0 0 
false true 1 1 0 
true true 1 0 0 
false true 1 0 0 
 true 0 0 1 
false false    `
	if got := rows(t, build.Options{Dir: dir}, verdicts); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got := rows(t, build.Options{Dir: dir}, "SELECT check_index, kind, pass, evidence FROM checks WHERE NOT pass OR pass IS NULL ORDER BY ALL")
	want = `0 number false last number is 41
0   not judged: check 1: unknown check "nombre"; the nearest known one is "number"`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := rows(t, build.Options{Dir: dir}, "SELECT useful, warning LIKE '%1 answers could not be judged%' FROM costs"); got != "2 true" {
		t.Errorf("costs: got %s", got)
	}
}

// History is judged again by a rules file and by scores, without a new request
// and without decoding again.
func TestHistoryIsJudgedAnew(t *testing.T) {
	t.Parallel()
	dir, ids := judged(t)
	if _, err := build.Build(t.Context(), build.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	o := build.Options{Dir: dir,
		Checks: write("rules.yaml", "rules:\n  - {prompt_hash: h1, checks: [{contains: It}]}\n  - {prompt_hash: h4, checks: []}\n  - {scenario: s, score: 0.8}\n"),
		Scores: write("scores.csv", fmt.Sprintf("request_id,score,threshold\n%d,0.7,\n%d,0.1,0.05\n%d,,\n%d,0.9,\n999,1,\n", ids[0], ids[1], ids[2], ids[4]))}
	s, err := build.Build(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if s.Decoded != 0 {
		t.Errorf("decoded %d runs again", s.Decoded)
	}
	// The first falls short of its rule's least score, the second passes its new
	// check and its own threshold, the fifth lost its faulty check; its score of
	// 0.9 is judged by the default, since the first rule that fits states none.
	want := `false true 2 0 0 0.7
true true 1 0 0 0.1
true true 1 0 0 
false true 1 0 0 
true true    0.9
false false    `
	if got := rows(t, o, verdicts); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := rows(t, o, "SELECT useful, basis FROM costs"); got != "3 useful" {
		t.Errorf("costs: got %s", got)
	}
}

// A faulty file is named with the place of the fault, before anything is done.
func TestFaultyJudges(t *testing.T) {
	t.Parallel()
	dir, ids := judged(t)
	for _, c := range []struct{ option, text, want string }{
		{"checks", "rules:\n  - checks: [{contain: x}]\n", "f:2:14: unknown check \"contain\"; the nearest known one is \"contains\""},
		{"checks", "rules:\n  - checks: [{regex: '('}]\n", "f:2:14: regex: error parsing regexp: missing closing )"},
		{"scores", "id,score\n1,1\n", "want request_id or caller_request_id"},
		{"scores", "", "empty"},
		{"scores", "request_id,score\n1,good\n", "f:2: score \"good\" is no number"},
		{"scores", "request_id,score\n1,NaN\n", "f:2: score \"NaN\" is no number"},
		{"scores", "request_id,score,threshold\n1,1,x\n", "f:2: threshold \"x\" is no number"},
		{"scores", fmt.Sprintf("request_id,score\n%d,1\n%d,0\n", ids[0], ids[0]), "f:3: a second score for request"},
		{"prices", "- id: p\n  models: [{id: m, prices: {input_mtok: -1}}]\n", "f:2:"},
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		o := build.Options{Dir: dir, Cache: filepath.Join(t.TempDir(), "cache")}
		switch c.option {
		case "checks":
			o.Checks = path
		case "scores":
			o.Scores = path
		default:
			o.Prices = path
		}
		_, err := build.Build(t.Context(), o)
		var option *settings.Error
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, &option) {
			t.Errorf("%s %q: got %v, want %q", c.option, c.text, err, c.want)
		}
		if _, err := os.Stat(o.Cache); err == nil {
			t.Errorf("%s %q: something was derived", c.option, c.text)
		}
	}
	_, err := build.Build(t.Context(), build.Options{Dir: dir, Checks: filepath.Join(dir, "none.yaml")})
	if err == nil || !strings.Contains(err.Error(), "none.yaml") {
		t.Errorf("a missing file: got %v", err)
	}
}

// A failure that broke while it was being answered may be charged: for its
// input, as its prompt was counted elsewhere, and for what had arrived. One
// that was refused is free.
func TestFailuresMayBeCharged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d, err := Create(dir, "r")
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range []Answer{
		{Prompt: "h", Text: "one two three", Input: 1000, Output: 100},
		{Prompt: "h", Text: "one two", Cut: true},
		{Prompt: "h", Silent: true},
		{Prompt: "other", Silent: true}, // its prompt was counted nowhere: as others of the cell
		{Prompt: "h", Status: 500},
	} {
		a.Provider, a.Model, a.Scenario, a.At = "p", "m", "s", Day.Add(time.Duration(i)*time.Second)
		if _, err := d.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Seal(); err != nil {
		t.Fatal(err)
	}
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(prices, []byte("- id: p\n  models: [{id: m, prices: {input_mtok: 1, output_mtok: 10}}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := build.Options{Dir: dir, Prices: prices}
	want := `ok billed 2000000 
cut unknown 1020000 a failure, charged for its input and what had arrived, if at all
timeout unknown 1000000 a failure, charged for its input and what had arrived, if at all
timeout unknown 1000000 a failure, charged for its input and what had arrived, if at all
server_error free  `
	if got := rows(t, o, "SELECT outcome, billing, cost_nanousd, price_note FROM results ORDER BY request_id"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := rows(t, o, "SELECT round(spend_low_usd * 1e9)::BIGINT, round(spend_high_usd * 1e9)::BIGINT, free, uncertain, price_coverage, useful FROM costs"); got != "2000000 5020000 1 3 1 1" {
		t.Errorf("costs: got %s", got)
	}
}

// The tier that was served is billed, whatever was asked for.
func TestServedTierIsBilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d, err := Create(dir, "r")
	if err != nil {
		t.Fatal(err)
	}
	for i, tier := range []string{"", "default", "priority", "unheard-of"} {
		_, err := d.Add(Answer{Provider: "p", Model: "m", Scenario: "s", At: Day.Add(time.Duration(i) * time.Second), Text: "Hi.", Input: 1, Output: 1, Tier: tier,
			Cost: []string{"0.0000021", "0.0000023", "", ""}[i]})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Seal(); err != nil {
		t.Fatal(err)
	}
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	table := "- id: p\n  models: [{id: m, prices: [{prices: {input_mtok: 1, output_mtok: 1}}, {constraint: {service_tier: priority}, prices: {input_mtok: 2, output_mtok: 2}}]}]\n"
	if err := os.WriteFile(prices, []byte(table), 0o644); err != nil {
		t.Fatal(err)
	}
	want := "2000 p/m \n2000 p/m \n4000 p/m priority \n  no price of p/m for service tier \"unheard-of\""
	if got := rows(t, build.Options{Dir: dir, Prices: prices}, "SELECT cost_nanousd, price_source, price_note FROM results ORDER BY request_id"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Its own figure beside ours: 4400 nano-dollars for two requests, ours are 4000.
	if got := rows(t, build.Options{Dir: dir, Prices: prices}, "SELECT round(reported_cost_usd * 1e9)::BIGINT, reported_requests, reported_ratio, price_coverage, prices FROM costs"); got != "4400 2 1.1 0.75 2" {
		t.Errorf("costs: got %s", got)
	}
}

package simulate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tiktoken-go/tokenizer"
)

const paramFleet = `
seed: 5
behaviour: {first_token: 2ms, gap: 100us, answer: {tokens: 22, texts: [{when: sky, text: "Air scatters blue light."}]}, thinking: {tokens: 8}}
providers:
  - name: good
    models: [{name: m}]
  - name: deaf
    behaviour: {ignores: [reasoning_off, max_tokens, stop, json_mode, usage, tools, n, logprobs]}
    models: [{name: m}]
  - name: strict
    behaviour: {rejects: [n, logprobs, tools]}
    models: [{name: m}]
`

// Every parameter of the probes is honoured, ignored or rejected as told.
func TestParameters(t *testing.T) {
	r := start(t, paramFleet)
	const toolList = `"tools":[{"type":"function","function":{"name":"weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]`
	for _, c := range []struct {
		extra   string
		honours func(h heard) bool
	}{
		{`"reasoning_effort":"none"`, func(h heard) bool { return h.thinking == "" }},
		{`"chat_template_kwargs":{"enable_thinking":false}`, func(h heard) bool { return h.thinking == "" }},
		{`"thinking":{"type":"disabled"}`, func(h heard) bool { return h.thinking == "" }},
		{`"reasoning":{"enabled":false}`, func(h heard) bool { return h.thinking == "" }},
		{`"max_tokens":12`, func(h heard) bool { return h.finish == "length" && len(tokenize(h.text)) == 4 }},
		{`"max_completion_tokens":5`, func(h heard) bool { return h.finish == "length" && h.text == "" && len(tokenize(h.thinking)) == 5 }},
		{`"stop":[" the"]`, func(h heard) bool { return h.finish == "stop" && !strings.Contains(h.text, " the") }},
		{`"response_format":{"type":"json_object"}`, func(h heard) bool { return json.Valid([]byte(h.text)) }},
		{`"stream_options":{"include_usage":true}`, func(h heard) bool {
			return h.usage != nil && h.usage.Completion == 30 && h.usage.CompletionIn.Reasoning == 8
		}},
		{toolList, func(h heard) bool {
			return h.call == "weather" && h.finish == "tool_calls" && strings.HasPrefix(h.args, `{"city":`) && json.Valid([]byte(h.args))
		}},
		{`"n":2`, func(h heard) bool { return len(h.choices) == 2 && h.choices[0] != h.choices[1] && h.choices[1] != "" }},
		{`"logprobs":true`, func(h heard) bool {
			for _, ch := range h.chunks {
				for _, x := range ch.Choices {
					if x.Logprobs != nil && len(x.Logprobs.Content) == 1 {
						return true
					}
				}
			}
			return false
		}},
	} {
		if g := r.chat("good", "m", "tell me", c.extra); !c.honours(g.heard(t)) {
			t.Errorf("%s is not honoured:\n%s", c.extra, g.body)
		}
		if g := r.chat("deaf", "m", "tell me", c.extra); g.status != 200 || c.honours(g.heard(t)) {
			t.Errorf("%s is not ignored:\n%s", c.extra, g.body)
		}
		if g := r.chat("strict", "m", "tell me", c.extra); (g.status == 400) != (strings.HasPrefix(c.extra, `"n"`) || strings.Contains(c.extra, `"logprobs"`) || strings.Contains(c.extra, `"tools"`)) {
			t.Errorf("%s: status %d", c.extra, g.status)
		}
	}
}

func TestAnswersCanBeChecked(t *testing.T) {
	r := start(t, paramFleet)
	if h := r.chat("good", "m", "Why is the Sky blue?", "").heard(t); !strings.HasPrefix(h.text, "Air scatters blue light. The ") || len(tokenize(h.text)) != 22 {
		t.Errorf("known text: %q", h.text)
	}
	if h := r.chat("good", "m", "What is 17 + 25?", "").heard(t); !strings.HasPrefix(h.text, "17 + 25 = 42.") {
		t.Errorf("sum: %q", h.text)
	}
	h := r.chat("good", "m", "Give three colours as JSON", "").heard(t)
	if json.Valid([]byte(h.text)) || !strings.Contains(h.text, "```json\n{") {
		t.Errorf("JSON asked for in words only: %q", h.text)
	}
	schema := `"response_format":{"type":"json_schema","json_schema":{"name":"x","schema":{"type":"object","properties":{"age":{"type":"integer"},"kind":{"enum":["a","b"]},"tags":{"type":"array","items":{"type":"string"}}}}}}`
	h = r.chat("good", "m", "x", schema).heard(t)
	var v struct {
		Age  int
		Kind string
		Tags []string
	}
	if err := json.Unmarshal([]byte(h.text), &v); err != nil || v.Age == 0 || len(v.Tags) == 0 || v.Kind != "a" && v.Kind != "b" {
		t.Errorf("answer by schema: %q, %v", h.text, err)
	}
}

// Two providers of one model agree; another build differs on its share of the
// prompts, the same ones each time; variety differs from itself.
func TestBuildsDiffer(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 1ms, gap: 10us, tokens_per_frame: 50}
providers:
  - {name: a, models: [{name: m}]}
  - {name: b, models: [{name: m}]}
  - {name: other, models: [{name: m, fingerprint: fp_2, answer: {build: b2, differs: 0.4}}]}
  - {name: fickle, models: [{name: m, answer: {variety: 0.3}}]}
`)
	differ, vary := 0, 0
	const prompts = 60
	for i := range prompts {
		prompt := fmt.Sprintf("prompt %d: what is %d + 1?", i, i)
		a, b := r.chat("a", "m", prompt, "").heard(t).text, r.chat("b", "m", prompt, "").heard(t).text
		if a != b {
			t.Fatalf("two providers of one model differ: %q, %q", a, b)
		}
		o := r.chat("other", "m", prompt, "").heard(t)
		if o.chunks[0].Fingerprint != "fp_2" {
			t.Errorf("fingerprint %q", o.chunks[0].Fingerprint)
		}
		if o.text != a {
			differ++
			if !strings.Contains(o.text, fmt.Sprintf("= %d.", i+2)) {
				t.Errorf("a departing build counts right: %q", o.text)
			}
			if again := r.chat("other", "m", prompt, "").heard(t).text; again != o.text {
				t.Error("another build differs from itself")
			}
		}
		if r.chat("fickle", "m", prompt, "").heard(t).text != a {
			vary++
		}
	}
	if differ < 14 || differ > 34 || vary < 8 || vary > 28 { // ±2.6 sigma
		t.Errorf("of %d prompts %d differ (want about 24), %d vary (18)", prompts, differ, vary)
	}
}

func TestThinkingIsSpeltAsTold(t *testing.T) {
	fleet := "behaviour: {first_token: 1ms, gap: 1ms, answer: {tokens: 4}, thinking: {tokens: 20}}\nproviders:\n  - name: p\n    models:\n"
	for _, s := range []Show{ShowReasoning, ShowReasoningContent, ShowInline, ShowHidden} {
		fleet += fmt.Sprintf("      - {name: %s, thinking: {show: %s}}\n", s, s)
	}
	r := start(t, fleet)
	want := map[Show]string{ShowReasoning: `"delta":{"reasoning":"The"}`, ShowReasoningContent: `"delta":{"reasoning_content":"The"}`,
		ShowInline: `"delta":{"content":"<think>\nThe"}`}
	ids := map[Show]string{}
	for _, s := range []Show{ShowReasoning, ShowReasoningContent, ShowInline, ShowHidden} {
		g := r.chat("p", string(s), "x", `"stream_options":{"include_usage":true}`)
		h := g.heard(t)
		ids[s] = g.id
		if !strings.Contains(string(g.body), want[s]) {
			t.Errorf("%s:\n%s", s, g.body)
		}
		if s == ShowHidden && (h.thinking != "" || strings.Contains(h.text, "think")) {
			t.Errorf("hidden thinking shows: %s", g.body)
		}
		if s == ShowInline && strings.Count(h.text, "</think>\n\n") != 1 {
			t.Errorf("inline thinking does not end once: %q", h.text)
		}
		if h.usage.Completion != 24 || h.usage.CompletionIn.Reasoning != 20 {
			t.Errorf("%s: usage %+v", s, h.usage)
		}
	}
	truth := r.stop()
	// Twenty gaps of a millisecond pass before a hidden thinker's first token.
	if tr := truth[ids[ShowHidden]]; *tr.FirstTokenNs-tr.ReceivedNs < 20e6 || *tr.FirstTokenNs != *tr.FirstAnswerNs {
		t.Errorf("hidden thinking took no time: %+v", tr)
	}
	// A late write shortens what is measured, not what is planned.
	planned := func(tr Truth, holds string) int64 {
		for _, w := range tr.Writes {
			if strings.Contains(w.Holds, holds) {
				return w.PlanNs
			}
		}
		t.Fatalf("nothing holds %s: %+v", holds, tr)
		return 0
	}
	if tr := truth[ids[ShowInline]]; *tr.FirstAnswerNs <= *tr.FirstTokenNs || planned(tr, "text")-planned(tr, "thinking") < 19e6 {
		t.Errorf("visible thinking took no time: %+v", tr)
	}
}

func TestUsageIsReportedAsTold(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 1ms, gap: 100us, answer: {tokens: 10}, thinking: {tokens: 5}}
providers:
  - name: p
    models:
      - {name: always, usage: {when: always}}
      - {name: never, usage: {when: never}}
      - {name: cumulative, usage: {when: cumulative}}
      - {name: beside, usage: {when: always, reasoning: beside}}
      - {name: vague, usage: {when: always, details: false, scale: 1.5}}
      - {name: cache, usage: {when: always, cached: 0.5}, price: {input: 2, cached: 0.5, output: 10}}
`)
	get := func(model string) heard { return r.chat("p", model, "one two three four", "").heard(t) }
	if u := get("always").usage; u == nil || u.Completion != 15 || u.Total != u.Prompt+15 || u.CompletionIn.Reasoning != 5 {
		t.Errorf("always: %+v", u)
	}
	if u := get("never").usage; u != nil {
		t.Errorf("never: %+v", u)
	}
	h := get("cumulative")
	n := 0
	for _, c := range h.chunks {
		if c.Usage != nil {
			n++
		}
	}
	if n != 16 || h.usage.Completion != 15 {
		t.Errorf("cumulative: %d frames with usage, the last %+v", n, h.usage)
	}
	if u := get("beside").usage; u.Completion != 10 || u.Total != u.Prompt+15 {
		t.Errorf("beside: %+v", u)
	}
	if u := get("vague").usage; u.Completion != 23 || u.CompletionIn != nil {
		t.Errorf("vague: %+v", u)
	}
	first, second := get("cache").usage, get("cache").usage
	if first.PromptIn.Cached != 0 || second.PromptIn.Cached != 4 || second.Prompt != 8 {
		t.Errorf("cache: %+v, %+v", first, second)
	}
	costs := map[int64]bool{}
	for _, tr := range r.stop() {
		if tr.CostNano != nil {
			costs[*tr.CostNano] = true
		}
	}
	// 8 × 2000 + 15 × 10000, and with half of the input at 500.
	if !costs[166000] || !costs[160000] || len(costs) != 2 {
		t.Errorf("costs in nano-dollars: %v", costs)
	}
}

func TestWindowsConditionsAndChanges(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 10ms, gap: 100us, answer: {tokens: 4}}
providers:
  - name: p
    behaviour: {conditions: [1, 3]}
    models: [{name: m, changes: [{windows: 2, faults: [{kind: overloaded, every: 1}]}]}]
  - {name: q, models: [{name: m, conditions_sigma: 0.5}]}
`)
	ids := map[string]string{}
	for w := range 4 {
		req, _ := http.NewRequest("PUT", fmt.Sprintf("http://%s/_fleet/window/%d", r.Addr(), w), nil)
		resp, err := http.DefaultClient.Do(req)
		if err != nil || resp.StatusCode != 204 {
			t.Fatal(err, resp)
		}
		resp.Body.Close()
		for _, p := range []string{"p", "q"} {
			ids[fmt.Sprint(p, w)] = r.chat(p, "m", "x", "").id
		}
	}
	truth := r.stop()
	at := func(k string) Truth { return truth[ids[k]] }
	for w, factor := range []float64{1, 3, 1, 3} {
		tr := at(fmt.Sprint("p", w))
		if tr.Window != w || tr.Conditions != factor {
			t.Errorf("window %d: %+v", w, tr)
		}
		if first := tr.FirstTokenNs; (w == 2) != (first == nil) {
			t.Errorf("window %d: outcome %s", w, tr.Outcome)
		} else if first != nil && tr.Writes[0].PlanNs != int64(factor*10e6) {
			t.Errorf("window %d: first token planned at %d", w, tr.Writes[0].PlanNs)
		}
	}
	if at("q0").Conditions == at("q1").Conditions {
		t.Error("drawn conditions do not change by window")
	}
}

func TestWindowsFollowTheClock(t *testing.T) {
	r := start(t, `
window: 100ms
behaviour: {first_token: 1ms, answer: {tokens: 2}}
providers: [{name: p, models: [{name: m}]}]
`)
	time.Sleep(120 * time.Millisecond) // the clock starts with the first request
	a := r.chat("p", "m", "x", "").id
	time.Sleep(110 * time.Millisecond)
	b := r.chat("p", "m", "x", "").id
	truth := r.stop()
	if truth[a].Window != 0 || truth[b].Window != 1 {
		t.Errorf("windows %d and %d", truth[a].Window, truth[b].Window)
	}
}

func TestColdStartLoadAndLimits(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 20ms, gap: 1ms, answer: {tokens: 3}}
providers:
  - name: p
    models:
      - {name: cold, cold: {after: 80ms, adds: 60ms}}
      - {name: busy, load: {per_stream: 0.5, cliff: 2, factor: 2, reject: 3}}
      - {name: limited, rate_limit: {requests: 2, per: 1h}}
`)
	var cold []string
	for i := range 3 {
		if i == 2 {
			time.Sleep(100 * time.Millisecond)
		}
		cold = append(cold, r.chat("p", "cold", "x", "").id)
	}
	results := make(chan *got)
	for range 4 {
		go func() { results <- r.chat("p", "busy", "x", "") }()
	}
	for range 4 {
		<-results
	}
	var limited []*got
	for range 3 {
		limited = append(limited, r.chat("p", "limited", "x", ""))
	}
	if limited[1].status != 200 || limited[2].status != 429 || limited[2].header.Get("Retry-After") == "" {
		t.Errorf("limited: %d, %d %v", limited[1].status, limited[2].status, limited[2].header)
	}
	truth := r.stop()
	for i, want := range []bool{true, false, true} {
		tr := truth[cold[i]]
		if tr.Cold != want || (tr.Writes[0].PlanNs == 80e6) != want {
			t.Errorf("request %d: cold %v, first token planned at %d", i, tr.Cold, tr.Writes[0].PlanNs)
		}
		if (tr.IdleMs == nil) != (i == 0) {
			t.Errorf("request %d: idle %v", i, tr.IdleMs)
		}
	}
	load := map[int]float64{}
	refused := 0
	for _, tr := range truth {
		if tr.Model == "busy" {
			load[tr.InFlight] = tr.Load
			if tr.Outcome == "rate_limited" {
				refused++
			}
		}
	}
	if load[1] != 1 || load[2] != 1.5 || load[3] != 4 || refused != 1 {
		t.Errorf("load by streams open: %v, refused %d", load, refused)
	}
}

func TestKeys(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 1ms, answer: {tokens: 2}}
providers: [{name: p, models: [{name: m, key: k}, {name: n, key: other}]}]
`)
	if a, b := r.chat("p", "m", "x", ""), r.chat("p", "n", "x", ""); a.status != 200 || b.status != 401 {
		t.Errorf("statuses %d and %d", a.status, b.status)
	}
}

func TestWholeResponses(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 20ms, gap: 2ms, answer: {tokens: 10}, thinking: {tokens: 5}}
providers:
  - name: p
    models: [{name: m}, {name: aborts, faults: [{kind: abort, every: 1}]}, {name: fails, faults: [{kind: stream_error, every: 1}]}]
`)
	g := r.chat("p", "m", "x", `"stream":false`)
	var c chatChunk
	if err := json.Unmarshal(g.body, &c); err != nil {
		t.Fatalf("%v: %s", err, g.body)
	}
	m := c.Choices[0]
	if len(tokenize(*m.Message.Content)) != 10 || m.Message.ReasoningContent == "" || *m.Finish != "stop" || c.Usage.Completion != 15 || c.Object != "chat.completion" {
		t.Errorf("%s", g.body)
	}
	ab := r.chat("p", "aborts", "x", `"stream":false`)
	if ab.err == nil || len(ab.body) == 0 {
		t.Errorf("an aborted body ended well: %s", ab.body)
	}
	if f := r.chat("p", "fails", "x", `"stream":false`); f.status != 200 || !strings.HasPrefix(string(f.body), `{"error":`) {
		t.Errorf("%s", f.body)
	}
	truth := r.stop()
	if tr := truth[g.id]; tr.Writes[0].SentNs-tr.ReceivedNs < 50e6 || tr.SHA256 != g.sha() {
		t.Errorf("20 ms and 15 gaps of 2 ms must pass: %+v", tr)
	}
	if truth[ab.id].Outcome != "cut" {
		t.Errorf("aborted: outcome %q", truth[ab.id].Outcome)
	}
}

// What the fleet counts as tokens is what the o200k tokenizer counts.
func TestTokensAreO200k(t *testing.T) {
	enc, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < 200; n++ {
		pieces := prose(random(1, fmt.Sprint(n)), n)
		text := strings.Join(pieces, "")
		ids, _, err := enc.Encode(text)
		if err != nil || len(ids) != n || len(pieces) != n || len(tokenize(text)) != n {
			t.Fatalf("%d tokens written, o200k counts %d, we %d: %q", n, len(ids), len(tokenize(text)), text)
		}
	}
}

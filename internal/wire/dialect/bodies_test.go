package dialect

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/record/simulate"
	"aircheck/internal/tools/corpus"
	"aircheck/internal/wire/frame"
)

var update = flag.Bool("update", false, "record the small corpus again")

// TestBodies: every dialect, on the bytes that the project ships, says what was
// known of them before. Damaged copies of them are decoded, too.
func TestBodies(t *testing.T) {
	if *update {
		record(t)
	}
	seen := map[string]bool{}
	rng := rand.New(rand.NewPCG(3, 3))
	for _, b := range corpus.Bodies(t) {
		seen[b.API] = true
		body, err := os.ReadFile(b.Path())
		if err != nil {
			t.Fatal(err)
		}
		for _, api := range []string{b.API, ""} {
			got := whatIs(t, api, b.File, body)
			if b.API == "bedrock-invoke" { // which bedrock-converse's decoder reads, under its own name
				got.API = b.API
			}
			if b.OutputTokens == 0 { // not stated
				got.OutputTokens = 0
			}
			if got != b {
				t.Errorf("%s, api %q:\n got %+v\nwant %+v", b.File, api, got, b)
			}
		}
		sameWithout(t, b.File, body, rng)
	}
	for _, api := range Names() {
		if !seen[api] {
			t.Errorf("%s: no body in the small corpus", api)
		}
	}
}

// whatIs decodes a body into what the small corpus states of it.
func whatIs(t *testing.T, api, file string, body []byte) corpus.Body {
	got := corpus.Body{File: file}
	d := New(api, Meta{}).(*stream)
	emit := func(e *Event) {
		switch e.Kind {
		case KindText:
			got.Text += string(e.Text)
		case KindReasoning:
			got.Thinks = true
		case KindTool:
			if e.Tool.Field == ToolName {
				got.Tool = string(e.Text)
			}
		case KindFinish:
			got.Finish = e.Finish.String()
		case KindError:
			got.Fails = true
		case KindUndecoded:
			t.Errorf("%s: undecoded %s", file, e.Path)
		}
		if e.Usage != nil && e.Usage.OutputTokens != nil {
			got.OutputTokens = *e.Usage.OutputTokens
		}
	}
	for _, f := range splitAll(frame.Sniff(body), body) {
		d.Frame([]byte(f), emit)
	}
	d.Close(emit)
	got.API = d.api
	return got
}

// answer is what the recorded models say.
const answer = "Four plain words, é, 語 and 😀."

// fleet answers in every API that it speaks. Each model is one kind of response.
const fleet = `
fleet: corpus
seed: 1
starts: 2026-01-02T03:04:05Z
behaviour: {answer: {texts: [{when: speak, text: "` + answer + `", tokens: 1}]}}
providers:
  - name: p
    models:
      - {name: text}
      - {name: thinking, thinking: {tokens: 6, show: reasoning_content}}
      - {name: tools}
      - {name: whole}
      - {name: length, faults: [{kind: truncated, every: 1}]}
      - {name: error, faults: [{kind: stream_error, every: 1}]}
`

// record writes the small corpus. What it states of a body comes from the
// fleet's own books, or from whoever wrote the body by hand.
func record(t *testing.T) {
	if err := os.MkdirAll(corpus.BodiesDir(), 0o755); err != nil {
		t.Fatal(err)
	}
	var list bytes.Buffer
	keep := func(b corpus.Body, body []byte) {
		if err := os.WriteFile(b.Path(), body, 0o644); err != nil {
			t.Fatal(err)
		}
		json.NewEncoder(&list).Encode(b)
	}
	fromFleet(t, keep)
	byHand(keep)
	if err := os.WriteFile(filepath.Join(corpus.BodiesDir(), "bodies.jsonl"), list.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func fromFleet(t *testing.T, keep func(corpus.Body, []byte)) {
	f, err := simulate.Parse([]byte(fleet), "fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	net := simulate.NewVirtual(f, "corpus")
	bases := map[string]string{"openai-chat": "/v1", "openai-responses": "/v1", "gemini": "/v1beta"}
	at := time.Duration(0)
	for _, api := range simulate.APIs() {
		for _, kind := range []string{"text", "thinking", "tools", "whole", "length", "error"} {
			q := Request{BaseURL: "http://h" + bases[api], ModelID: kind, Messages: []Message{{"user", "Speak."}}, Stream: kind != "whole", Key: "A:B", Region: "r"}
			if kind == "tools" {
				q.Params = map[string]any{"tools": []any{chatTool}}
			}
			h, err := Build(api, q)
			if err != nil {
				t.Fatal(err)
			}
			at += time.Minute
			reply, err := net.Ask(simulate.Ask{Provider: "p", Path: strings.TrimPrefix(h.URL, "http://h"), Header: h.Header, Body: h.Body}, at)
			if err != nil {
				t.Fatal(err)
			}
			var body []byte
			for _, w := range reply.Writes(time.Hour) {
				body = append(body, w.Bytes...)
			}
			reply.Leave(at)
			b := corpus.Body{File: api + "." + kind, API: api, Thinks: kind == "thinking", Text: answer, Finish: "stop", OutputTokens: int64(reply.Truth().Tokens.Answer)}
			switch kind {
			case "tools":
				b.Text, b.Tool = "", "f"
				if api != "gemini" && api != "ollama" { // which say "stop" after a call, too
					b.Finish = "tool"
				}
			case "thinking":
				if api != "gemini" { // which counts thinking beside the output
					b.OutputTokens += int64(reply.Truth().Tokens.Thinking)
				}
			case "length":
				b.Text, b.Finish = "Four plain words,", "length"
			case "error":
				b.Text, b.Finish, b.OutputTokens, b.Fails = "Four plain words,", "", 0, true
			}
			keep(b, body)
		}
	}
}

// byHand gives the dialects that no fleet speaks.
func byHand(keep func(corpus.Body, []byte)) {
	for _, c := range []struct {
		api, finish string
		out         int64
		frames      []string
	}{
		{"openai-completions", "stop", 2, sse(
			`{"id":"c","object":"text_completion","model":"m","choices":[{"text":"Four plain words, é,","index":0,"logprobs":null,"finish_reason":null}]}`,
			`{"id":"c","object":"text_completion","model":"m","choices":[{"text":" 語 and 😀.","index":0,"logprobs":null,"finish_reason":"stop"}]}`,
			`{"id":"c","object":"text_completion","model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`, `[DONE]`)},
		{"bedrock-invoke", "stop", 2, []string{
			invoke(`{"generation":"Four plain words, é,","prompt_token_count":3,"generation_token_count":1,"stop_reason":null}`),
			invoke(`{"generation":" 語 and 😀.","prompt_token_count":null,"generation_token_count":2,"stop_reason":"stop"}`)}},
		{"bedrock-agent", "stop", 3, []string{
			awsFrame("event", "trace", `{"sessionId":"s","trace":{"orchestrationTrace":{"modelInvocationOutput":{"metadata":{"usage":{"inputTokens":10,"outputTokens":3}}}}}}`),
			awsFrame("event", "trace", `{"sessionId":"s","trace":{"orchestrationTrace":{"observation":{"type":"FINISH"}}}}`),
			invoke(answer)}},
		{"cohere", "stop", 3, named(
			"message-start", `{"id":"c","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}`,
			"content-delta", `{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Four plain words, é,"}}}}`,
			"content-delta", `{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":" 語 and 😀."}}}}`,
			"message-end", `{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":8,"output_tokens":3},"tokens":{"input_tokens":8,"output_tokens":3}}}}`)},
		{"gemini-interactions", "stop", 3, named(
			"interaction.created", `{"interaction":{"id":"v1","status":"in_progress","object":"interaction","model":"g"},"event_type":"interaction.created"}`,
			"step.delta", `{"index":1,"delta":{"text":"Four plain words, é,","type":"text"},"event_type":"step.delta"}`,
			"step.delta", `{"index":1,"delta":{"text":" 語 and 😀.","type":"text"},"event_type":"step.delta"}`,
			"interaction.completed", `{"interaction":{"id":"v1","status":"completed","model":"g","usage":{"total_tokens":5,"total_input_tokens":2,"total_output_tokens":3}},"event_type":"interaction.completed"}`,
			"done", `[DONE]`)},
		{"cody", "stop", 0, named("completion", `{"completion":"Four plain words, é,","stopReason":""}`, "completion", `{"completion":"`+answer+`","stopReason":"end_turn"}`, "done", `{}`)},
		{"tgi", "stop", 3, sse(
			`{"index":1,"token":{"id":5,"text":"Four plain words, é,","logprob":-0.1,"special":false},"generated_text":null,"details":null}`,
			`{"index":2,"token":{"id":6,"text":" 語 and 😀.","logprob":-0.1,"special":false},"generated_text":null,"details":null}`,
			`{"index":3,"token":{"id":2,"text":"</s>","logprob":-0.1,"special":true},"generated_text":"`+answer+`","details":{"finish_reason":"eos_token","generated_tokens":3,"seed":null}}`)},
	} {
		keep(corpus.Body{File: c.api + ".text", API: c.api, Text: answer, Finish: c.finish, OutputTokens: c.out}, []byte(strings.Join(c.frames, "")))
	}
}

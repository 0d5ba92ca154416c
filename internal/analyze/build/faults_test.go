package build

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aircheck/internal/kit/duck"
	"aircheck/schema"
)

// sent is a stream as it came: a frame a line, each led by its arrival in
// milliseconds. A line that begins with a comma came in the read before it.
// %s stands for a chat frame's delta.
type sent string

// fault is something that went wrong in other meters, and what is right.
type fault struct {
	symptom string
	api     string // openai-chat where empty
	edit    func(*schema.Request)
	sent    sent
	ask     string // columns of results, or a query's expressions
	want    string
}

func chat(delta string) string {
	return `data: {"choices":[{"index":0,"delta":{` + delta + `}}]}`
}

// frames cuts the notation above.
func (s sent) frames(t *testing.T) (out []schema.Chunk) {
	t.Helper()
	read := int32(-1)
	for line := range strings.Lines(string(s)) {
		line = strings.Trim(line, "\t\n")
		if line == "" {
			continue
		}
		var ms int64
		if rest, same := strings.CutPrefix(line, ", "); same {
			line, ms = rest, *out[len(out)-1].TNs/1e6
		} else {
			when, rest, _ := strings.Cut(line, " ")
			if _, err := fmt.Sscan(when, &ms); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			line = rest
			read++
		}
		if delta, ok := strings.CutPrefix(line, "+"); ok {
			line = chat(delta)
		}
		raw := strings.ReplaceAll(line, " | ", "\n") + "\n\n"
		if strings.HasPrefix(line, "{") && !strings.Contains(line, "data:") {
			raw = line + "\n"
		}
		out = append(out, schema.Chunk{ReadSeq: read, TNs: new(ms * 1e6), TReadNs: new(ms * 1e6), Clock: "read", Complete: true, Raw: []byte(raw)})
	}
	return out
}

func ended(reason string) func(*schema.Request) {
	return func(r *schema.Request) { r.EndReason = &reason }
}

// thinkingOff asks for no thinking, in a cell of its own.
func thinkingOff(scenario string) func(*schema.Request) {
	return func(r *schema.Request) {
		r.Scenario, r.RequestBody = &scenario, new(`{"reasoning_effort":"none"}`)
	}
}

const (
	stop  = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	limit = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`
	done  = `data: [DONE]`
)

func usage(fields string) string { return `data: {"choices":[],"usage":{` + fields + `}}` }

// TestFaults: faults that people met in meters of LLM streams, on the whole way
// from frames to results. The letters are the groups of docs/faults.md; what
// the parsers alone must do is in dialect's test of the same name.
func TestFaults(t *testing.T) {
	const first = "outcome, first_event_ms, ttft_ms, ttfat_ms"
	cases := []fault{
		{symptom: "A: an empty role frame started the clock", ask: first, want: "ok 100 300 300",
			sent: sent(`100 +"role":"assistant","content":""` + "\n" + `300 +"content":"a"` + "\n400 " + stop)},
		{symptom: "A: thinking in either field was no token", ask: first, want: "ok 100 200 500",
			sent: sent(`100 +"role":"assistant"` + "\n" + `200 +"reasoning":"t"` + "\n" + `300 +"reasoning_content":"t"` + "\n" + `500 +"content":"a"` + "\n600 " + stop)},
		{symptom: "A: a tool call was no token", ask: first + ", tool_chars", want: "ok 250 250 250 3",
			sent: sent(`250 +"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":""}}]` + "\n" + `300 +"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]` + "\n" + `400 data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`)},
		{symptom: "A: framing events made a first token of a microsecond", api: "anthropic-messages", ask: first, want: "ok 10 300 300",
			sent: `10 event: message_start | data: {"type":"message_start","message":{"type":"message","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}
				20 event: content_block_start | data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
				30 event: ping | data: {"type":"ping"}
				300 event: content_block_delta | data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}
				400 event: message_delta | data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}
				410 event: message_stop | data: {"type":"message_stop"}`},
		{symptom: "A: 0 stood for a token that never came", ask: first + ", tokens_per_s, max_stall_ms", want: "empty 100    ",
			sent: sent(`100 +"role":"assistant","content":""` + "\n200 " + stop + "\n210 " + done)},
		{symptom: "A: the total stood for a first token that nobody saw", ask: "outcome, ttft_ms, ttfat_ms, last_token_ms, e2e_ms", want: "ok    900",
			edit: func(r *schema.Request) { r.Streamed = new(false) },
			sent: `900 {"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"abc"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`},
		{symptom: "A: a renamed field gave zeros in silence", ask: first + ", undecoded_frames, token_source", want: "empty 100   2 ",
			sent: sent(`100 +"reasoning_v2":"t"` + "\n" + `200 +"reasoning_v2":"t"` + "\n300 " + stop)},
		{symptom: "A: a stall that was filled up passed for a token", ask: first, want: "stalled 100  ", edit: ended("timeout_idle"),
			sent: sent(`100 +"role":"assistant"` + "\n" + "200 : keep-alive\n1000 : keep-alive\n2000 event: ping | data: {}")},

		// 11 tokens, of which the first frame lists three, in a window of 800 ms.
		{symptom: "B: a first frame of several tokens counted as one", ask: "tokens_per_s, tpot_ms, output_tokens", want: "10 100 11",
			sent: sent(`200 data: {"choices":[{"index":0,"delta":{"content":"abc"},"logprobs":{"content":[{"token":"a"},{"token":"b"},{"token":"c"}]}}]}` + "\n" + words(300, 100, 8) + "1010 " + stop + "\n1020 " + usage(`"prompt_tokens":1,"completion_tokens":11`))},
		{symptom: "B: the same, where usage so far tells", ask: "tokens_per_s, output_tokens", want: "10 11",
			sent: sent(`200 data: {"choices":[{"index":0,"delta":{"content":"abc"}}],"usage":{"prompt_tokens":1,"completion_tokens":3}}` + "\n" + words(300, 100, 8) + "1010 " + stop + "\n1020 " + usage(`"prompt_tokens":1,"completion_tokens":11`))},
		{symptom: "B: division by zero at one token", ask: "outcome, tokens_per_s, tpot_ms, chars_per_s, max_stall_ms", want: "ok    ",
			sent: sent(`200 +"content":"a"` + "\n210 " + stop + "\n220 " + usage(`"prompt_tokens":1,"completion_tokens":1`))},
		{symptom: "B: tokens of hidden thinking over the visible window", ask: "tokens_per_s, output_tokens, visible_tokens", want: "10 109 9",
			sent: sent(words(2000, 100, 9) + "2810 " + stop + "\n2820 " + usage(`"prompt_tokens":1,"completion_tokens":109,"total_tokens":110,"completion_tokens_details":{"reasoning_tokens":100}`))},
		{symptom: "B: means hid a decode stall", ask: "max_stall_ms, stall_after_ms, gap_p50_ms", want: "5000 400 100",
			sent: sent(words(200, 100, 3) + words(5400, 100, 4) + "5710 " + stop)},
		{symptom: "B: gaps of zero between frames of one read", ask: "content_frames, reads, max_stall_ms, gap_p50_ms", want: "4 3 100 100",
			sent: sent(`200 +"content":"a"` + "\n" + `, +"content":"b"` + "\n" + `300 +"content":"c"` + "\n" + `, +"content":"d"` + "\n310 " + stop)},

		{symptom: "D: −1 for tokens that nobody counted", ask: "token_source, output_tokens, input_tokens", want: "tokenizer 3 ",
			sent: sent(`200 +"content":"one two three"` + "\n210 " + stop + "\n220 " + usage(`"prompt_tokens":-1,"completion_tokens":-1,"total_tokens":-1`))},
		{symptom: "D: a missing value and a real 0 looked the same", ask: "output_tokens, reasoning_tokens, cached_tokens, cost_usd", want: "5 0  ",
			sent: sent(`200 +"content":"a"` + "\n210 " + stop + "\n220 " + usage(`"prompt_tokens":1,"completion_tokens":5,"completion_tokens_details":{"reasoning_tokens":0}`))},

		{symptom: "E: cache tokens added at the start and again at the end", api: "anthropic-messages", ask: "input_tokens, cached_tokens, output_tokens", want: "10 7 9",
			sent: `10 event: message_start | data: {"type":"message_start","message":{"type":"message","content":[],"usage":{"input_tokens":3,"cache_read_input_tokens":7,"output_tokens":1}}}
				300 event: content_block_delta | data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}
				400 event: message_delta | data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"cache_read_input_tokens":7,"output_tokens":9}}
				410 event: message_stop | data: {"type":"message_stop"}`},
		{symptom: "E: running totals summed", api: "gemini", ask: "input_tokens, output_tokens, reasoning_tokens", want: "5 42 30",
			sent: `200 data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":4,"thoughtsTokenCount":30,"totalTokenCount":39}}
				300 data: {"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":12,"thoughtsTokenCount":30,"totalTokenCount":47}}`},
		{symptom: "E: usage of every chunk summed", ask: "input_tokens, output_tokens", want: "4 3",
			sent: `200 data: {"choices":[{"index":0,"delta":{"content":"ab"}}],"usage":{"prompt_tokens":4,"completion_tokens":2}}
				300 data: {"choices":[{"index":0,"delta":{"content":"c"},"finish_reason":"stop"}],"usage":{"prompt_tokens":4,"completion_tokens":3}}`},
		{symptom: "E: the first usage kept", ask: "output_tokens", want: "27",
			sent: sent("200 " + usage(`"prompt_tokens":4,"completion_tokens":10`) + "\n" + `210 +"content":"a"` + "\n220 " + stop + "\n230 " + usage(`"prompt_tokens":4,"completion_tokens":27`))},
		{symptom: "E: no usage read as 0 tokens and no cost", api: "gemini", ask: "token_source, output_tokens > 0, cost_usd", want: "tokenizer true ",
			sent: `200 data: {"candidates":[{"content":{"parts":[{"text":"one two"}]},"finishReason":"STOP"}]}`},
		{symptom: "E: text of deltas and of done events both counted", api: "openai-responses", ask: "answer_chars, output_tokens, terminator", want: "2 2 done",
			sent: `200 event: response.output_text.delta | data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"ab"}
				210 event: response.output_text.done | data: {"type":"response.output_text.done","output_index":0,"content_index":0,"text":"ab"}
				220 event: response.completed | data: {"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"ab"}]}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}}`},
		{symptom: "E: thinking inside the output count billed twice", ask: "output_tokens, reasoning_tokens, visible_tokens", want: "50 40 10",
			sent: sent(`200 +"content":"ab"` + "\n210 " + stop + "\n220 " + usage(`"prompt_tokens":10,"completion_tokens":50,"total_tokens":60,"completion_tokens_details":{"reasoning_tokens":40}`))},
		{symptom: "E: thinking beside the output count not billed at all", ask: "output_tokens, reasoning_tokens, visible_tokens", want: "50 40 10",
			sent: sent(`200 +"content":"ab"` + "\n210 " + stop + "\n220 " + usage(`"prompt_tokens":10,"completion_tokens":10,"total_tokens":60,"completion_tokens_details":{"reasoning_tokens":40}`))},
		{symptom: "E: thinking that only the total shows", ask: "outcome, output_tokens, reasoning_tokens", want: "starved 16 16", api: "gemini",
			sent: `200 data: {"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"MAX_TOKENS"}],"usageMetadata":{"promptTokenCount":6,"totalTokenCount":22}}`},
		{symptom: "E: cached input charged twice where it is a part, or lost where it is not", ask: "input_tokens, cached_tokens", want: "100 80",
			sent: sent(`200 +"content":"ab"` + "\n210 " + stop + "\n220 " + usage(`"prompt_tokens":100,"completion_tokens":10,"total_tokens":110,"prompt_tokens_details":{"cached_tokens":80}`))},
		{symptom: "E: input of tools that the server ran", api: "gemini", ask: "input_tokens, output_tokens, reasoning_tokens", want: "105 20 15",
			sent: `200 data: {"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":5,"thoughtsTokenCount":15,"toolUsePromptTokenCount":100,"totalTokenCount":125}}`},

		{symptom: "G: a comment wrapped as data poisoned the stream", ask: "outcome, answer_chars, undecoded_frames", want: "ok 1 1",
			sent: sent("100 data: : OPENROUTER PROCESSING\n" + `200 +"content":"a"` + "\n210 " + stop)},

		{symptom: "H: an error inside a 200 was a success", ask: "outcome, answered, complete, failure", want: "stream_error false false server_error boom",
			sent: sent(`200 +"content":"a"` + "\n" + `300 data: {"error":{"message":"boom","type":"server_error"}}` + "\n310 " + done)},
		{symptom: "H: an overload in mid-stream had no type", api: "anthropic-messages", ask: "outcome, overloaded, failure", want: "stream_error true overloaded_error overloaded",
			sent: `300 event: content_block_delta | data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}
				400 event: error | data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		{symptom: "H: event: error was passed over", ask: "outcome, failure", want: "stream_error gone",
			sent: sent(`200 +"content":"a"` + "\n" + `300 event: error | data: {"message":"gone"}`)},
		{symptom: "H: an unknown event ended the stream", api: "anthropic-messages", ask: "outcome, undecoded_frames, answer_chars", want: "ok 1 1",
			sent: `200 event: vibe | data: {"type":"vibe","level":9}
				300 event: content_block_delta | data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}
				400 event: message_delta | data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}`},
		{symptom: "H: [DONE] without a finish reason called truncated", ask: "outcome, terminator, finish_reason", want: "ok done ",
			sent: sent(`200 +"content":"a"` + "\n210 " + done)},
		{symptom: "H: a finish reason without [DONE] called truncated", ask: "outcome, terminator, finish_reason", want: "ok finish stop",
			sent: sent(`200 +"content":"a"` + "\n210 " + stop)},
		{symptom: "H: an upstream that died was given an ending", ask: "outcome, terminator, complete", want: "cut eof false",
			sent: sent(`200 +"content":"a"` + "\n" + `300 +"content":"b"`)},
		{symptom: "H: a stream cut after its first frame passed for a whole body", ask: "outcome, terminator, complete", want: "cut eof false",
			sent: sent(`200 +"content":"a"`)},
		{symptom: "H: incomplete became a server error", api: "openai-responses", ask: "outcome, finish_reason, finish", want: "truncated max_output_tokens length",
			sent: `200 event: response.output_text.delta | data: {"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"ab"}
				220 event: response.incomplete | data: {"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`},
		{symptom: "H: a reset after the ending was a failure", ask: "outcome, terminator", want: "ok done", edit: ended("reset"),
			sent: sent(`200 +"content":"a"` + "\n210 " + stop + "\n220 " + done)},
		{symptom: "H: heartbeats reset the stall", ask: "outcome, max_stall_ms, last_token_ms", want: "ok 9000 9200",
			sent: sent(`200 +"content":"a"` + "\n3000 : keep-alive\n6000 event: ping | data: {}\n" + `9200 +"content":"b"` + "\n9210 " + stop)},
		{symptom: "H: silence after a 200 was not seen", ask: "outcome, last_token_ms, complete", want: "stalled 200 false", edit: ended("timeout_idle"),
			sent: sent(`200 +"content":"a"` + "\n3000 : keep-alive\n30000 : keep-alive")},

		{symptom: "I: no choices in the first frame", ask: first, want: "ok 10 200 200",
			sent: sent(`10 data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}]}` + "\n" + `200 +"content":"a"` + "\n210 " + stop)},
		{symptom: "I: a choice without delta, and tool_calls null", ask: "outcome, answer_chars, undecoded_frames", want: "ok 1 0",
			sent: sent(`100 data: {"choices":[{"index":0,"finish_reason":null}]}` + "\n" + `200 +"content":"a","tool_calls":null` + "\n210 " + stop)},
		{symptom: "I: fragments of two calls run into each other", ask: `(SELECT tool_calls FROM answers a WHERE a.request_id = results.request_id)`,
			want: `[{"choice":0,"index":0,"id":"c","name":"f","arguments":"{2}"},{"choice":0,"index":1,"id":"d","name":"g","arguments":"{1}"}]`,
			sent: sent(`100 +"tool_calls":[{"index":0,"id":"c","function":{"name":"f"}},{"index":1,"id":"d","function":{"name":"g"}}]` + "\n" +
				`200 +"tool_calls":[{"index":1,"function":{"arguments":"{1"}},{"index":0,"function":{"arguments":"{2"}}]` + "\n" +
				`300 +"tool_calls":[{"index":0,"function":{"arguments":"}"}},{"index":1,"function":{"arguments":"}"}}]` + "\n310 " + done)},
		{symptom: "I: a fragment without index lost its arguments", ask: `(SELECT tool_calls FROM answers a WHERE a.request_id = results.request_id)`,
			want: `[{"choice":0,"index":0,"id":"c","name":"f","arguments":"{}"}]`,
			sent: sent(`100 +"tool_calls":[{"id":"c","function":{"name":"f"}}]` + "\n" + `200 +"tool_calls":[{"function":{"arguments":"{}"}}]` + "\n210 " + done)},
		{symptom: "I: an id that changes with each frame made several streams", ask: "outcome, answer_chars, served_model", want: "ok 2 m",
			sent: `200 data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"a"}}]}
				300 data: {"id":"2","model":"m","choices":[{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}`},
		{symptom: "I: the server's own timings thrown away", ask: `(SELECT timings FROM events e WHERE e.request_id = results.request_id AND timings IS NOT NULL), undecoded_frames`,
			want: `{"predicted_per_second":51.5} 0`,
			sent: `200 data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}],"timings":{"predicted_per_second":51.5}}`},

		{symptom: "J: thinking to the limit was saved as complete", ask: "outcome, complete, reasoning_chars, answer_chars, output_tokens", want: "starved false 8 0 400",
			sent: sent(`200 +"reasoning_content":"thinking"` + "\n210 " + limit + "\n220 " + usage(`"prompt_tokens":4,"completion_tokens":400`))},
		{symptom: "J: blanks and a limit were an answer", ask: "outcome, complete", want: "starved false",
			sent: sent(`200 +"content":"\n\n"` + "\n210 " + limit + "\n220 " + usage(`"prompt_tokens":4,"completion_tokens":400`))},
		{symptom: "J: thinking between tags was answer", ask: "outcome, ttft_ms, ttfat_ms, reasoning_chars, answer_chars", want: "ok 200 400 16 3",
			sent: sent(`200 +"content":"<think>"` + "\n" + `300 +"content":"t</think>"` + "\n" + `400 +"content":"abc"` + "\n410 " + stop)},
		{symptom: "J: thinking whose tag the prompt opened was answer", ask: "outcome, ttft_ms, ttfat_ms, reasoning_chars, answer_chars, thinking_ms", want: "ok 200 400 18 3 200",
			sent: sent(`200 +"content":"one two "` + "\n" + `300 +"content":"th</"` + "\n" + `400 +"content":"think>abc"` + "\n410 " + stop)},
		{symptom: "J: the same, with nothing behind the tag", ask: "outcome, ttfat_ms, answer_chars", want: "starved  0",
			sent: sent(`200 +"content":"one two "` + "\n" + `300 +"content":"</think>"` + "\n410 " + stop)},
		{symptom: "J: an answer about tags is none", ask: "outcome, ttfat_ms, reasoning_chars, answer_chars", want: "ok 300 1 21",
			sent: sent(`200 +"reasoning":"t"` + "\n" + `300 +"content":"it ends with </think>"` + "\n410 " + stop)},
		{symptom: "J: the answer in the field for thoughts", ask: "outcome, (SELECT off_misplaced FROM thinking k WHERE k.scenario = results.scenario)", want: "starved 1",
			edit: thinkingOff("misplaced"),
			sent: sent(`200 +"reasoning_content":"The answer is 4."` + "\n210 " + stop)},
		{symptom: "J: thinking that was off went on between tags", ask: "outcome, (SELECT off_ignored FROM thinking k WHERE k.scenario = results.scenario)", want: "ok 1",
			edit: thinkingOff("ignored"),
			sent: sent(`200 +"content":"<think>t</think>4"` + "\n210 " + stop)},
		{symptom: "J: who served was hidden by a router", ask: "served_provider, served_model, provider", want: "Novita x/y p",
			sent: `200 data: {"provider":"Novita","model":"x/y","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}`},
	}
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	ids := make([]int64, len(cases))
	for i, c := range cases {
		ids[i] = f.put(func(r *schema.Request) {
			if c.api != "" {
				r.API = &c.api
			}
			if c.edit != nil {
				c.edit(r)
			}
		}, c.sent.frames(t))
	}
	f.seal()
	r, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, c := range cases {
		t.Run(c.symptom, func(t *testing.T) {
			table, err := duck.Query(t.Context(), r, "query", fmt.Sprintf("SELECT %s FROM results WHERE request_id = %d", c.ask, ids[i]))
			if err != nil {
				t.Fatal(err)
			}
			if got := text1(table); got != c.want {
				t.Errorf("%s\n got %q\nwant %q", c.ask, got, c.want)
			}
		})
	}
}

// words are frames of a word each, n of them, the first one after ms.
func words(ms, gap, n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "%d +%q:%q\n", ms+i*gap, "content", "w ")
	}
	return out.String()
}

// TestNothingSucceeded: where every request fails there is no latency, and not
// one of 0; availability is 0, and all views have answers.
func TestNothingSucceeded(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	for range 20 {
		f.put(func(r *schema.Request) {
			r.DNSNs, r.ConnectNs, r.TLSNs, r.SentNs, r.HeadersNs, r.EndNs = nil, nil, nil, nil, nil, new(int64(1e6))
			r.HTTPStatus, r.ResponseHeaders, r.EndReason = nil, nil, new("refused")
		}, nil)
	}
	f.seal()
	r, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for query, want := range map[string]string{
		"SELECT outcome, count(*), count(ttft_ms), count(tokens_per_s), count(cost_usd) FROM results GROUP BY ALL": "connect_error 20 0 0 0",
		"SELECT count(*) FROM latency WHERE p50 IS NOT NULL OR n > 0":                                              "0",
		"SELECT attempts, answered FROM availability":                                                              "20 0",
	} {
		table, err := duck.Query(t.Context(), r, "query", query)
		if err != nil {
			t.Fatal(err)
		}
		if got := text1(table); got != want {
			t.Errorf("%s\n got %q\nwant %q", query, got, want)
		}
	}
	for _, view := range r.Views() {
		if _, err := duck.Query(t.Context(), r, view, "SELECT * FROM "+view); err != nil {
			t.Error(err)
		}
	}
}

// TestFaultsPage: every test that docs/faults.md names exists.
func TestFaultsPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| reported") {
			continue
		}
		tests := regexp.MustCompile("`([a-z0-9_./]+)` \"([^\"]+)\"").FindAllStringSubmatch(line, -1)
		if len(tests) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, ref := range tests {
			text, err := os.ReadFile(filepath.Join("../../..", ref[1]))
			if err != nil || !strings.Contains(string(text), ref[2]) {
				t.Errorf("%s has no %q (%v)", ref[1], ref[2], err)
			}
		}
	}
}

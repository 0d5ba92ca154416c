package dialect

import (
	"strings"
	"testing"
)

// TestFaults: what went wrong in other people's parsers and meters, by its
// symptom, with what is right. Groups as in the collection of faults: what
// starts TTFT (A), tokens per frame (B), zeros (D), usage (E), framing (G),
// endings (H), odd chunks (I), empty answers (J).
func TestFaults(t *testing.T) {
	chat, claude, gem, resp := "openai-chat", "anthropic-messages", "gemini", "openai-responses"
	cases := []struct {
		symptom, api string
		frames       []string
		want         string
	}{
		{"A: the clock stopped at a role frame with empty content", chat, sse(delta(`"role":"assistant","content":""`), delta(`"content":"a"`)), `start / text "a"`},
		{"A: reasoning was no token", chat, sse(delta(`"role":"assistant"`), delta(`"reasoning_content":"t"`), delta(`"content":"a"`)), `start / reasoning "t" / text "a"`},
		{"A: a tool call was no token", chat, sse(delta(`"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":""}}]`)), `tool[0 c f name] "f"`},
		{"A: framing events counted as tokens", claude, named("message_start", `{"type":"message_start","message":{"type":"message","content":[]}}`, "ping", `{"type":"ping"}`, "content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`), `start / ping / start`},
		{"A: a field renamed by the server gave zeros in silence", chat, sse(delta(`"reasoning_v2":"t"`)), `undecoded @choices[].delta.reasoning_v2`},

		{"B: several tokens in a chunk, counted one by one", chat, sse(`{"choices":[{"index":0,"delta":{"content":"abc"},"logprobs":{"content":[{"token":"a"},{"token":"b"},{"token":"c"}]}}]}`), `meta listed=3 @choices[].logprobs · text "abc"`},
		{"B: several tokens in a chunk, listed by id", chat, sse(`{"choices":[{"index":0,"delta":{"content":"ab"},"token_ids":[5,6]}]}`), `meta listed=2 @choices[].token_ids · text "ab"`},
		{"B: usage so far in each chunk", chat, sse(`{"choices":[{"index":0,"delta":{"content":"ab"}}],"usage":{"prompt_tokens":4,"completion_tokens":2}}`, `{"choices":[{"index":0,"delta":{"content":"c"}}],"usage":{"prompt_tokens":4,"completion_tokens":3}}`), `text "ab" · usage in=4 out=2 / text "c" · usage in=4 out=3`},

		{"D: -1 for a count that is not known", chat, sse(`{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":-1,"total_tokens":-1}}`), `meta @usage`},
		{"D: no usage is no zero", chat, sse(`{"choices":[],"usage":null}`, `{"choices":[],"usage":{}}`), `start / start`},

		{"E: cache tokens added twice", claude, named("message_start", `{"type":"message_start","message":{"type":"message","content":[],"usage":{"input_tokens":3,"cache_read_input_tokens":7,"output_tokens":1}}}`, "message_delta", `{"type":"message_delta","delta":{},"usage":{"input_tokens":3,"cache_read_input_tokens":7,"output_tokens":9}}`), `usage in=3 out=1 cached=7 disjoint / usage in=3 out=9 cached=7 disjoint`},
		{"E: thinking counted by another name", claude, named("message_delta", `{"type":"message_delta","delta":{},"usage":{"output_tokens":81,"output_tokens_details":{"thinking_tokens":67}}}`), `usage out=81 reason=67 disjoint`},
		{"E: input_tokens null in a delta", claude, named("message_delta", `{"type":"message_delta","delta":{},"usage":{"input_tokens":null,"output_tokens":9}}`), `usage out=9 disjoint`},
		{"E: usageMetadata never read, or summed", gem, sse(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":1,"totalTokenCount":6}}`, `{"candidates":[{"content":{"parts":[{"text":"b"}]}}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2,"totalTokenCount":7}}`), `text "a" · usage in=5 out=1 total=6 / text "b" · usage in=5 out=2 total=7`},
		{"E: usage beside the last choices lost", chat, sse(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`), `finish stop=stop · usage in=1 out=2`},
		{"E: the text of done events counted again", resp, named("response.output_text.delta", `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"ab"}`, "response.output_text.done", `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"ab"}`), `text "ab" / start`},
		{"E: reasoning inside the output, or beside it: both as sent", chat, sse(`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":50,"total_tokens":60,"completion_tokens_details":{"reasoning_tokens":40}}}`, `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":60,"completion_tokens_details":{"reasoning_tokens":40}}}`), `usage in=10 out=50 total=60 reason=40 / usage in=10 out=10 total=60 reason=40`},

		{"G: a comment that a gateway wrapped as data", chat, []string{"data: : OPENROUTER PROCESSING\n\n", sse(delta(`"content":"a"`))[0]}, `undecoded @$ (not json) / text "a"`},
		{"G: CRLF, CR, and no space", chat, []string{"data:" + delta(`"content":"a"`) + "\r\n\r\n", "data:" + delta(`"content":"b"`) + "\r\r"}, `text "a" / text "b"`},
		{"G: a byte order mark ate the first event", chat, []string{"\xEF\xBB\xBF" + sse(delta(`"content":"a"`))[0]}, `text "a"`},
		{"G: JSON over several data lines", chat, []string{"data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"a\"}}]}\n\n"}, `text "a"`},
		{"G: a line separator inside a text", chat, sse(delta("\"content\":\"a\u2028b\"")), `text "a\u2028b"`},
		{"G: invalid UTF-8 ended the stream", chat, sse(delta("\"content\":\"\xe2\x82\""), delta(`"content":"b"`)), `text "��" / text "b"`},
		{"G: an event larger than a line buffer", chat, sse(delta(`"refusal":"","content":null,"annotations":["`+strings.Repeat("x", 1<<20)+`"]`), delta(`"content":"a"`)), `meta @choices[].delta.annotations / text "a"`},
		{"G: two lines in one read", "ollama", []string{"{\"model\":\"m\",\"created_at\":\"x\",\"response\":\"a\",\"done\":false}\n{\"model\":\"m\",\"created_at\":\"x\",\"response\":\"b\",\"done\":false}\n"}, `text "a" · meta model=m · text "b"`},
		{"G: the last line without its end", "ollama", []string{`{"model":"m","created_at":"x","response":"a","done":true}`}, `text "a" · done · meta model=m`},

		{"H: an error inside a 200", chat, sse(`{"error":{"message":"boom","type":"server_error"}}`), `error server_error||boom`},
		{"H: the type of an error lost", claude, named("error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), `error overloaded_error||Overloaded`},
		{"H: event: error ignored", chat, []string{"event: error\ndata: {\"message\":\"gone\"}\n\n"}, `error ||gone`},
		{"H: an unknown event was fatal", claude, named("vibe", `{"type":"vibe","level":9}`, "content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`), `undecoded @level · undecoded @type vibe / text "a"`},
		{"H: [DONE] without a finish reason", chat, append(sse(delta(`"content":"a"`)), "data: [DONE]\n\n"), `text "a" / done`},
		{"H: a finish reason without [DONE]", chat, sse(`{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}`), `text "a" · finish stop=stop`},
		{"H: incomplete became a server error", resp, named("response.incomplete", `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}`), `finish max_output_tokens=length · done`},
		{"H: heartbeats passed for progress", chat, []string{": keep-alive\n\n", "event: ping\ndata: {}\n\n", "event: heartbeat\ndata:\n\n"}, `comment / ping / ping`},

		{"I: no choices in the first chunk", chat, sse(`{"choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"severity":"safe"}}}]}`), `meta @prompt_filter_results`},
		{"I: a choice without delta", chat, sse(`{"choices":[{"index":0,"finish_reason":null}]}`), `start`},
		{"I: tool_calls null", chat, sse(delta(`"content":"a","tool_calls":null`)), `text "a"`},
		{"I: a tool fragment without an index", chat, sse(delta(`"tool_calls":[{"id":"c","function":{"name":"f"}}]`), delta(`"tool_calls":[{"function":{"arguments":"{}"}}]`)), `tool[0 c f name inferred] "f" / tool[0 c f arguments inferred] "{}"`},
		{"I: interleaved tool fragments", chat, sse(delta(`"tool_calls":[{"index":0,"id":"c","function":{"name":"f"}},{"index":1,"id":"d","function":{"name":"g"}}]`), delta(`"tool_calls":[{"index":1,"function":{"arguments":"1"}},{"index":0,"function":{"arguments":"2"}}]`)), `tool[0 c f name] "f" · tool[1 d g name] "g" / tool[1 d g arguments] "1" · tool[0 c f arguments] "2"`},
		{"I: the id changes with each chunk", chat, sse(`{"id":"1","choices":[{"index":0,"delta":{"content":"a"}}]}`, `{"id":"2","choices":[{"index":0,"delta":{"content":"b"}}]}`), `text "a" · meta id=1 / text "b" · meta id=2`},
		{"I: timings of the last chunk thrown away", chat, sse(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"timings":{"predicted_per_second":51.5}}`), `finish stop=stop · meta timings={"predicted_per_second":51.5} @timings`},

		{"J: thinking, then nothing", chat, sse(delta(`"reasoning_content":"t"`), `{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"length"}]}`), `reasoning "t" / finish length=length`},
		{"J: thinking that was off, inline", chat, sse(delta(`"content":"<think>t</think>a"`)), `reasoning "<think>t</think>" · text "a"`},
		{"J: a guardrail stepped in, and no stop reason says so", "bedrock-invoke", []string{invoke(`{"outputText":"Input blocked","index":0,"totalOutputTextTokenCount":3,"inputTextTokenCount":6,"amazon-bedrock-guardrailAction":"INTERVENED"}`)}, `text "Input blocked" · finish INTERVENED=filter · usage in=6 out=3`},
		{"J: the served provider hidden by a router", chat, sse(`{"provider":"X","model":"m","choices":[{"index":0,"delta":{"content":"a"}}]}`), `text "a" · meta model=m provider=X`},
	}
	for _, c := range cases {
		t.Run(c.symptom, func(t *testing.T) {
			if got := one(decodeFrames(c.api, Meta{}, c.frames...)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

package dialect

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

type streamCase struct {
	name   string
	frames []string
	want   string
}

func check(t *testing.T, api string, cases []streamCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, named := range []string{api, ""} { // the data alone must do
				if got := one(decodeFrames(named, Meta{}, c.frames...)); got != c.want {
					t.Errorf("api %q\n got %s\nwant %s", named, got, c.want)
				}
			}
		})
	}
}

// named wraps messages as events with their type as the event's name.
func named(pairs ...string) []string {
	var frames []string
	for i := 0; i < len(pairs); i += 2 {
		frames = append(frames, "event: "+pairs[i]+"\ndata: "+pairs[i+1]+"\n\n")
	}
	return frames
}

func TestCompletions(t *testing.T) {
	check(t, "openai-completions", []streamCase{
		{"stream", sse(`{"id":"c","object":"text_completion","model":"m","choices":[{"text":"a","index":0,"logprobs":{"tokens":["a"],"token_logprobs":[-1]},"finish_reason":null}]}`, `{"id":"c","object":"text_completion","model":"m","choices":[{"text":"","index":0,"logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`),
			`text "a" · meta listed=1 @choices[].logprobs · meta model=m id=c / finish length=length · usage in=1 out=1 total=2`},
		{"value only", sse(`{"value":"a"}`, `{"value":"b"}`), `text "a" · meta @no end marker / text "b"`},
	})
}

// What deltas leave out of a call's arguments stands in the whole.
func TestArgumentsThatStopShort(t *testing.T) {
	check(t, "openai-responses", []streamCase{{"call", named(
		"response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"function_call","call_id":"c","name":"f","arguments":""}}`,
		"response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"i","delta":"{\"a\":"}`,
		"response.function_call_arguments.done", `{"type":"response.function_call_arguments.done","output_index":0,"item_id":"i","arguments":"{\"a\":1}"}`,
		"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"id":"i","type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1}"}}`),
		`tool[0 c f name] "f" / tool[0 c f arguments] "{\"a\":" / tool[0 c f arguments] "1}" / start`}})
}

// The searches of an answer that is grounded are billed apart: as many as there
// are queries, one where places or pages name none, none for one's own files.
func TestGrounding(t *testing.T) {
	grounded := func(metadata string) []string {
		return sse(`{"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3},"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP","groundingMetadata":` + metadata + `}],"modelVersion":"m"}`)
	}
	for _, c := range []struct {
		metadata string
		want     int64
	}{
		{`{"webSearchQueries":["a","b"],"groundingChunks":[{"web":{"uri":"u"}}]}`, 2},
		{`{"groundingChunks":[{"web":{"uri":"u"}}],"webSearchQueries":["a","b"]}`, 2},
		{`{"groundingChunks":[{"maps":{"uri":"u"}}]}`, 1},
		{`{"groundingChunks":[{"retrievedContext":{"uri":"u"}}]}`, 0},
		{`{}`, 0},
	} {
		var got int64
		d := New("gemini", Meta{})
		for _, f := range grounded(c.metadata) {
			d.Frame([]byte(f), func(e *Event) {
				if e.Usage != nil && e.Usage.Searches != nil {
					got = *e.Usage.Searches
				}
			})
		}
		if got != c.want {
			t.Errorf("%s: %d searches, want %d", c.metadata, got, c.want)
		}
	}
}

func TestResponses(t *testing.T) {
	check(t, "openai-responses", []streamCase{
		{"deltas count, what is done does not", named(
			"response.created", `{"type":"response.created","response":{"id":"r","object":"response","model":"m","status":"in_progress","output":[],"service_tier":"auto"}}`,
			"response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"id":"i0","type":"reasoning","summary":[]}}`,
			"response.reasoning_summary_text.delta", `{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"th"}`,
			"response.reasoning_summary_text.done", `{"type":"response.reasoning_summary_text.done","output_index":0,"summary_index":0,"text":"th"}`,
			"response.reasoning_summary_part.done", `{"type":"response.reasoning_summary_part.done","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"th"}}`,
			"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"id":"i0","type":"reasoning","summary":[{"type":"summary_text","text":"th"}]}}`,
			"response.content_part.added", `{"type":"response.content_part.added","output_index":1,"content_index":0,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":""}}`,
			"response.output_text.delta", `{"type":"response.output_text.delta","output_index":1,"content_index":0,"item_id":"i1","delta":"a","logprobs":[],"obfuscation":"xyz","sequence_number":7}`,
			"response.output_text.delta", `{"type":"response.output_text.delta","output_index":1,"content_index":0,"item_id":"i1","delta":"b","logprobs":[],"obfuscation":"q","sequence_number":18}`,
			"response.output_text.done", `{"type":"response.output_text.done","output_index":1,"content_index":0,"text":"ab"}`,
			"response.content_part.done", `{"type":"response.content_part.done","output_index":1,"content_index":0,"part":{"type":"output_text","text":"ab"}}`,
			"response.output_item.done", `{"type":"response.output_item.done","output_index":1,"item":{"id":"i1","type":"message","content":[{"type":"output_text","text":"ab"}]}}`,
			"response.completed", `{"type":"response.completed","response":{"id":"r","object":"response","model":"m","status":"completed","service_tier":"default","output":[{"id":"i0","type":"reasoning","summary":[{"type":"summary_text","text":"th"}]},{"id":"i1","type":"message","content":[{"type":"output_text","text":"ab"}]}],"usage":{"input_tokens":5,"input_tokens_details":{"cached_tokens":1},"output_tokens":6,"output_tokens_details":{"reasoning_tokens":4},"total_tokens":11}}}`),
			`meta model=m tier=auto id=r / start / reasoning "th" / start / start / start / start / text "a" / text "b" / start / start / start / finish completed=stop · usage in=5 out=6 total=11 reason=4 cached=1 · done · meta tier=default`},
		{"what was never streamed is given once", named(
			"response.output_text.done", `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"ab"}`,
			"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"ab"}]}}`,
			"response.output_item.done", `{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}}`),
			`text "ab" / start / tool[1 c f name] "f" · tool[1 c f arguments] "{}"`},
		{"lost deltas show", named(
			"response.output_text.delta", `{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"a"}`,
			"response.output_text.done", `{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"ab"}`),
			`text "a" / undecoded @text (differs from its deltas)`},
		{"function call", named(
			"response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"function_call","call_id":"c","name":"f","arguments":""}}`,
			"response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"i","delta":"{\"a\""}`,
			"response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":0,"item_id":"i","delta":":1}"}`,
			"response.function_call_arguments.done", `{"type":"response.function_call_arguments.done","output_index":0,"item_id":"i","arguments":"{\"a\":1}"}`,
			"response.completed", `{"type":"response.completed","response":{"status":"completed","output":[{"id":"i","type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":1}"}]}}`),
			`tool[0 c f name] "f" / tool[0 c f arguments] "{\"a\"" / tool[0 c f arguments] ":1}" / start / finish completed=tool · done`},
		{"tools of the server", named(
			"response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"id":"w","type":"web_search_call","status":"in_progress"}}`,
			"response.web_search_call.searching", `{"type":"response.web_search_call.searching","output_index":0,"item_id":"w"}`,
			"response.output_item.done", `{"type":"response.output_item.done","output_index":0,"item":{"id":"w","type":"web_search_call","action":{"type":"search","query":"q"}}}`,
			"response.code_interpreter_call_code.delta", `{"type":"response.code_interpreter_call_code.delta","output_index":0,"delta":"x"}`),
			`tool[0 w web_search_call name] "web_search_call" / start / tool[0 w web_search_call arguments] "{\"type\":\"search\",\"query\":\"q\"}" / tool[0 w web_search_call arguments] "x"`},
		{"incomplete", named("response.incomplete", `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}}`),
			`finish max_output_tokens=length · usage in=1 out=2 total=3 · done`},
		{"failed", named("response.failed", `{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow"}}}`),
			`error |rate_limit_exceeded|slow · finish failed=error · done`},
		{"refusal", named("response.refusal.delta", `{"type":"response.refusal.delta","output_index":0,"content_index":0,"delta":"no"}`, "response.refusal.done", `{"type":"response.refusal.done","output_index":0,"content_index":0,"refusal":"no"}`), `refusal "no" / start`},
		{"whole", []string{`{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"t"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a","annotations":[{"type":"url_citation"}]}]}],"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}`},
			`reasoning "t" · text "a" · meta @output[].content[].annotations · finish completed=stop · usage in=1 out=2 total=3 · done · meta model=m id=r`},
		{"unknown", named("response.output_text.delta", `{"type":"response.output_text.delta","delta":"a"}`, "response.brand_new.delta", `{"type":"response.brand_new.delta","delta":"x"}`), `text "a" / undecoded @type brand_new.delta`},
	})
	got := one(decodeFrames("openai-responses", Meta{}, named("error", `{"type":"error","code":"x","message":"m","param":null,"sequence_number":2}`)...))
	if want := `error error|x|m`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAnthropic(t *testing.T) {
	check(t, "anthropic-messages", []streamCase{
		{"thinking, text, cumulative usage", named(
			"message_start", `{"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":3,"cache_read_input_tokens":4,"output_tokens":1,"service_tier":"standard"}}}`,
			"ping", `{"type": "ping"}`,
			"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
			"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"t"}}`,
			"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xx"}}`,
			"content_block_stop", `{"type":"content_block_stop","index":0}`,
			"content_block_start", `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`,
			"content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"}}`,
			"content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"b"}}`,
			"message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":null,"cache_creation_input_tokens":3,"cache_read_input_tokens":4,"output_tokens":9}}`,
			"message_stop", `{"type":"message_stop"}`),
			`usage in=10 out=1 cached=4 write=3 disjoint · meta model=claude tier=standard id=m1 / ping / start / reasoning "t" / start / start / start / text "a" / text "b" / usage out=9 cached=4 write=3 disjoint · finish end_turn=stop / done`},
		{"tool use", named(
			"content_block_start", `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"f","input":{}}}`,
			"content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}`,
			"content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`,
			"content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"1}"}}`,
			"message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`),
			`tool[1 t1 f name] "f" / start / tool[1 t1 f arguments] "{\"a\":" / tool[1 t1 f arguments] "1}" / finish tool_use=tool`},
		{"results of server tools, redacted thinking, citations", named(
			"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"web_search_tool_result","content":[{"type":"web_search_result","title":"x"}]}}`,
			"content_block_start", `{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"zz"}}`,
			"content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"cited_text":"c"}}}`,
			"content_block_start", `{"type":"content_block_start","index":3,"content_block":{"type":"hologram","x":1}}`),
			`meta @content_block web_search_tool_result / meta hidden @content_block redacted_thinking / meta @delta.citation / undecoded @content_block hologram`},
		{"error in the stream", append(named("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`), named("error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"r"}`)...),
			`text "a" / error overloaded_error||Overloaded`},
		{"whole", []string{`{"id":"m1","type":"message","role":"assistant","model":"claude","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"a"},{"type":"tool_use","id":"t1","name":"f","input":{}}],"stop_reason":"refusal","usage":{"input_tokens":1,"output_tokens":2}}`},
			`reasoning "t" · text "a" · tool[2 t1 f name] "f" · tool[2 t1 f arguments] "{}" · usage in=1 out=2 disjoint · finish refusal=filter · meta model=claude id=m1`},
		{"text completions", named("completion", `{"type":"completion","id":"c","completion":" a","stop_reason":null,"model":"claude-2"}`, "completion", `{"type":"completion","id":"c","completion":"","stop_reason":"stop_sequence","model":"claude-2","stop":"\n\nHuman:","log_id":"c"}`),
			`text " a" · meta model=claude-2 id=c / finish stop_sequence=stop`},
	})
}

func TestGemini(t *testing.T) {
	part := func(p string) string {
		return `{"candidates":[{"content":{"parts":[` + p + `],"role":"model"},"index":0}]}`
	}
	check(t, "gemini", []streamCase{
		{"thoughts, text, usage in every chunk", sse(
			`{"candidates":[{"content":{"parts":[{"text":"t","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":5,"totalTokenCount":9,"thoughtsTokenCount":4,"promptTokensDetails":[{"modality":"TEXT","tokenCount":5}]},"modelVersion":"g","responseId":"r"}`,
			`{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"finishReason":"STOP","index":0,"safetyRatings":[{"category":"x"}]}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2,"totalTokenCount":11,"thoughtsTokenCount":4,"cachedContentTokenCount":1},"modelVersion":"g","responseId":"r"}`),
			`reasoning "t" · usage in=5 total=9 reason=4 · meta model=g id=r / text "a" · meta @candidates[].safetyRatings · finish STOP=stop · usage in=5 out=2 total=11 reason=4 cached=1`},
		{"an array, cut into elements", []string{"[" + part(`{"text":"a"}`), "\n,\r\n" + part(`{"text":"b"}`), "\n]"}, `text "a" / text "b" / start`},
		{"a whole array", []string{"[" + part(`{"text":"a"}`) + ",\n" + part(`{"text":"b"}`) + "]"}, `text "a" · text "b"`},
		{"calls and code", sse(part(`{"functionCall":{"name":"f","args":{"x":1}},"thoughtSignature":"s"},{"functionCall":{"name":"g","args":{}}}`), part(`{"executableCode":{"language":"PYTHON","code":"print(1)"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}`)),
			`tool[0  f name] "f" · tool[0  f arguments] "{\"x\":1}" · tool[1  g name] "g" · tool[1  g arguments] "{}" / tool[2  code_execution name] "code_execution" · tool[2  code_execution arguments] "print(1)" · meta @candidates[].content.parts[].codeExecutionResult`},
		{"arguments in pieces", sse(part(`{"functionCall":{"name":"f","willContinue":true}}`), part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x"}],"willContinue":true}}`), part(`{"functionCall":{}}`)),
			`tool[0  f name] "f" / tool[0  f arguments] "{\"a\":\"x" / tool[0  f arguments] "\"}"`},
		{"arguments in pieces, in containers", sse(part(`{"functionCall":{"name":"f","willContinue":true}}`),
			part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.a","numberValue":1},{"jsonPath":"$.b.c[0]","stringValue":"x","willContinue":true}],"willContinue":true}}`),
			part(`{"functionCall":{"partialArgs":[{"jsonPath":"$.b.c[0]","stringValue":"\"y"},{"jsonPath":"$.b.c[1]","boolValue":true},{"jsonPath":"$.d","nullValue":"NULL_VALUE"}]}}`)),
			`tool[0  f name] "f" / tool[0  f arguments] "{\"a\":1" · tool[0  f arguments] ",\"b\":{\"c\":[\"x" / tool[0  f arguments] "\\\"y" · tool[0  f arguments] "\",true" · tool[0  f arguments] "]},\"d\":null" · tool[0  f arguments] "}"`},
		{"an image is an answer", sse(part(`{"inlineData":{"mimeType":"image/png","data":"aWk="}}`)), `meta media=image @candidates[].content.parts[].inlineData`},
		{"blocked prompt", sse(`{"promptFeedback":{"blockReason":"SAFETY","safetyRatings":[]}}`), `finish SAFETY=filter`},
		{"empty content", sse(`{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}]}`, `{"candidates":[{"finishReason":"RECITATION"}]}`), `finish MAX_TOKENS=length / finish RECITATION=filter`},
		{"unknown part", sse(part(`{"hologram":{"x":1}}`)), `undecoded @candidates[].content.parts[].hologram`},
	})
	if got, want := one(decodeFrames("gemini", Meta{Status: 503}, `[{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}]`)), `error UNAVAILABLE|503|overloaded`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestInteractions(t *testing.T) {
	check(t, "gemini-interactions", []streamCase{{"stream", named(
		"interaction.created", `{"interaction":{"id":"v1","status":"in_progress","object":"interaction","model":"g"},"event_type":"interaction.created"}`,
		"step.start", `{"index":0,"step":{"type":"thought"},"event_type":"step.start"}`,
		"step.delta", `{"index":0,"delta":{"content":{"text":"t","type":"text"},"type":"thought_summary"},"event_type":"step.delta"}`,
		"step.delta", `{"index":1,"delta":{"text":"a","type":"text"},"event_type":"step.delta"}`,
		"step.start", `{"index":2,"step":{"id":"c","type":"function_call","name":"f","arguments":{}},"event_type":"step.start"}`,
		"step.delta", `{"index":2,"delta":{"arguments":"{}","type":"arguments_delta"},"event_type":"step.delta"}`,
		"interaction.completed", `{"interaction":{"id":"v1","status":"completed","model":"g","usage":{"total_tokens":9,"total_input_tokens":2,"total_output_tokens":3,"total_thought_tokens":4}},"event_type":"interaction.completed"}`,
		"done", `[DONE]`),
		`meta model=g id=v1 / start / reasoning "t" / text "a" / tool[2 c f name] "f" / tool[2 c f arguments] "{}" / finish completed=stop · usage in=2 out=3 total=9 reason=4 · done / done`}})
}

func TestOllama(t *testing.T) {
	check(t, "ollama", []streamCase{
		{"chat", []string{
			`{"model":"q","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"","thinking":"t"},"done":false}` + "\n",
			`{"model":"q","created_at":"2026-01-01T00:00:01Z","message":{"role":"assistant","content":"a"},"done":false}` + "\n",
			`{"model":"q","created_at":"2026-01-01T00:00:02Z","message":{"role":"assistant","content":"b"},"done":false}` + "\n",
			`{"model":"q","created_at":"2026-01-01T00:00:03Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"index":0,"name":"f","arguments":{"x":1}}}]},"done":false}` + "\n",
			`{"model":"q","created_at":"2026-01-01T00:00:04Z","message":{"role":"assistant","content":"","tool_calls":[{"function":{"index":0,"name":"f","arguments":{"x":2}}}]},"done":false}` + "\n",
			`{"model":"q","created_at":"2026-01-01T00:00:05Z","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"total_duration":5,"load_duration":1,"prompt_eval_count":3,"prompt_eval_duration":2,"eval_count":4,"eval_duration":2}` + "\n"},
			`reasoning "t" · meta model=q / text "a" / text "b" / tool[0  f name] "f" · tool[0  f arguments] "{\"x\":1}" / tool[1  f name] "f" · tool[1  f arguments] "{\"x\":2}" / finish stop=stop · usage in=3 out=4 · meta timings={"total_duration":5,"load_duration":1,"prompt_eval_duration":2,"eval_duration":2} @durations · done`},
		{"generate", []string{`{"model":"q","created_at":"x","response":"<think>","done":false}` + "\n", `{"model":"q","created_at":"x","response":"</think>","done":false}` + "\n", `{"model":"q","created_at":"x","response":"a","done":true,"context":[1,2]}` + "\n"},
			`reasoning "<think>" · meta model=q / reasoning "</think>" / text "a" · meta @context · done`},
		{"two lines in one frame", []string{`{"model":"q","created_at":"x","response":"a","done":false}` + "\n" + `{"model":"q","created_at":"x","response":"b","done":false}` + "\n"}, `text "a" · meta model=q · text "b"`},
	})
	if got, want := one(decodeFrames("ollama", Meta{}, `{"error":"model 'x' not found"}`+"\n")), `error ||model 'x' not found`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCohere(t *testing.T) {
	check(t, "cohere", []streamCase{
		{"version 2", named(
			"message-start", `{"id":"c","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}`,
			"tool-plan-delta", `{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"p"}}}`,
			"tool-call-start", `{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"t","type":"function","function":{"name":"f","arguments":""}}}}}`,
			"tool-call-delta", `{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}`,
			"content-start", `{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}}}`,
			"content-delta", `{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"t"}}}}`,
			"content-delta", `{"type":"content-delta","index":1,"delta":{"message":{"content":{"text":"a"}}}}`,
			"citation-start", `{"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":0,"text":"a"}}}}`,
			"message-end", `{"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":8.0,"output_tokens":3.0},"tokens":{"input_tokens":1500.0,"output_tokens":9.0,"reasoning_tokens":2},"cached_tokens":1008}}}`),
			`meta id=c / reasoning "p" / tool[0 t f name] "f" / tool[0 t f arguments] "{}" / start / reasoning "t" / text "a" / meta @delta.message.citations / usage in=8 out=3 reason=2 cached=1008 disjoint · finish COMPLETE=stop · done`},
		{"version 1", []string{
			`{"is_finished":false,"event_type":"stream-start","generation_id":"g"}` + "\n",
			`{"is_finished":false,"event_type":"text-generation","text":"a"}` + "\n",
			`{"is_finished":true,"event_type":"stream-end","response":{"response_id":"r","generation_id":"g","text":"a","meta":{"billed_units":{"input_tokens":2,"output_tokens":1}}},"finish_reason":"MAX_TOKENS"}` + "\n"},
			`meta id=g / text "a" / usage in=2 out=1 · finish MAX_TOKENS=length · done`},
	})
}

// awsFrame wraps a payload as an AWS message.
func awsFrame(kind, event, payload string) string {
	var buf bytes.Buffer
	msg := eventstream.Message{Payload: []byte(payload)}
	msg.Headers.Set(":message-type", eventstream.StringValue(kind))
	name := ":event-type"
	if kind == "exception" {
		name = ":exception-type"
	}
	msg.Headers.Set(name, eventstream.StringValue(event))
	if err := eventstream.NewEncoder().Encode(&buf, msg); err != nil {
		panic(err)
	}
	return buf.String()
}

func invoke(payload string) string {
	return awsFrame("event", "chunk", `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(payload))+`","p":"abcd"}`)
}

func TestBedrock(t *testing.T) {
	broken := []byte(awsFrame("event", "contentBlockDelta", `{"delta":{"text":"a"}}`))
	broken[len(broken)-6] ^= 1
	check(t, "bedrock-converse", []streamCase{
		{"converse", []string{
			awsFrame("event", "messageStart", `{"role":"assistant","p":"ab"}`),
			awsFrame("event", "contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"t"}},"p":"ab"}`),
			awsFrame("event", "contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"s"}}}`),
			awsFrame("event", "contentBlockDelta", `{"contentBlockIndex":1,"delta":{"text":"a"}}`),
			awsFrame("event", "contentBlockStart", `{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"u","name":"f"}}}`),
			awsFrame("event", "contentBlockDelta", `{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}}`),
			awsFrame("event", "contentBlockStop", `{"contentBlockIndex":2}`),
			awsFrame("event", "messageStop", `{"stopReason":"tool_use"}`),
			awsFrame("event", "metadata", `{"usage":{"inputTokens":3,"outputTokens":4,"totalTokens":12,"cacheReadInputTokens":5},"metrics":{"latencyMs":9}}`)},
			`start / reasoning "t" / start / text "a" / tool[2 u f name] "f" / tool[2 u f arguments] "{}" / start / finish tool_use=tool / usage in=3 out=4 total=12 cached=5 disjoint · meta timings={"latencyMs":9} @metrics`},
		{"cached inside the input", []string{awsFrame("event", "messageStart", `{"role":"assistant"}`), awsFrame("event", "metadata", `{"usage":{"inputTokens":8,"outputTokens":4,"totalTokens":12,"cacheReadInputTokens":5}}`)},
			`start / usage in=8 out=4 total=12 cached=5`},
		{"events as objects", []string{`{"messageStart":{"role":"assistant"}}` + "\n", `{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"a"}}}` + "\n", `{"messageStop":{"stopReason":"guardrail_intervened"}}` + "\n"}, `start / text "a" / finish guardrail_intervened=filter`},
		{"exception", []string{awsFrame("event", "messageStart", `{"role":"assistant"}`), awsFrame("exception", "throttlingException", `{"message":"slow down"}`)}, `start / error throttlingException||slow down`},
		{"bad checksum", []string{string(broken)}, `undecoded @$ (event-stream message: message checksum mismatch)`},
		{"invoke, anthropic", []string{
			invoke(`{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"claude","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`),
			invoke(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`),
			invoke(`{"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":1,"outputTokenCount":2,"invocationLatency":7,"firstByteLatency":5}}`)},
			`usage in=1 out=1 disjoint · meta model=claude id=m / text "a" / usage meteredin=1 meteredout=2 disjoint · meta timings={"inputTokenCount":1,"outputTokenCount":2,"invocationLatency":7,"firstByteLatency":5} @amazon-bedrock-invocationMetrics · done`},
		{"invoke, meta", []string{invoke(`{"generation":"a","prompt_token_count":3,"generation_token_count":1,"stop_reason":null}`), invoke(`{"generation":"","prompt_token_count":null,"generation_token_count":2,"stop_reason":"stop"}`)},
			`text "a" · usage in=3 out=1 / finish stop=stop · usage out=2`},
		{"invoke, titan and mistral", []string{invoke(`{"outputText":"a","index":0,"totalOutputTextTokenCount":4,"completionReason":"LENGTH","inputTextTokenCount":2}`), invoke(`{"outputs":[{"text":"b","stop_reason":null}]}`)},
			`text "a" · finish LENGTH=length · usage in=2 out=4 / text "b"`},
		{"invoke, chat, thinking wrapped piece by piece", []string{invoke(`{"id":"c","object":"chat.completion.chunk","model":"o","choices":[{"index":0,"delta":{"content":"<reasoning>t</reasoning>"}}]}`), invoke(`{"id":"c","object":"chat.completion.chunk","model":"o","choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}`)},
			`reasoning "<reasoning>t</reasoning>" · meta model=o id=c / text "a" · finish stop=stop`},
		{"whole", []string{`{"output":{"message":{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t","signature":"s"}}},{"text":"a"},{"toolUse":{"toolUseId":"u","name":"f","input":{"x":1}}}]}},"stopReason":"max_tokens","usage":{"inputTokens":1,"outputTokens":2,"totalTokens":3},"metrics":{"latencyMs":4}}`},
			`reasoning "t" · text "a" · tool[2 u f name] "f" · tool[2 u f arguments] "{\"x\":1}" · finish max_tokens=length · usage in=1 out=2 total=3 disjoint · meta timings={"latencyMs":4} @metrics`},
	})
}

func TestBedrockAgent(t *testing.T) {
	step := func(name, rest string) string {
		return awsFrame("event", "trace", `{"sessionId":"s","trace":{"orchestrationTrace":{`+rest+`}}`+name+`}`)
	}
	check(t, "bedrock-agent", []streamCase{
		{"steps are summed, a collaborator's end is not the agent's", []string{
			step("", `"modelInvocationOutput":{"metadata":{"usage":{"inputTokens":10,"outputTokens":3}}}`),
			step(`,"collaboratorName":"c"`, `"observation":{"type":"FINISH"}`),
			step("", `"modelInvocationOutput":{"metadata":{"usage":{"inputTokens":20,"outputTokens":4}}}`),
			step("", `"observation":{"type":"FINISH"}`),
			invoke("plain answer"),
		}, `meta @trace · usage in=10 out=3 / meta @trace / meta @trace · usage in=30 out=7 / meta @trace · finish FINISH=stop / text "plain answer" · meta @no end marker`},
		{"text alone", []string{invoke("plain"), invoke(" answer")}, `text "plain" · meta @no end marker / text " answer"`},
		{"knowledge base", []string{awsFrame("event", "output", `{"text":"a"}`), awsFrame("event", "citation", `{"citation":{}}`)}, `text "a" · meta @no end marker / meta @citation`},
		{"whole", []string{`{"sessionId":"s","output":{"text":"a"},"citations":[{"x":1}],"guardrailAction":"INTERVENED"}`}, `text "a" · meta @no end marker · meta @citations · finish INTERVENED=filter`},
		{"not base64", []string{awsFrame("event", "chunk", `{"bytes":"*"}`)}, `undecoded @chunk.bytes (base64)`},
	})
}

func TestCody(t *testing.T) {
	check(t, "cody", []streamCase{
		{"deltas", named("completion", `{"deltaText":"a"}`, "completion", `{"deltaText":"b","stopReason":"end_turn"}`, "done", `{}`), `text "a" / text "b" · finish end_turn=stop / done`},
		{"text so far", named("completion", `{"completion":"a","stopReason":""}`, "completion", `{"completion":"ab","stopReason":"stop_sequence"}`, "done", `{}`), `text "a" / text "b" · finish stop_sequence=stop / done`},
	})
}

func TestTGI(t *testing.T) {
	check(t, "tgi", []streamCase{
		{"stream", sse(`{"index":1,"token":{"id":5,"text":"a","logprob":-0.1,"special":false},"generated_text":null,"details":null}`, `{"index":2,"token":{"id":2,"text":"</s>","logprob":-0.1,"special":true},"generated_text":"a","details":{"finish_reason":"eos_token","generated_tokens":2,"seed":null}}`),
			`text "a" / meta @token.text · finish eos_token=stop · usage out=2`},
		{"whole", []string{`[{"generated_text":"a","details":{"finish_reason":"length","generated_tokens":1}}]`}, `text "a" · finish length=length · usage out=1`},
	})
}

func TestModelBodies(t *testing.T) {
	check(t, "bedrock-invoke", []streamCase{
		{"Titan, whole", []string{`{"inputTextTokenCount":7,"results":[{"tokenCount":9,"outputText":"a","completionReason":"FINISH"}]}`}, `text "a" · finish FINISH=stop · usage in=7 out=9`},
		{"Mistral, whole", []string{`{"outputs":[{"text":"a","stop_reason":"stop"}]}`}, `text "a" · finish stop=stop`},
		{"Llama, whole", []string{`{"generation":"a","prompt_token_count":1,"generation_token_count":2,"stop_reason":"length"}`}, `text "a" · finish length=length · usage in=1 out=2`},
	})
}

func TestServerErrorLine(t *testing.T) {
	got := one(decodeFrames("", Meta{}, "error: {\"error\":{\"message\":\"try again\"}}\n\n", "error: busy\n\n"))
	if want := `error error||try again / error error||busy`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

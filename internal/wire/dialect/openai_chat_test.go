package dialect

import "testing"

func delta(s string) string { return `{"choices":[{"index":0,"delta":{` + s + `}}]}` }

func TestOpenAIChat(t *testing.T) {
	cases := []struct {
		name   string
		frames []string
		want   string
	}{
		{"role only, then text, then finish, usage, done", append(sse(
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`,
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}`,
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{"content":" you"},"finish_reason":null}]}`,
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`{"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","system_fingerprint":"fp","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"prompt_tokens_details":{"cached_tokens":0}}}`,
		), "data: [DONE]\n\n"),
			`meta model=m fp=fp id=c1 / text "Hi" / text " you" / finish stop=stop / usage in=5 out=2 total=7 cached=0 / done`},
		{"no space, crlf, bom", []string{"\xEF\xBB\xBFdata:" + delta(`"content":"a"`) + "\r\n\r\n"}, `text "a"`},
		{"null and empty are no tokens", sse(delta(`"content":null`), delta(`"content":""`), delta(`"content":"","reasoning_content":null,"tool_calls":null`), `{"choices":[]}`, `{"choices":null}`),
			`start / start / start / start / start`},
		{"choice without delta", sse(`{"choices":[{"index":0,"finish_reason":null,"content_filter_offsets":{"check_offset":1},"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}`),
			`meta @choices[].content_filter_results`},
		{"reasoning spellings", sse(delta(`"reasoning_content":"a"`), delta(`"reasoning":"b"`), delta(`"reasoning_text":"c"`), delta(`"reasoning_details":[{"type":"reasoning.text","text":"d","index":0}]`),
			delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"e"}]}]`), delta(`"reasoning_details":[{"type":"reasoning.summary","summary":"f"}]`)),
			`reasoning "a" / reasoning "b" / reasoning "c" / reasoning "d" / reasoning "e" / reasoning "f"`},
		{"reasoning said twice counts once", sse(
			delta(`"reasoning":"a\u00e9","reasoning_content":"aé"`),
			delta(`"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a"}]`),
			delta(`"reasoning":"bb","reasoning_details":[{"type":"reasoning.text","text":"bb"}]`),
			delta(`"reasoning":"a","reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]`),
			delta(`"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"b"}]`)),
			`reasoning "aé" / reasoning "a" / reasoning "bb" / reasoning "a" / reasoning "a" · undecoded @choices[].delta.reasoning_details (differs from the reasoning beside it)`},
		{"thinking and answer in one frame", sse(delta(`"content":"b","reasoning_content":"a"`)), `reasoning "a" · text "b"`},
		{"content list", sse(delta(`"content":[{"type":"text","text":"x"},{"type":"reference","reference_ids":[1]}]`)), `text "x" · meta @choices[].delta.content[].reference_ids`},
		{"refusal", sse(delta(`"refusal":"no"`)), `refusal "no"`},
		{"unknown field", sse(delta(`"content":"a","new_field":{"x":["y"]}`), delta(`"new_field":""`), `{"choices":[],"surprise":1}`),
			`undecoded @choices[].delta.new_field · text "a" / start / undecoded @surprise`},
		{"wrong type", sse(`{"choices":{"a":1}}`, `{"choices":["x"]}`, delta(`"content":7`), delta(`"tool_calls":"x"`)),
			`undecoded @choices (type) / undecoded @choices[] / undecoded @choices[].delta.content (type) / undecoded @choices[].delta.tool_calls (type)`},
		{"two choices", sse(`{"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}`, `{"choices":[{"index":1,"delta":{"content":"c"}}]}`),
			`text "a" · text#1 "b" / text#1 "c"`},
		{"error inside a 200", sse(`{"error":{"message":"overloaded","type":"server_error","code":503}}`, `{"error":"plain"}`), `error server_error|503|overloaded / error ||plain`},
		{"error beside choices", sse(`{"id":"g","error":{"code":502,"message":"upstream"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`),
			`finish error=error · error |502|upstream · meta id=g`},
		{"error event", []string{"event: error\ndata: {\"message\":\"gone\",\"code\":\"x\"}\n\n", "event: error\ndata: just text\n\n"}, `error |x|gone / error error||just text`},
		{"comment", []string{": OPENROUTER PROCESSING\n\n", ": ping\ndata: " + delta(`"content":"a"`) + "\n\n"}, `comment / comment · text "a"`},
		{"comment wrapped as data", []string{"data: : OPENROUTER PROCESSING\n\n", sse(delta(`"content":"a"`))[0]}, `undecoded @$ (not json) / text "a"`},
		{"multi-line data", []string{"data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\n"}, `text "a"`},
		{"truncated", []string{`data: {"choices":[{"delta":{"content":"a`}, `undecoded @$ (truncated json)`},
		{"not an object inside", sse(`{"choices":[{"delta":{"content" "a"}}]}`), `undecoded @$ (malformed json)`},
		{"error body of several shapes", []string{`{"detail":"Not Found"}`, `{"detail":[{"loc":["body"],"msg":"field required","type":"missing"}]}`, `{"message":"no such model","type":"invalid","code":"x"}`, `{"object":"error","message":"m","type":"t","code":40}`},
			`error ||Not Found / error missing||field required / error invalid|x|no such model / error t|40|m`},
		{"whole body", []string{`{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}`},
			`text "Hello" · finish length=length · usage in=1 out=2 total=3 · meta model=m id=x`},
		{"message beside delta repeats", sse(`{"choices":[{"index":0,"delta":{"content":"a"},"message":{"content":"a"}}]}`, `{"choices":[{"index":0,"delta":{"content":"b"},"message":{"content":"ab"}}]}`, `{"choices":[{"index":0,"delta":{},"message":{"content":"ab"},"finish_reason":"stop"}]}`),
			`text "a" / text "b" / finish stop=stop`},
		{"text beside delta repeats", sse(`{"choices":[{"index":0,"text":"a","delta":{"token_id":1,"content":"a"}}]}`), `text "a"`},
		{"logprobs", sse(`{"choices":[{"index":0,"delta":{"content":"ab"},"logprobs":{"content":[{"token":"a","logprob":-0.1},{"token":"b","logprob":NaN}]}}]}`), `meta listed=2 @choices[].logprobs · text "ab"`},
		{"usage in the last choices chunk", sse(`{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop","usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"cached_tokens":1}}]}`, `{"choices":[{"index":0,"delta":{}}],"usage":{"prompt_tokens":1,"completion_tokens":null}}`),
			`usage in=1 out=2 total=3 cached=1 · text "a" · finish stop=stop / usage in=1`},
		{"groq", sse(`{"choices":[],"x_groq":{"id":"r","usage":{"queue_time":0.1,"prompt_tokens":3,"prompt_time":0.2,"completion_tokens":4,"completion_time":0.3,"total_tokens":7,"total_time":0.5}}}`, `{"x_groq":{"id":"r","error":"over capacity"}}`),
			`usage in=3 out=4 total=7 · meta timings={"queue_time":0.1,"prompt_tokens":3,"prompt_time":0.2,"completion_tokens":4,"completion_time":0.3,"total_tokens":7,"total_time":0.5} @usage / error ||over capacity`},
		{"openrouter", sse(`{"provider":"Azure","model":"openai/x","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7,"cost":0.0000123,"is_byok":false,"cost_details":{"upstream_inference_cost":null},"completion_tokens_details":{"reasoning_tokens":2}}}`),
			`usage in=3 out=4 total=7 reason=2 cost=0.0000123 · meta model=openai/x provider=Azure`},
		{"cost ticks", sse(`{"choices":[],"usage":{"prompt_tokens":3,"cost_in_usd_ticks":37756000}}`), `usage in=3 cost=0.0037756000`},
		{"timings", sse(`{"choices":[],"timings":{"prompt_n":1}}`, `{"choices":[],"time_info":{"queue_time":1}}`), `meta timings={"prompt_n":1} @timings / meta timings={"queue_time":1} @time_info`},
		{"sentinel counts", sse(`{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":0}}`), `usage out=0`},
		{"response id changes", sse(`{"id":"a","choices":[{"index":0,"delta":{"content":"x"}}]}`, `{"id":"b","choices":[{"index":0,"delta":{"content":"y"}}]}`), `text "x" · meta id=a / text "y" · meta id=b`},
		{"served model changes", sse(`{"model":"a","choices":[{"index":0,"delta":{"content":"x"}}]}`, `{"model":"b","choices":[{"index":0,"delta":{"content":"y"}}]}`, `{"model":"a","choices":[{"index":0,"delta":{"content":"z"}}]}`),
			`text "x" · meta model=a / text "y" · meta model=b / text "z" · meta model=a`},
		{"escapes", sse(delta(`"content":"\ud83d\ude00\ud83d \"\\\/\n\u2028"`), "{\"choices\":[{\"delta\":{\"content\":\"\xff\u2028\"}}]}"), `text "😀� \"\\/\n\u2028" / text "�\u2028"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := one(decodeFrames("openai-chat", Meta{}, c.frames...)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestToolCalls(t *testing.T) {
	call := func(s string) string { return delta(`"tool_calls":[{` + s + `}]`) }
	cases := []struct {
		name   string
		frames []string
		want   string
	}{
		{"by index", sse(call(`"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}`), call(`"index":0,"function":{"arguments":"{\"x\""}`), call(`"index":0,"function":{"arguments":":1}"}`)),
			`tool[0 a f name] "f" / tool[0 a f arguments] "{\"x\"" / tool[0 a f arguments] ":1}"`},
		{"interleaved", sse(call(`"index":0,"id":"a","function":{"name":"f"}`), call(`"index":1,"id":"b","function":{"name":"g"}`), call(`"index":0,"function":{"arguments":"1"}`), call(`"index":1,"function":{"arguments":"2"}`), call(`"index":0,"function":{"arguments":"3"}`)),
			`tool[0 a f name] "f" / tool[1 b g name] "g" / tool[0 a f arguments] "1" / tool[1 b g arguments] "2" / tool[0 a f arguments] "3"`},
		{"same index, two ids", sse(call(`"index":0,"id":"a","function":{"name":"f","arguments":"{}"}`), call(`"index":0,"id":"b","function":{"name":"f","arguments":"{}"}`)),
			`tool[0 a f name] "f" · tool[0 a f arguments] "{}" / tool[0 b f name] "f" · tool[0 b f arguments] "{}"`},
		{"id changes with each fragment", sse(call(`"index":0,"id":"a","function":{"name":"f"}`), call(`"index":0,"id":"b","function":{"arguments":"1"}`)),
			`tool[0 a f name] "f" / tool[0 a f arguments] "1"`},
		{"name and id repeated", sse(call(`"index":0,"id":"a","function":{"name":"f"}`), call(`"index":0,"id":"a","function":{"name":"f","arguments":"1"}`), call(`"index":0,"id":"","function":{"name":"","arguments":"2"}`)),
			`tool[0 a f name] "f" / tool[0 a f arguments] "1" / tool[0 a f arguments] "2"`},
		{"no index, one call", sse(call(`"id":"a","function":{"name":"f"}`), call(`"function":{"arguments":"1"}`), call(`"function":{"arguments":"2"}`)),
			`tool[0 a f name inferred] "f" / tool[0 a f arguments inferred] "1" / tool[0 a f arguments inferred] "2"`},
		{"no index, two calls", sse(call(`"id":"a","function":{"name":"f"}`), call(`"function":{"arguments":"1"}`), call(`"id":"b","function":{"name":"g"}`), call(`"function":{"arguments":"1"}`), call(`"id":"a","function":{"arguments":"2"}`)),
			`tool[0 a f name inferred] "f" / tool[0 a f arguments inferred] "1" / tool[1 b g name inferred] "g" / tool[1 b g arguments inferred ambiguous] "1" / tool[0 a f arguments inferred] "2"`},
		{"a new name begins a new call", sse(call(`"index":0,"id":"","function":{"name":"f","arguments":"{\"x\":1}"}`), call(`"index":0,"id":"","function":{"name":"g","arguments":"{}"}`), call(`"index":0,"function":{"name":"g","arguments":""}`)),
			`tool[0  f name] "f" · tool[0  f arguments] "{\"x\":1}" / tool[1  g name] "g" · tool[1  g arguments] "{}" / start`},
		{"arguments before their name", sse(call(`"function":{"arguments":"{}"}`), call(`"id":"a","function":{"name":"f"}`)), `tool[0   arguments inferred] "{}" / tool[0  f name inferred] "f"`},
		{"arguments as an object", sse(call(`"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}`)), `tool[0 a f name] "f" · tool[0 a f arguments] "{\"x\":1}"`},
		{"older form", sse(delta(`"function_call":{"name":"f","arguments":""}`), delta(`"function_call":{"arguments":"{}"}`)), `tool[0  f name] "f" / tool[0  f arguments] "{}"`},
		{"custom tool", sse(call(`"index":0,"id":"a","type":"custom","custom":{"name":"f","input":"free text"}`)), `tool[0 a f name] "f" · tool[0 a f arguments] "free text"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := one(decodeFrames("openai-chat", Meta{}, c.frames...)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestInlineThinking(t *testing.T) {
	texts := func(parts ...string) []string {
		var frames []string
		for _, p := range parts {
			frames = append(frames, sse(delta(`"content":"`+p+`"`))...)
		}
		return frames
	}
	cases := []struct {
		name   string
		frames []string
		want   string
	}{
		{"whole", texts("<think>a</think>b"), `reasoning "<think>a</think>" · text "b"`},
		{"one token a frame", texts("<think>", "a", "</think>", "b", "c"), `reasoning "<think>" / reasoning "a" / reasoning "</think>" / text "b" / text "c"`},
		{"tags cut", texts("<th", "ink", ">a</", "thi", "nk>b", "c"), `start / start / reasoning "<think>a</" / reasoning "thi" / reasoning "nk>" · text "b" / text "c"`},
		{"no tag after all", texts("<t", "able>"), `start / text "<table>"`},
		{"a bracket at the end", texts("<"), `start / text "<"`},
		{"blank before", texts("\\n", "<think>", "a"), `text "\n" / reasoning "<think>" / reasoning "a"`},
		{"not at the beginning", texts("a", "<think>", "b"), `text "a" / text "<think>" / text "b"`},
		{"near miss inside", texts("<think>", "a<", "b </", "</think>x"), `reasoning "<think>" / reasoning "a<" / reasoning "b </" / reasoning "</think>" · text "x"`},
		{"wrapped piece by piece", texts("<reasoning>a</reasoning>", "<reasoning>b</reasoning>", "c", "<reasoning>"), `reasoning "<reasoning>a</reasoning>" / reasoning "<reasoning>b</reasoning>" / text "c" / text "<reasoning>"`},
		{"opened in the prompt", texts("a", " b</", "think>c", "</think>"), `text "a" / text " b</" / text "think>" · meta @unopened </think> · text "c" / text "</think>"`},
		{"closed twice", texts("<think>a</think>", "b</think>"), `reasoning "<think>a</think>" / text "b</think>"`},
		{"blank after", texts("<think>a</think>\\n", "b"), `reasoning "<think>a</think>" · text "\n" / text "b"`},
		{"other spellings", texts("[THINK]a[/THINK]b"), `reasoning "[THINK]a[/THINK]" · text "b"`},
		{"signs", texts("◁think▷a◁", "/think▷b"), `reasoning "◁think▷a◁" / reasoning "/think▷" · text "b"`},
		{"signs that nothing opened", texts("a ◁b◁/think▷c"), `text "a ◁b◁/think▷" · meta @unopened </think> · text "c"`},
		{"a channel of thought", texts("<|channel>thought\\n", "a<channel|>b"), `reasoning "<|channel>thought\n" / reasoning "a<channel|>" · text "b"`},
		{"late", texts("Said. ", "<think>a", "</think>", " more"), `text "Said. " / reasoning "<think>a" / reasoning "</think>" / text " more"`},
		{"late, on a line", texts("Said\\n<think>a</think>b"), `text "Said\n" · reasoning "<think>a</think>" · text "b"`},
		{"spoken of in code", texts("In Qwen the tag `", "</think>` ends"), "text \"In Qwen the tag `\" / text \"</think>` ends\""},
		{"spoken of in a sentence", texts("The tag </think> ", "ends it. <think> is", " the other."), `text "The tag </think> " / text "ends it. <think> is" / text " the other."`},
		{"in a block of code", texts("So:\\n```\\n<think>\\n</think>\\n```\\n"), "text \"So:\\n```\\n<think>\\n</think>\\n```\\n\""},
		{"spoken of within thinking", texts("<think>of `</think", ">` and", "</think>a"), "reasoning \"<think>of `</think\" / reasoning \">` and\" / reasoning \"</think>\" · text \"a\""},
		{"MiniMax", texts("<mm:think>a</mm:think>b"), `reasoning "<mm:think>a</mm:think>" · text "b"`},
		{"harmony", texts("<|channel|>analy", "sis<|message|>t<|end|><|start|>assistant<|channel|>fin", "al<|message|>a", "<|return|>"),
			`start / meta @harmony <|channel|> · meta @harmony <|message|> · reasoning "t" · meta @harmony <|end|> · meta @harmony <|start|> · meta @harmony <|channel|> / meta @harmony <|message|> · text "a" / meta @harmony <|return|>`},
		{"harmony, a call", texts("<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>"),
			`meta @harmony <|start|> · meta @harmony <|channel|> · meta @harmony <|constrain|> · meta @harmony <|message|> · tool[0  f name] "f" · tool[0  f arguments] "{}" · meta @harmony <|call|>`},
		{"half a character", texts("a \\ud83d", "\\ude00 b"), `text "a " / text "😀 b"`},
		{"half a character alone", texts("a\\ud83d", "b"), "text \"a\" / text \"\ufffdb\""},
		{"half a character at the end", texts("a", "\\ud83d"), "text \"a\" / start / text \"\ufffd\""},
		{"held at the finish", append(texts("<thi"), sse(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)...), `start / text "<thi" · finish stop=stop`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := one(decodeFrames("openai-chat", Meta{}, c.frames...)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

package dialect

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
)

var chatTool = map[string]any{"type": "function", "function": map[string]any{
	"name": "f", "description": "d", "strict": true, "parameters": map[string]any{"type": "object"}}}

var schemaFormat = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "n", "schema": map[string]any{"type": "object"}}}

// TestBuild shows the same plan in each dialect's spelling.
func TestBuild(t *testing.T) {
	plan := Request{
		ModelID:  "m",
		Messages: []Message{{"system", "S"}, {"user", "<U>"}, {"assistant", "A"}},
		Stream:   true,
		Key:      "secret",
		Headers:  map[string]string{"X-Extra": "1"},
		Params: map[string]any{"temperature": 0, "max_tokens": 9, "top_p": 0.5, "stop": "x", "reasoning_effort": "low",
			"tools": []any{chatTool}, "tool_choice": "required", "response_format": schemaFormat, "custom": map[string]any{"a": 1}},
	}
	cases := []struct {
		api, base, url, key, body string
	}{
		{"openai-chat", "https://h/v1", "https://h/v1/chat/completions", "Authorization: Bearer secret",
			`{"custom":{"a":1},"max_tokens":9,"messages":[{"role":"system","content":"S"},{"role":"user","content":"<U>"},{"role":"assistant","content":"A"}],"model":"m","reasoning_effort":"low","response_format":{"json_schema":{"name":"n","schema":{"type":"object"}},"type":"json_schema"},"stop":"x","stream":true,"stream_options":{"include_usage":true},"temperature":0,"tool_choice":"required","tools":[{"function":{"description":"d","name":"f","parameters":{"type":"object"},"strict":true},"type":"function"}],"top_p":0.5}`},
		{"openai-chat", "https://x.openai.azure.com/openai/deployments/d?api-version=1", "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1", "Api-Key: secret", ""},
		{"openai-responses", "https://h/v1", "https://h/v1/responses", "Authorization: Bearer secret",
			`{"custom":{"a":1},"input":[{"role":"system","content":"S"},{"role":"user","content":"<U>"},{"role":"assistant","content":"A"}],"max_output_tokens":9,"model":"m","reasoning":{"effort":"low"},"stop":"x","stream":true,"temperature":0,"text":{"format":{"name":"n","schema":{"type":"object"},"type":"json_schema"}},"tool_choice":"required","tools":[{"description":"d","name":"f","parameters":{"type":"object"},"strict":true,"type":"function"}],"top_p":0.5}`},
		{"anthropic-messages", "https://h", "https://h/v1/messages", "X-Api-Key: secret",
			`{"custom":{"a":1},"max_tokens":9,"messages":[{"role":"user","content":"<U>"},{"role":"assistant","content":"A"}],"model":"m","output_config":{"effort":"low","format":{"schema":{"type":"object"},"type":"json_schema"}},"stop_sequences":["x"],"stream":true,"system":"S","temperature":0,"tool_choice":{"type":"any"},"tools":[{"description":"d","input_schema":{"type":"object"},"name":"f"}],"top_p":0.5}`},
		{"gemini", "https://h/v1beta", "https://h/v1beta/models/m:streamGenerateContent?alt=sse", "X-Goog-Api-Key: secret",
			`{"contents":[{"parts":[{"text":"<U>"}],"role":"user"},{"parts":[{"text":"A"}],"role":"model"}],"custom":{"a":1},"generationConfig":{"maxOutputTokens":9,"responseJsonSchema":{"type":"object"},"responseMimeType":"application/json","stopSequences":["x"],"temperature":0,"thinkingConfig":{"thinkingLevel":"low"},"topP":0.5},"systemInstruction":{"parts":[{"text":"S"}]},"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"tools":[{"functionDeclarations":[{"description":"d","name":"f","parametersJsonSchema":{"type":"object"}}]}]}`},
		{"gemini", "https://eu-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google", "https://eu-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent?alt=sse", "Authorization: Bearer secret", ""},
		{"ollama", "http://h:11434", "http://h:11434/api/chat", "Authorization: Bearer secret",
			`{"custom":{"a":1},"format":{"type":"object"},"messages":[{"role":"system","content":"S"},{"role":"user","content":"<U>"},{"role":"assistant","content":"A"}],"model":"m","options":{"num_predict":9,"stop":["x"],"temperature":0,"top_p":0.5},"stream":true,"think":"low","tool_choice":"required","tools":[{"function":{"description":"d","name":"f","parameters":{"type":"object"},"strict":true},"type":"function"}]}`},
		{"bedrock-converse", "https://bedrock-runtime.eu-west-1.amazonaws.com", "https://bedrock-runtime.eu-west-1.amazonaws.com/model/m/converse-stream", "Authorization: Bearer secret",
			`{"additionalModelRequestFields":{"reasoning_effort":"low"},"custom":{"a":1},"inferenceConfig":{"maxTokens":9,"stopSequences":["x"],"temperature":0,"topP":0.5},"messages":[{"content":[{"text":"<U>"}],"role":"user"},{"content":[{"text":"A"}],"role":"assistant"}],"response_format":{"json_schema":{"name":"n","schema":{"type":"object"}},"type":"json_schema"},"system":[{"text":"S"}],"toolConfig":{"toolChoice":{"any":{}},"tools":[{"toolSpec":{"description":"d","inputSchema":{"json":{"type":"object"}},"name":"f"}}]}}`},
	}
	for _, c := range cases {
		t.Run(c.api+" "+c.base, func(t *testing.T) {
			r := plan
			r.BaseURL = c.base
			h, err := Build(c.api, r)
			if err != nil {
				t.Fatal(err)
			}
			name, val, _ := strings.Cut(c.key, ": ")
			if h.URL != c.url || h.Header.Get(name) != val || h.Header.Get("X-Extra") != "1" || h.Header.Get("Accept-Encoding") != "identity" || h.Method != "POST" {
				t.Errorf("%s %s %v", h.Method, h.URL, h.Header)
			}
			if c.body != "" && string(h.Body) != c.body {
				t.Errorf("body\n got %s\nwant %s", h.Body, c.body)
			}
		})
	}
	if len(plan.Params) != 9 {
		t.Error("the plan's parameters were changed")
	}
}

func TestBuildOthers(t *testing.T) {
	body := func(api string, stream bool, p map[string]any) map[string]any {
		t.Helper()
		h, err := Build(api, Request{BaseURL: "https://h/v1", ModelID: "gemini-2.5-flash", Messages: []Message{{"user", "u"}}, Params: p, Stream: stream, Key: "k"})
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(h.Body, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	same := func(name string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	same("no usage asked of a whole response", body("openai-chat", false, nil)["stream_options"], nil)
	same("null takes a field out", body("openai-chat", true, map[string]any{"stream_options": nil})["stream_options"], nil)
	same("an option beside ours", body("openai-chat", true, map[string]any{"stream_options": map[string]any{"x": 1.0}})["stream_options"], map[string]any{"include_usage": true, "x": 1.0})
	same("a field of ours replaced", body("openai-chat", true, map[string]any{"messages": []any{}})["messages"], []any{})
	same("anthropic's own default", body("anthropic-messages", true, nil)["max_tokens"], 4096.0)
	same("anthropic thinking off", body("anthropic-messages", true, map[string]any{"reasoning_effort": "none"})["thinking"], map[string]any{"type": "disabled"})
	same("anthropic tool by name", body("anthropic-messages", true, map[string]any{"tool_choice": chatTool})["tool_choice"], map[string]any{"type": "tool", "name": "f"})
	same("anthropic's own spelling passes", body("anthropic-messages", true, map[string]any{"thinking": map[string]any{"type": "enabled"}})["thinking"], map[string]any{"type": "enabled"})
	same("gemini 2 budgets", body("gemini", true, map[string]any{"reasoning_effort": "none"})["generationConfig"], map[string]any{"thinkingConfig": map[string]any{"thinkingBudget": 0.0}})
	same("gemini json", body("gemini", true, map[string]any{"response_format": map[string]any{"type": "json_object"}})["generationConfig"], map[string]any{"responseMimeType": "application/json"})
	same("gemini's own spelling joins", body("gemini", true, map[string]any{"n": 2, "generationConfig": map[string]any{"x": 1.0}})["generationConfig"], map[string]any{"candidateCount": 2.0, "x": 1.0})
	same("ollama thinking off", body("ollama", true, map[string]any{"reasoning_effort": "none"})["think"], false)
	same("ollama json", body("ollama", true, map[string]any{"response_format": map[string]any{"type": "json_object"}})["format"], "json")
	same("responses logprobs", body("openai-responses", true, map[string]any{"logprobs": true})["include"], []any{"message.output_text.logprobs"})
	same("what a dialect lacks is sent for it to refuse", body("anthropic-messages", true, map[string]any{"seed": 1.0})["seed"], 1.0)
}

func TestBuildErrors(t *testing.T) {
	for _, c := range []struct{ api, base, model, want string }{
		{"openai", "https://h", "m", `unknown api "openai": known are openai-chat, openai-responses, anthropic-messages, gemini, ollama, bedrock-converse`},
		{"openai-chat", "h/v1", "m", `build openai-chat request: base url "h/v1" is no http url`},
		{"openai-chat", "ftp://user:secret@h/v1?key=secret", "m", `build openai-chat request: base url "h/v1" is no http url`},
		{"openai-chat", "https://h", "", "build openai-chat request: no model id"},
	} {
		if _, err := Build(c.api, Request{BaseURL: c.base, ModelID: c.model}); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	if _, err := Build("bedrock-converse", Request{BaseURL: "https://h", ModelID: "m"}); err == nil || !strings.Contains(err.Error(), "no credentials") {
		t.Errorf("got %v", err)
	}
}

// TestBedrockSignature recomputes the signature by the published algorithm.
func TestBedrockSignature(t *testing.T) {
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	model := "arn:aws:bedrock:us-west-2:1:inference-profile/us.m-v1:0"
	h, err := Build("bedrock-converse", Request{BaseURL: "https://bedrock-runtime.us-west-2.amazonaws.com", ModelID: model,
		Messages: []Message{{"user", "hi"}}, Stream: true, Key: "AKID:SECRET:SESSION", Time: when, Headers: map[string]string{"X-Extra": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	if h.Header.Get("X-Amz-Security-Token") != "SESSION" || u.EscapedPath() != "/model/arn%3Aaws%3Abedrock%3Aus-west-2%3A1%3Ainference-profile%2Fus.m-v1%3A0/converse-stream" {
		t.Fatal(h.Header, u.EscapedPath())
	}
	auth := h.Header.Get("Authorization")
	_, rest, _ := strings.Cut(auth, "SignedHeaders=")
	signed, signature, _ := strings.Cut(rest, ", Signature=")
	names := strings.Split(signed, ";")
	sort.Strings(names)
	var canonical strings.Builder
	canonical.WriteString("POST\n" + strings.ReplaceAll(u.EscapedPath(), "%", "%25") + "\n\n")
	for _, n := range names {
		v := h.Header.Get(n)
		switch n {
		case "host":
			v = u.Host
		case "content-length":
			v = strconv.Itoa(len(h.Body)) // set by the transport
		}
		canonical.WriteString(n + ":" + v + "\n")
	}
	hash := func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }
	canonical.WriteString("\n" + signed + "\n" + hash(h.Body))
	scope := "20260102/us-west-2/bedrock/aws4_request"
	toSign := "AWS4-HMAC-SHA256\n20260102T030405Z\n" + scope + "\n" + hash([]byte(canonical.String()))
	key := []byte("AWS4SECRET")
	for _, part := range append(strings.Split(scope, "/"), toSign) {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(part))
		key = mac.Sum(nil)
	}
	if want := hex.EncodeToString(key); signature != want {
		t.Errorf("signature %s, want %s (%s)", signature, want, auth)
	}
	for _, need := range []string{"host", "x-amz-date", "x-amz-security-token", "x-extra"} {
		if !strings.Contains(signed, need) {
			t.Errorf("%s is not signed: %s", need, signed)
		}
	}
}

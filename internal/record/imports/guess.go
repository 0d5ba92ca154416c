package imports

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"aircheck/internal/wire/frame"
)

// paths tell dialects by the end of a URL's path, in this order.
var paths = []struct {
	re  *regexp.Regexp
	api string
}{
	{regexp.MustCompile(`/chat/completions$`), "openai-chat"},
	{regexp.MustCompile(`/responses(/[^/]+)?$`), "openai-responses"},
	{regexp.MustCompile(`/model/[^/]+/converse(-stream)?$`), "bedrock-converse"},
	{regexp.MustCompile(`/model/[^/]+/invoke(-with-response-stream)?$`), "bedrock-invoke"},
	{regexp.MustCompile(`/agents/.*/sessions/.*/text$|/retrieveAndGenerate(Stream)?$`), "bedrock-agent"},
	{regexp.MustCompile(`/publishers/anthropic/models/[^/]+:(streamR|r)awPredict$`), "anthropic-messages"},
	{regexp.MustCompile(`/v1/messages$`), "anthropic-messages"},
	{regexp.MustCompile(`:(streamG|g)enerateContent$`), "gemini"},
	{regexp.MustCompile(`/api/(chat|generate)$`), "ollama"},
	{regexp.MustCompile(`^/v[12]/chat$`), "cohere"},
	{regexp.MustCompile(`/v1(beta|alpha)?/interactions$`), "gemini-interactions"},
	{regexp.MustCompile(`/\.api/completions/(stream|code)$`), "cody"},
	{regexp.MustCompile(`/v1/completions$|/deployments/[^/]+/completions$`), "openai-completions"},
}

// GuessAPI tells which dialect was spoken from the URL's path and the shape of
// a body, of request or response; either may be empty. "" where neither tells.
// A path and a body that disagree: a body of a known shape holds, since hosts
// serve other dialects under a familiar path.
func GuessAPI(rawURL string, body []byte) string {
	u := (&Exchange{URL: rawURL}).url()
	path := strings.TrimRight(u.Path, "/")
	byPath := ""
	for _, p := range paths {
		if p.re.MatchString(path) {
			byPath = p.api
			break
		}
	}
	byBody := shapeAPI(body)
	switch {
	case byPath == "" || byPath == "bedrock-invoke":
		if byPath == "" {
			return byBody
		}
		return byPath // the model's own dialect inside Bedrock's framing
	case byPath == "cohere" && byBody != "cohere":
		// Others have a /v1/chat of their own.
		if strings.Contains(u.Host, "cohere") || u.Host == "" && byBody == "" {
			return byPath
		}
		return byBody
	case byPath == "openai-completions" && byBody != "" && byBody != "openai-chat":
		return byBody
	}
	return byPath
}

// shapeAPI tells a dialect by the first JSON message of a body.
func shapeAPI(body []byte) string {
	if frame.IsMessage(body) {
		return messageAPI(body)
	}
	m := firstMessage(body)
	if m == nil {
		return ""
	}
	has := func(keys ...string) bool {
		for _, k := range keys {
			if _, ok := m[k]; !ok {
				return false
			}
		}
		return true
	}
	str := func(key string) string {
		var s string
		json.Unmarshal(m[key], &s)
		return s
	}
	kind, object, event := str("type"), str("object"), str("event_type")
	switch {
	// Responses.
	case strings.HasPrefix(kind, "response."), object == "response":
		return "openai-responses"
	case strings.HasPrefix(object, "chat.completion"):
		return "openai-chat"
	case strings.HasPrefix(object, "text_completion"):
		return "openai-completions"
	case kind == "message_start", kind == "message" && has("role", "content"), kind == "completion":
		return "anthropic-messages"
	case strings.HasPrefix(event, "interaction."), strings.HasPrefix(event, "step."), object == "interaction":
		return "gemini-interactions"
	case kind == "message-start", event == "stream-start", has("generation_id"):
		return "cohere"
	case has("candidates"), has("promptFeedback"), has("usageMetadata"):
		return "gemini"
	case has("created_at", "done"):
		return "ollama"
	case has("token", "generated_text"), has("generated_text"):
		return "tgi"
	case has("messageStart"), has("contentBlockDelta"), has("contentBlockStart"), has("output", "stopReason"):
		return "bedrock-converse"
	case has("choices"):
		if bytes.Contains(m["choices"], []byte(`"delta"`)) || bytes.Contains(m["choices"], []byte(`"message"`)) {
			return "openai-chat"
		}
		if bytes.Contains(m["choices"], []byte(`"text"`)) {
			return "openai-completions"
		}
	// Requests.
	case has("contents"):
		return "gemini"
	case has("messages", "inferenceConfig"), has("messages", "additionalModelRequestFields"):
		return "bedrock-converse"
	case has("anthropic_version"), has("messages", "max_tokens", "system"):
		return "anthropic-messages"
	}
	return ""
}

// firstMessage is the first JSON object of a body that says anything, however
// it is framed; nil if there is none.
func firstMessage(body []byte) (first map[string]json.RawMessage) {
	eachMessage(body, func(m map[string]json.RawMessage) bool {
		first = m
		return string(m["choices"]) == "[]" && string(m["object"]) == `""` // Azure's filters come ahead of all
	})
	return first
}

// eachMessage gives the JSON objects of a body, however it is framed, until look
// returns false.
func eachMessage(body []byte, look func(map[string]json.RawMessage) bool) {
	b := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")))
	more := true
	take := func(b []byte) {
		var m map[string]json.RawMessage
		if more && json.NewDecoder(bytes.NewReader(b)).Decode(&m) == nil {
			more = look(m)
		}
	}
	switch kind := frame.Sniff(b); kind {
	case frame.SSE:
		var r frame.SSEReader
		s := frame.NewSplitter(frame.SSE)
		event := func(raw []byte) {
			if !more {
				return
			}
			e := r.Parse(raw)
			if d := bytes.TrimSpace(e.Data); len(d) > 0 && d[0] == '{' && string(e.Name) != "ping" {
				take(d)
			}
		}
		s.Write(b, event)
		s.Close(func(raw []byte, _ bool) { event(raw) })
	case frame.NDJSON:
		for line := range bytes.Lines(b) {
			if more {
				take(line)
			}
		}
	default:
		if b = bytes.TrimLeft(b, "[ \t\r\n"); len(b) > 0 && b[0] == '{' {
			take(b)
		}
	}
}

// messageAPI tells Bedrock's kinds of stream apart.
func messageAPI(body []byte) string {
	api := ""
	s := frame.NewSplitter(frame.EventStream)
	s.Write(body, func(raw []byte) {
		m, err := frame.ParseMessage(raw)
		if err != nil || api != "" {
			return
		}
		switch m.Event {
		case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata":
			api = "bedrock-converse"
		case "chunk":
			var in struct {
				Bytes []byte `json:"bytes"`
			}
			// Agents stream their answer in such messages too, as plain text.
			if api = "bedrock-agent"; json.Unmarshal(m.Payload, &in) == nil && bytes.HasPrefix(in.Bytes, []byte("{")) {
				api = "bedrock-invoke"
			}
		case "trace", "output", "citation":
			api = "bedrock-agent"
		}
	})
	return api
}

var modelInPath = []*regexp.Regexp{
	regexp.MustCompile(`/model/([^/]+)/(?:converse|invoke)`),
	regexp.MustCompile(`/models/([^/:]+(?:@[^/:]+)?):`),
	regexp.MustCompile(`/deployments/([^/]+)/`),
}

// sentModel is the model that a request names, in its body or its path.
func sentModel(u *url.URL, body []byte) string {
	var m struct {
		Model json.RawMessage `json:"model"`
	}
	json.Unmarshal(body, &m)
	var name string
	json.Unmarshal(m.Model, &name)
	if name != "" {
		return name
	}
	path := u.EscapedPath()
	for _, re := range modelInPath {
		if f := re.FindStringSubmatch(path); f != nil {
			if name, err := url.PathUnescape(f[1]); err == nil {
				return name
			}
		}
	}
	return ""
}

// servedModel is the model that a response names first.
func servedModel(body []byte) string {
	const most = 64 // messages that may say nothing of it
	name := ""
	n := 0
	eachMessage(body, func(m map[string]json.RawMessage) bool {
		name = modelOf(m)
		n++
		return name == "" && n < most
	})
	return name
}

func modelOf(m map[string]json.RawMessage) string {
	for _, key := range []string{"model", "modelVersion"} {
		var name string
		if json.Unmarshal(m[key], &name); name != "" {
			return name
		}
	}
	for _, key := range []string{"message", "response", "interaction"} { // message_start, response.created
		var in struct {
			Model string `json:"model"`
		}
		if json.Unmarshal(m[key], &in); in.Model != "" {
			return in.Model
		}
	}
	return ""
}

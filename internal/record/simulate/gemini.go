package simulate

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
)

// gemini is Google's generateContent, streamed as SSE or as one JSON array.
type gemini struct{}

func (gemini) traits() traits {
	return traits{name: "gemini", side: ReasoningBeside, reportsThinking: true, reportsUnasked: true, wholeCalls: true}
}

var geminiPath = regexp.MustCompile(`/models/([^/]+):(streamGenerateContent|generateContent)$`)

func (gemini) serves(path string) bool { return geminiPath.MatchString(path) }

func (gemini) read(u *url.URL, path string, body []byte) (*ask, error) {
	var q struct {
		Contents []message `json:"contents"`
		System   struct {
			Parts content `json:"parts"`
		} `json:"systemInstruction"`
		Config struct {
			MaxTokens  int             `json:"maxOutputTokens"`
			Stop       some            `json:"stopSequences"`
			Candidates int             `json:"candidateCount"`
			MIME       string          `json:"responseMimeType"`
			Schema     json.RawMessage `json:"responseSchema"`
			JSONSchema json.RawMessage `json:"responseJsonSchema"`
			Logprobs   bool            `json:"responseLogprobs"`
			Thinking   struct {
				Budget *int   `json:"thinkingBudget"`
				Level  string `json:"thinkingLevel"`
			} `json:"thinkingConfig"`
		} `json:"generationConfig"`
		Tools []struct {
			Functions []struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
				JSONSchema json.RawMessage `json:"parametersJsonSchema"`
				// Google takes a field's own name as well; its client sends this one so.
				Snake json.RawMessage `json:"parameters_json_schema"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		ToolConfig struct {
			Calling struct {
				Mode string `json:"mode"`
			} `json:"functionCallingConfig"`
		} `json:"toolConfig"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	m := geminiPath.FindStringSubmatch(path)
	g := q.Config
	a := &ask{model: m[1], stream: m[2] == "streamGenerateContent", max: g.MaxTokens, stop: g.Stop, n: g.Candidates, usage: true,
		logprobs: g.Logprobs, json: g.MIME == "application/json", schema: g.Schema, noTools: q.ToolConfig.Calling.Mode == "NONE",
		thinkOff: g.Thinking.Budget != nil && *g.Thinking.Budget == 0, effort: g.Thinking.Level}
	a.array = a.stream && u.Query().Get("alt") != "sse"
	if a.schema == nil {
		a.schema = g.JSONSchema
	}
	a.hear(q.System.Parts, q.Contents)
	for _, t := range q.Tools {
		for _, f := range t.Functions {
			for _, other := range []json.RawMessage{f.JSONSchema, f.Snake} {
				if f.Parameters == nil {
					f.Parameters = other
				}
			}
			a.tools = append(a.tools, tool{f.Name, lowerTypes(f.Parameters)})
		}
	}
	a.schema = lowerTypes(a.schema)
	return a, nil
}

// lowerTypes spells the types of Google's schemas as JSON Schema does.
func lowerTypes(schema json.RawMessage) json.RawMessage {
	for _, t := range []string{"OBJECT", "STRING", "INTEGER", "NUMBER", "BOOLEAN", "ARRAY"} {
		schema = bytes.ReplaceAll(schema, []byte(`"`+t+`"`), []byte(`"`+strings.ToLower(t)+`"`))
	}
	return schema
}

func (gemini) open(r *reply) renderer { return &geminiRenderer{reply: r} }

type geminiRenderer struct {
	*reply
	begun bool // an element of the array was written
}

func (c *geminiRenderer) streamType() string {
	if c.ask.array {
		return "application/json; charset=UTF-8"
	}
	return "text/event-stream"
}

var geminiFinish = map[string]string{"stop": "STOP", "length": "MAX_TOKENS", "tool_calls": "STOP", "content_filter": "SAFETY"}

// response is one GenerateContentResponse.
func (c *geminiRenderer) response(t Tokens, candidates ...obj) obj {
	o := obj{"candidates", candidates}
	if c.b.Usage.When != UsageNever {
		u := c.usage(t)
		m := obj{"promptTokenCount", u.input, "candidatesTokenCount", u.output, "totalTokenCount", u.total,
			"promptTokensDetails", []obj{{"modality", "TEXT", "tokenCount", u.input}}}
		if u.cached > 0 {
			m = append(m, "cachedContentTokenCount", u.cached)
		}
		if u.reasoning != nil && *u.reasoning > 0 {
			m = append(m, "thoughtsTokenCount", *u.reasoning)
		}
		o = append(o, "usageMetadata", m)
	}
	return append(o, "modelVersion", c.model, "responseId", c.id)
}

func candidate(choice int, finish string, parts ...obj) obj {
	o := obj{}
	if len(parts) > 0 {
		o = append(o, "content", obj{"parts", parts, "role", "model"})
	}
	if finish != "" {
		o = append(o, "finishReason", geminiFinish[finish])
	}
	return append(o, "index", choice)
}

// frame wraps one response for the stream: an event with CRLF line ends, as
// Google sends them, or an element of the array.
func (c *geminiRenderer) frame(v any) []byte { return c.element(compact(v)) }

func (c *geminiRenderer) element(json []byte) []byte {
	if !c.ask.array {
		return []byte("data: " + string(json) + "\r\n\r\n")
	}
	sep := ",\r\n"
	if !c.begun {
		c.begun, sep = true, "["
	}
	return append([]byte(sep), json...)
}

func (c *geminiRenderer) part(s *step) obj {
	switch s.act {
	case actThinking:
		return obj{"text", s.text(), "thought", true}
	case actTool:
		return obj{"functionCall", obj{"name", s.call.name, "args", arguments(s.text())}}
	}
	return obj{"text", s.text()}
}

func (c *geminiRenderer) frames(s *step) []byte {
	switch s.act {
	case actThinking, actText, actTool:
		return c.frame(c.response(s.used, candidate(s.choice, "", c.part(s))))
	case actFinish:
		var parts []obj
		if s.finish == "stop" || s.finish == "length" && s.used.Answer > 0 {
			parts = []obj{{"text", ""}}
		}
		return c.frame(c.response(s.used, candidate(s.choice, s.finish, parts...)))
	case actDone:
		if c.ask.array {
			if !c.begun {
				return []byte("[]")
			}
			return []byte("]")
		}
	case actError:
		return c.frame(json.RawMessage(c.failure(fail(StreamError, c.model, c.script.fault.Message))))
	case actJunk:
		return c.element([]byte(`{"candidates":[{"content" "parts"}]}`))
	}
	return nil
}

func (c *geminiRenderer) whole(steps []step) []byte {
	var candidates []obj
	for i, s := range gather(steps) {
		var parts []obj
		if s.thinking != "" {
			parts = append(parts, obj{"text", s.thinking, "thought", true})
		}
		if s.text != "" {
			parts = append(parts, obj{"text", s.text})
		}
		if s.call != nil {
			parts = append(parts, obj{"functionCall", obj{"name", s.call.name, "args", arguments(s.args)}})
		}
		candidates = append(candidates, candidate(i, s.finish, parts...))
	}
	return compact(c.response(c.script.tokens, candidates...))
}

func (c *geminiRenderer) failure(f failure) []byte {
	code := f.status
	if code == 200 { // an error inside a response that began well
		code = 500
	}
	status := map[Kind]string{RateLimited: "RESOURCE_EXHAUSTED", Quota: "RESOURCE_EXHAUSTED", Overloaded: "UNAVAILABLE", Unavailable: "NOT_FOUND",
		Account: "UNAUTHENTICATED", Rejected: "INVALID_ARGUMENT", ServerError: "INTERNAL", StreamError: "INTERNAL"}[f.kind]
	return compact(obj{"error", obj{"code", code, "message", f.message, "status", status}})
}

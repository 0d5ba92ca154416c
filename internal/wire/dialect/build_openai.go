package dialect

import (
	"net/url"
	"strings"
)

// buildOpenAIChat builds a chat completion. All canonical parameters are this
// dialect's own and pass as they are. Usage is asked for in streams.
func buildOpenAIChat(r *Request, h *HTTPRequest) error {
	u, err := endpoint(r.BaseURL, "", "chat/completions")
	if err != nil {
		return err
	}
	h.URL = u.String()
	openAIKey(r, h, u)
	body := map[string]any{"model": r.ModelID, "messages": r.Messages, "stream": r.Stream}
	if r.Stream {
		body["stream_options"] = map[string]any{"include_usage": true}
	}
	r.params().into(body)
	h.Body, err = encode(body)
	return err
}

// buildOpenAIResponses builds a request of the Responses API, whose usage
// always comes with the end of the response.
func buildOpenAIResponses(r *Request, h *HTTPRequest) error {
	u, err := endpoint(r.BaseURL, "", "responses")
	if err != nil {
		return err
	}
	h.URL = u.String()
	openAIKey(r, h, u)
	body := map[string]any{"model": r.ModelID, "input": r.Messages, "stream": r.Stream}
	p := r.params()
	p.move("max_tokens", body, "max_output_tokens")
	if effort, ok := p.take("reasoning_effort"); ok {
		body["reasoning"] = map[string]any{"effort": effort}
	}
	if format, ok := p.take("response_format"); ok {
		body["text"] = map[string]any{"format": flatten(format, "json_schema")}
	}
	if tools, ok := p["tools"].([]any); ok {
		flat := make([]any, len(tools))
		for i, t := range tools {
			flat[i] = flatten(t, "function")
		}
		p["tools"] = flat
	}
	if choice, ok := p["tool_choice"]; ok {
		p["tool_choice"] = flatten(choice, "function")
	}
	if on, ok := p.take("logprobs"); ok && on == true {
		body["include"] = []any{"message.output_text.logprobs"}
	}
	p.into(body)
	h.Body, err = encode(body)
	return err
}

// flatten lifts the fields of an inner object beside its type: the Responses
// API has one level less than chat completions.
func flatten(v any, inner string) any {
	outer, ok := v.(map[string]any)
	if !ok {
		return v
	}
	nested, ok := outer[inner].(map[string]any)
	if !ok {
		return v
	}
	flat := map[string]any{}
	for _, m := range []map[string]any{outer, nested} {
		for k, field := range m {
			if k != inner {
				flat[k] = field
			}
		}
	}
	return flat
}

// openAIKey sends the key as a bearer token; Azure's own hosts take it as api-key.
func openAIKey(r *Request, h *HTTPRequest, u *url.URL) {
	host := u.Hostname()
	for _, azure := range []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"} {
		if r.Key != "" && strings.HasSuffix(host, azure) {
			h.Header.Set("Api-Key", r.Key)
			return
		}
	}
	bearer(r, h)
}

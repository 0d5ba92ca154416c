package dialect

// ollamaNames are canonical parameters under options.
var ollamaNames = map[string]string{
	"temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "max_tokens": "num_predict", "seed": "seed",
	"presence_penalty": "presence_penalty", "frequency_penalty": "frequency_penalty",
}

// buildOllama builds a request of /api/chat. Effort "none" turns thinking off,
// any other is the level of thinking.
func buildOllama(r *Request, h *HTTPRequest) error {
	u, err := endpoint(r.BaseURL, "api", "chat")
	if err != nil {
		return err
	}
	h.URL = u.String()
	bearer(r, h)
	body := map[string]any{"model": r.ModelID, "messages": r.Messages, "stream": r.Stream}
	p := r.params()
	options := map[string]any{}
	for from, to := range ollamaNames {
		p.move(from, options, to)
	}
	if stop, ok := p.take("stop"); ok {
		options["stop"] = list(stop)
	}
	if len(options) > 0 {
		body["options"] = options
	}
	if effort, ok := p.take("reasoning_effort"); ok {
		body["think"] = effort
		if effort == "none" {
			body["think"] = false
		}
	}
	if format, ok := p["response_format"].(map[string]any); ok {
		if schema := schemaOf(format); schema != nil {
			delete(p, "response_format")
			body["format"] = schema
		} else if format["type"] == "json_object" {
			delete(p, "response_format")
			body["format"] = "json"
		}
	}
	p.into(body)
	h.Body, err = encode(body)
	return err
}

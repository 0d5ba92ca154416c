package dialect

const (
	anthropicVersion   = "2023-06-01"
	anthropicMaxTokens = 4096 // the API has no default: sent where the plan says nothing
)

// buildAnthropic builds a Messages request. Effort "none" turns thinking off,
// any other is the effort of the output.
func buildAnthropic(r *Request, h *HTTPRequest) error {
	u, err := endpoint(r.BaseURL, "v1", "messages")
	if err != nil {
		return err
	}
	h.URL = u.String()
	h.Header.Set("Anthropic-Version", anthropicVersion)
	if r.Key != "" {
		h.Header.Set("X-Api-Key", r.Key)
	}
	system, turns := splitSystem(r.Messages)
	body := map[string]any{"model": r.ModelID, "messages": turns, "stream": r.Stream, "max_tokens": anthropicMaxTokens}
	if system != "" {
		body["system"] = system
	}
	p := r.params()
	if stop, ok := p.take("stop"); ok {
		body["stop_sequences"] = list(stop)
	}
	output := map[string]any{}
	if effort, ok := p.take("reasoning_effort"); ok {
		if effort == "none" {
			body["thinking"] = map[string]any{"type": "disabled"}
		} else {
			output["effort"] = effort
		}
	}
	if schema := schemaOf(p["response_format"]); schema != nil {
		delete(p, "response_format")
		output["format"] = map[string]any{"type": "json_schema", "schema": schema}
	}
	if len(output) > 0 {
		body["output_config"] = output
	}
	if tools, ok := p["tools"].([]any); ok {
		p["tools"] = eachFunction(tools, func(f map[string]any) any {
			return renamed(f, "parameters", "input_schema")
		})
	}
	if choice, ok := p["tool_choice"]; ok {
		p["tool_choice"] = anthropicChoice(choice)
	}
	p.into(body)
	h.Body, err = encode(body)
	return err
}

func anthropicChoice(v any) any {
	switch v {
	case "auto", "none":
		return map[string]any{"type": v}
	case "required":
		return map[string]any{"type": "any"}
	}
	if name := functionName(v); name != "" {
		return map[string]any{"type": "tool", "name": name}
	}
	return v
}

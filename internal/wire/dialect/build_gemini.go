package dialect

import (
	"strings"
)

// geminiNames are canonical parameters under generationConfig.
var geminiNames = map[string]string{
	"temperature": "temperature", "top_p": "topP", "top_k": "topK", "max_tokens": "maxOutputTokens", "seed": "seed",
	"n": "candidateCount", "presence_penalty": "presencePenalty", "frequency_penalty": "frequencyPenalty",
	"logprobs": "responseLogprobs", "top_logprobs": "logprobs",
}

// geminiBudgets are thinking tokens for an effort, as Google's own OpenAI
// endpoint takes them for models before Gemini 3, which know no levels.
var geminiBudgets = map[any]int{"none": 0, "minimal": 1024, "low": 1024, "medium": 8192, "high": 24576}

// buildGemini builds generateContent; a stream comes as server-sent events.
func buildGemini(r *Request, h *HTTPRequest) error {
	path := r.ModelID
	if !strings.Contains(path, "/") {
		path = "models/" + path
	}
	method := ":generateContent"
	if r.Stream {
		method = ":streamGenerateContent"
	}
	u, err := endpoint(r.BaseURL, "v1beta", path+method)
	if err != nil {
		return err
	}
	if r.Stream {
		q := u.Query()
		q.Set("alt", "sse")
		u.RawQuery = q.Encode()
	}
	h.URL = u.String()
	// Google's cloud takes tokens of an identity; the Gemini API takes keys.
	if strings.HasSuffix(u.Hostname(), "aiplatform.googleapis.com") && !strings.HasPrefix(r.Key, "AIza") && !strings.HasPrefix(r.Key, "AQ.") {
		bearer(r, h)
	} else if r.Key != "" {
		h.Header.Set("X-Goog-Api-Key", r.Key)
	}

	system, turns := splitSystem(r.Messages)
	contents := make([]any, len(turns))
	for i, m := range turns {
		role := m.Role
		if role == "assistant" {
			role = "model"
		}
		contents[i] = map[string]any{"role": role, "parts": []any{map[string]any{"text": m.Content}}}
	}
	body := map[string]any{"contents": contents}
	if system != "" {
		body["systemInstruction"] = map[string]any{"parts": []any{map[string]any{"text": system}}}
	}
	p := r.params()
	if config := geminiConfig(r.ModelID, p); len(config) > 0 {
		body["generationConfig"] = config
	}
	if tools, ok := p["tools"].([]any); ok {
		p["tools"] = []any{map[string]any{"functionDeclarations": eachFunction(tools, func(f map[string]any) any {
			return renamed(f, "parameters", "parametersJsonSchema")
		})}}
	}
	if choice, ok := p.take("tool_choice"); ok {
		body["toolConfig"] = map[string]any{"functionCallingConfig": geminiChoice(choice)}
	}
	p.into(body)
	h.Body, err = encode(body)
	return err
}

// geminiConfig takes the parameters that generationConfig keeps.
func geminiConfig(model string, p params) map[string]any {
	config := map[string]any{}
	for from, to := range geminiNames {
		p.move(from, config, to)
	}
	if stop, ok := p.take("stop"); ok {
		config["stopSequences"] = list(stop)
	}
	if effort, ok := p.take("reasoning_effort"); ok {
		thinking := map[string]any{"thinkingLevel": effort}
		if budget, known := geminiBudgets[effort]; known && strings.Contains(model, "gemini-2") {
			thinking = map[string]any{"thinkingBudget": budget}
		}
		config["thinkingConfig"] = thinking
	}
	if format, ok := p["response_format"].(map[string]any); ok && (format["type"] == "json_object" || format["type"] == "json_schema") {
		delete(p, "response_format")
		config["responseMimeType"] = "application/json"
		if schema := schemaOf(format); schema != nil {
			config["responseJsonSchema"] = schema
		}
	}
	return config
}

func geminiChoice(v any) any {
	switch v {
	case "auto":
		return map[string]any{"mode": "AUTO"}
	case "none":
		return map[string]any{"mode": "NONE"}
	case "required":
		return map[string]any{"mode": "ANY"}
	}
	if name := functionName(v); name != "" {
		return map[string]any{"mode": "ANY", "allowedFunctionNames": []any{name}}
	}
	return v
}

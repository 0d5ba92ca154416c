package dialect

import (
	"net/url"
	"strings"
)

// buildOpenAIChat builds a chat completion. All canonical parameters are this
// dialect's own and pass as they are. Usage is asked for in streams.
func buildOpenAIChat(r *Request, h *HTTPRequest) error {
	u, err := endpoint(r.BaseURL, "", "/chat/completions")
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

// openAIKey sends the key as a bearer token; Azure's own hosts take it as api-key.
func openAIKey(r *Request, h *HTTPRequest, u *url.URL) {
	host := u.Hostname()
	if r.Key != "" && (strings.HasSuffix(host, ".openai.azure.com") || strings.HasSuffix(host, ".cognitiveservices.azure.com") || strings.HasSuffix(host, ".services.ai.azure.com")) {
		h.Header.Set("Api-Key", r.Key)
		return
	}
	bearer(r, h)
}

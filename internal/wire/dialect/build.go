package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Message is one turn of a conversation. Role is system, user or assistant.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Request is what a plan asks of one target, in no dialect's spelling.
type Request struct {
	BaseURL  string // up to and including the version, without the method's path; its query is kept
	ModelID  string // as the provider names the model
	Messages []Message
	Stream   bool

	// Params are the plan's. Canonical names (temperature, top_p, top_k,
	// max_tokens, stop, seed, n, reasoning_effort, tools, tool_choice,
	// response_format, logprobs, top_logprobs, presence_penalty,
	// frequency_penalty) are put where the dialect keeps them; every other name
	// is a field of the body and passes unchanged, and so replaces what the
	// builder would have put there.
	Params map[string]any

	// Key is the secret: a token, or ACCESS:SECRET[:SESSION] for Bedrock. Empty
	// sends none, but for Bedrock the standard AWS_* variables.
	Key     string
	Region  string            // for signing; taken from the host where empty
	Headers map[string]string // from the plan, set last
	// Time is the time of signing; now where zero. Signed requests grow stale in
	// minutes: build them when they are to be sent.
	Time time.Time
}

// HTTPRequest is a request ready to be sent. Header holds the secret.
type HTTPRequest struct {
	Method string
	URL    string
	Header http.Header
	Body   []byte
}

// builder fills in one dialect's body and URL. It may alter the header.
type builder func(r *Request, h *HTTPRequest) error

// Build gives the HTTP request of an api, one of APIs().
func Build(api string, r Request) (*HTTPRequest, error) {
	e := lookup(api)
	if e == nil || e.build == nil {
		return nil, fmt.Errorf("unknown api %q: known are %s", api, strings.Join(APIs(), ", "))
	}
	if r.ModelID == "" {
		return nil, fmt.Errorf("build %s request: no model id", api)
	}
	u, err := url.Parse(r.BaseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("build %s request: base url %q is no http url", api, redactURL(r.BaseURL))
	}
	h := &HTTPRequest{Method: http.MethodPost, Header: http.Header{
		"Content-Type":    {"application/json"},
		"Accept-Encoding": {"identity"},
	}}
	r.setHeaders(h) // before, so that a signature covers them
	if err := e.build(&r, h); err != nil {
		return nil, fmt.Errorf("build %s request: %w", api, err)
	}
	r.setHeaders(h) // and after, so that the plan has the last word
	return h, nil
}

func (r *Request) setHeaders(h *HTTPRequest) {
	for k, v := range r.Headers {
		h.Header.Set(k, v)
	}
}

// redactURL drops what may be a secret: user info and the query.
func redactURL(s string) string {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	s, _, _ = strings.Cut(s, "?")
	return s
}

// endpoint joins a path to the base URL and keeps the base's query. Where the
// base has no path at all, version comes in front.
func endpoint(base, version, path string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	if strings.Trim(u.Path, "/") == "" {
		path = version + "/" + path
	}
	return u.JoinPath(path), nil
}

// bearer sets the usual authorization header.
func bearer(r *Request, h *HTTPRequest) {
	if r.Key != "" {
		h.Header.Set("Authorization", "Bearer "+r.Key)
	}
}

// encode writes a body with sorted keys, so that equal plans send equal bytes,
// and without HTML escapes.
func encode(body map[string]any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, fmt.Errorf("encode body: %w", err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// params is a copy of the plan's parameters, from which a builder takes those
// that its dialect spells otherwise; the rest goes into the body as it is.
type params map[string]any

func (r *Request) params() params {
	p := params(maps.Clone(r.Params))
	if p == nil {
		p = params{}
	}
	return p
}

// move takes a parameter and puts it into dst under another name.
func (p params) move(from string, dst map[string]any, to string) {
	if v, ok := p[from]; ok {
		delete(p, from)
		if _, taken := dst[to]; !taken {
			dst[to] = v
		}
	}
}

// take removes a parameter and gives its value.
func (p params) take(name string) (any, bool) {
	v, ok := p[name]
	delete(p, name)
	return v, ok
}

// into merges what is left into the body. Objects are merged key by key, so
// that a plan can add one option beside those of the builder; null takes one
// of the builder's own fields out.
func (p params) into(body map[string]any) {
	for k, v := range p {
		if _, ours := body[k]; ours && v == nil {
			delete(body, k)
			continue
		}
		have, ok1 := body[k].(map[string]any)
		add, ok2 := v.(map[string]any)
		if ok1 && ok2 {
			merged := maps.Clone(have)
			maps.Copy(merged, add)
			body[k] = merged
			continue
		}
		body[k] = v
	}
}

// list makes a list of a single value: stop may be a string or a list.
func list(v any) any {
	if s, ok := v.(string); ok {
		return []any{s}
	}
	return v
}

// splitSystem separates leading and inner system messages from the turns, for
// dialects that keep them apart.
func splitSystem(msgs []Message) (system string, turns []Message) {
	var sys []string
	for _, m := range msgs {
		if m.Role == "system" || m.Role == "developer" {
			sys = append(sys, m.Content)
			continue
		}
		turns = append(turns, m)
	}
	return strings.Join(sys, "\n\n"), turns
}

// eachFunction turns tools in the chat spelling into those of another dialect;
// tools of other types pass as they are.
func eachFunction(tools []any, turn func(f map[string]any) any) []any {
	out := make([]any, len(tools))
	for i, t := range tools {
		out[i] = t
		if m, ok := t.(map[string]any); ok {
			if f, ok := m["function"].(map[string]any); ok {
				out[i] = turn(f)
			}
		}
	}
	return out
}

// renamed copies an object with one key under another name.
func renamed(m map[string]any, from, to string) map[string]any {
	c := maps.Clone(m)
	if v, ok := c[from]; ok {
		delete(c, from)
		c[to] = v
	}
	delete(c, "strict") // chat's own
	return c
}

// functionName is that of a tool choice which names one function.
func functionName(v any) string {
	m, _ := v.(map[string]any)
	f, _ := m["function"].(map[string]any)
	name, _ := f["name"].(string)
	return name
}

// schemaOf is the JSON schema of a response format, nil where it has none.
func schemaOf(format any) any {
	m, _ := format.(map[string]any)
	js, _ := m["json_schema"].(map[string]any)
	return js["schema"]
}

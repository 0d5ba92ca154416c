package content

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"

	"aircheck/internal/wire/frame"
)

// kept are the names of fields whose strings belong to the protocol. Strings of
// all other fields are content, whatever a provider calls them.
var kept = set("id", "object", "model", "role", "type", "event_type", "status", "code", "provider", "event", "created", "created_at",
	"finish_reason", "native_finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason", "blockReason", "reason",
	"service_tier", "serviceTier", "system_fingerprint", "modelVersion", "responseId", "modality", "trafficType",
	"item_id", "response_id", "call_id", "tool_call_id", "tool_use_id", "toolUseId", "generation_id", "request_id",
	"reasoning_effort", "effort", "response_format", "tool_choice", "anthropic_version", "format", "verbosity", "truncation", "encoding_format",
	"responseModalities", "include", "phase", "conversationRole", "jsonPath")

// inner are fields whose objects hold content down to their keys and numbers:
// what tools are called with, and maps of a caller's own.
var inner = set("args", "arguments", "input", "parameters", "properties", "schema", "json_schema", "logit_bias",
	"token_ids", "context", "embedding", "bytes", "additionalModelRequestFields")

// accounts are fields in which a provider says what it used.
var accounts = set("usage", "usageMetadata", "usage_metadata", "x_groq", "timings", "billed_units", "tokens")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// Frame hashes the content of a frame in place.
func (h *Hasher) Frame(raw []byte) {
	if frame.IsMessage(raw) {
		if m, err := frame.ParseMessage(raw); err == nil {
			if at := bytes.LastIndex(raw, m.Payload); at >= 0 && len(m.Payload) > 0 {
				h.json(raw[at : at+len(m.Payload)])
			}
			frame.Reseal(raw)
			return
		}
	}
	body := bytes.TrimLeft(raw, " \t\r\n\ufeff")
	if len(body) > 0 && (body[0] == '{' || body[0] == '[' || body[0] == ',' || body[0] == ']') { // a piece of an array, too
		h.json(body)
		return
	}
	for len(raw) > 0 {
		line := raw
		if i := bytes.IndexByte(raw, '\n'); i >= 0 {
			line = raw[:i+1]
		}
		raw = raw[len(line):]
		h.line(line)
	}
}

// line hashes a line of an event, or of plain text.
func (h *Hasher) line(line []byte) {
	name, value, field := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
	switch string(bytes.TrimPrefix(name, []byte("\ufeff"))) {
	case "data":
		if field {
			value = bytes.Trim(value, " ")
			if len(value) > 0 && (value[0] == '{' || value[0] == '[' && value[len(value)-1] == ']' && !bytes.Equal(value, []byte("[DONE]"))) {
				h.json(value)
			} else if !bytes.Equal(value, []byte("[DONE]")) {
				h.plain(value)
			}
			return
		}
	case "event", "id", "retry":
		if field && protocol(bytes.TrimLeft(value, " ")) {
			return
		}
	case "": // a comment, or the blank line
		h.plain(value)
		return
	}
	h.plain(bytes.TrimRight(line, "\r\n"))
}

// plain hashes text that is no JSON; what escapes in JSON is a letter here.
func (h *Hasher) plain(p []byte) {
	if blank(p) {
		return
	}
	for i, c := range p {
		if c == '\\' {
			p[i] = '/'
		}
	}
	h.text(p)
}

// protocol says that a value is a short word of a protocol, and no sentence.
func protocol(p []byte) bool {
	if len(p) > 128 {
		return false
	}
	for _, c := range p {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', bytes.IndexByte([]byte("_.:/@+-$[]"), c) >= 0:
		default:
			return false
		}
	}
	return true
}

// level is an object or array that is open.
type level struct {
	object bool
	inner  bool   // all in it is content
	usage  bool   // all in it is the provider's own account
	key    []byte // of the value to come; an array has that of its field
}

// json hashes JSON in place, in one pass, and as far as it goes: it may be cut
// off anywhere, and need not be valid.
func (h *Hasher) json(p []byte) {
	var stack []level
	top := level{}
	value := true // a value comes, not a key
	for i := 0; i < len(p); {
		switch c := p[i]; {
		case c == '{' || c == '[':
			stack = append(stack, top)
			top = level{object: c == '{', inner: top.inner || inner[string(top.key)], usage: top.usage || accounts[string(top.key)], key: top.key}
			value = c == '['
			i++
		case c == '}' || c == ']':
			if n := len(stack); n > 0 {
				top, stack = stack[n-1], stack[:n-1]
			}
			i++
		case c == ',':
			value = !top.object
			i++
		case c == ':':
			value = true
			i++
		case c == '"':
			end := closing(p, i+1)
			text := p[i+1 : end]
			switch {
			case !value:
				top.key = text
				if top.inner {
					h.text(text)
				}
			case string(top.key) == "bytes" && h.nested(text):
			case !protocol(text) || top.inner || !top.usage && !kept[string(top.key)]:
				h.field(top.key, text)
			}
			i = min(end+1, len(p))
		case (top.inner || !top.object && len(stack) > 0) && '0' <= c && c <= '9':
			p[i] = '1'
			i++
		default:
			i++
		}
	}
}

// nested hashes the text or document that a string holds in base64, which is how
// Bedrock passes on what a model says. It reports whether the string was one.
func (h *Hasher) nested(p []byte) bool {
	doc, err := base64.StdEncoding.DecodeString(string(p))
	if err != nil || len(doc) == 0 || !utf8.Valid(doc) {
		return false
	}
	if doc[0] == '{' {
		h.json(doc)
	} else {
		h.plain(doc)
	}
	base64.StdEncoding.Encode(p, doc)
	return true
}

// closing finds the quote that ends a string, or the end of what there is.
func closing(p []byte, i int) int {
	for i < len(p) {
		switch p[i] {
		case '\\':
			i += 2
			continue
		case '"':
			return i
		}
		i++
	}
	return len(p)
}

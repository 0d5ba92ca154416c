package frame

import (
	"bytes"
	"encoding/json"
)

// Sniff tells by its bytes how a body whose headers are unknown was framed.
func Sniff(body []byte) Kind {
	if IsMessage(body) {
		return EventStream
	}
	b := bytes.TrimLeft(bytes.TrimPrefix(body, bom), " \t\r\n")
	if len(b) == 0 {
		return Whole
	}
	switch b[0] {
	case '[':
		rest := bytes.TrimLeft(b[1:], " \t\r\n")
		if len(rest) > 0 && rest[0] == '{' {
			return JSONArray
		}
		return Whole
	case '{':
		// Lines are documents of their own if the first one is.
		line, rest, more := bytes.Cut(b, []byte("\n"))
		if more && len(bytes.TrimSpace(rest)) > 0 && json.Valid(line) {
			return NDJSON
		}
		return Whole
	}
	if isSSE(b) {
		return SSE
	}
	return Whole
}

// isSSE looks for a field of an event stream at the head of the first line.
func isSSE(b []byte) bool {
	for _, field := range []string{":", "data:", "event:", "id:", "retry:"} {
		if bytes.HasPrefix(b, []byte(field)) {
			return true
		}
	}
	return false
}

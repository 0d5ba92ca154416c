// Package frame cuts a response body into frames and reads the framing of one
// frame again. It knows bytes and nothing of what they mean.
package frame

import (
	"mime"
	"strings"
)

// Kind is how a body is cut into frames.
type Kind uint8

const (
	// Auto is no decision: readers of frames look at the bytes. A Splitter
	// treats it as Whole.
	Auto Kind = iota
	// SSE frames are server-sent events, each up to and including its blank line.
	SSE
	// NDJSON frames are lines, up to and including LF.
	NDJSON
	// JSONArray frames each end after an element of a top-level array; a body
	// that is no array is one frame.
	JSONArray
	// EventStream frames are messages of application/vnd.amazon.eventstream.
	EventStream
	// Whole is one frame: the body of a response that is not streamed. A body
	// that all the same begins as an event stream is cut as SSE.
	Whole
	// Reads makes one frame of each read: compressed bodies, kept as received.
	Reads
)

var kindNames = [...]string{"auto", "sse", "ndjson", "json-array", "event-stream", "whole", "reads"}

// String names the kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "auto"
}

// KindFor chooses by the response's headers: its content type, its status and,
// where the type says nothing, the API that was called. A body with a content
// encoding other than identity is Reads, whatever this says.
func KindFor(contentType string, status int, api string) Kind {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	ok := status == 0 || status >= 200 && status < 300
	switch {
	case media == "application/vnd.amazon.eventstream":
		return EventStream
	case !ok:
		return Whole
	case media == "text/event-stream":
		return SSE
	case media == "application/stream+json", strings.HasSuffix(media, "ndjson"),
		strings.HasSuffix(media, "jsonl"), strings.HasSuffix(media, "jsonlines"), strings.HasSuffix(media, "json-lines"):
		return NDJSON
	case strings.HasSuffix(media, "json"):
		if api == "gemini" {
			return JSONArray
		}
		return Whole
	case media == "", media == "text/plain", media == "application/octet-stream":
		return kindOfAPI(api)
	}
	return Whole
}

// kindOfAPI is how an API streams when the headers do not tell.
func kindOfAPI(api string) Kind {
	switch api {
	case "ollama":
		return NDJSON
	case "bedrock-converse":
		return EventStream
	case "":
		return Whole
	}
	return SSE
}

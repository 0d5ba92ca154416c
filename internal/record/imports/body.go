package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"aircheck/internal/wire/frame"
)

// readBody reads a file that is the body of one response, as curl -N or a test
// fixture keeps it.
func readBody(_ context.Context, path string, emit func(*Exchange) error) error {
	body, err := readWhole(path)
	if err != nil {
		return err
	}
	x := &Exchange{Body: body}
	if events := wrappedEvents(body); events != nil {
		x.Body, x.Parsed = events, true
	}
	if len(body) == 0 {
		return &notThis{0, "empty"}
	}
	kind := frame.Sniff(x.Body)
	if kind == frame.Whole && !json.Valid(x.Body) && x.api() == "" && !looksHTML(x.Body) {
		return &notThis{1, fmt.Sprintf("no body of a model's response: it begins with %q", clip(x.Body))}
	}
	return emit(x)
}

// isBody says whether a file that begins so is the body of a model's response,
// with no word from the user: an event stream, or JSON of a shape that is known.
func isBody(head []byte, table bool) bool {
	if table {
		return false
	}
	x := &Exchange{Body: head}
	if events := wrappedEvents(head); events != nil {
		return true
	}
	switch frame.Sniff(head) {
	case frame.SSE, frame.EventStream:
		return true
	}
	m := firstMessage(head)
	switch {
	case x.api() != "":
		return true
	case m["error"] != nil && len(m) <= 4: // a provider's refusal is an error and little else
		return true
	}
	return m["type"] != nil && m["event_id"] != nil // events of a realtime session
}

func looksHTML(b []byte) bool {
	b = bytes.ToLower(bytes.TrimSpace(b[:min(len(b), 200)]))
	return bytes.HasPrefix(b, []byte("<!doctype html")) || bytes.HasPrefix(b, []byte("<html"))
}

func clip(b []byte) string { return string(bytes.ToValidUTF8(b[:min(len(b), 40)], nil)) }

// wrappedEvents takes the data out of lines that each hold a parsed
// server-sent event, {"LastEventID":…,"Type":…,"Data":"…"}, as Go clients keep
// them; nil if the file holds none.
func wrappedEvents(body []byte) []byte {
	var out []byte
	for line := range bytes.Lines(body) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var e struct {
			LastEventID, Type, Data *string
		}
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if dec.Decode(&e) != nil || e.Data == nil || e.Type == nil {
			return nil
		}
		out = append(append(out, oneLine(*e.Data)...), '\n')
	}
	return out
}

// oneLine writes JSON without line ends; other text as it is, with its line
// ends escaped away.
func oneLine(s string) []byte {
	var b bytes.Buffer
	if json.Compact(&b, []byte(s)) == nil {
		return b.Bytes()
	}
	return bytes.ReplaceAll([]byte(s), []byte("\n"), []byte(" "))
}

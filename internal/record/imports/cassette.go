package imports

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// readCassette reads what HTTP recorders keep, by what it looks like.
func readCassette(ctx context.Context, path string, emit func(*Exchange) error) error {
	data, err := readWhole(path)
	if err != nil {
		return err
	}
	switch {
	case bytes.HasPrefix(data, []byte("httprr trace v1\n")):
		return httprr(data, emit)
	case bytes.HasPrefix(data, []byte(`{"version":"LLM_PROXY`)):
		return tracelab(data, emit)
	}
	docs, err := documents(data)
	if err != nil {
		return &notThis{0, fmt.Sprintf("not YAML or JSON: %v", err)}
	}
	for _, doc := range docs {
		list, err := cassette(doc)
		if err != nil {
			return err
		}
		for _, x := range list {
			if err := emit(x); err != nil {
				return err
			}
		}
	}
	return nil
}

// cassette reads one document of a cassette file.
func cassette(doc any) ([]*Exchange, error) {
	var out []*Exchange
	switch {
	case at(doc, "interactions") != nil: // vcrpy, go-vcr
		for _, i := range items(at(doc, "interactions")) {
			out = append(out, interaction(i))
		}
	case at(doc, "http_interactions") != nil: // Ruby VCR
		for _, i := range items(at(doc, "http_interactions")) {
			out = append(out, interaction(i))
		}
	case at(doc, "requests") != nil && at(doc, "responses") != nil: // vcrpy with its lists apart
		requests, responses := items(at(doc, "requests")), items(at(doc, "responses"))
		if len(requests) != len(responses) {
			return nil, &notThis{0, fmt.Sprintf("%d requests and %d responses do not pair up", len(requests), len(responses))}
		}
		for i := range requests {
			out = append(out, interaction(map[string]any{"request": requests[i], "response": responses[i]}))
		}
	case at(doc, "when") != nil && at(doc, "then") != nil:
		out = append(out, httpmock(doc))
	case at(doc, "log", "entries") != nil:
		return archive(doc), nil
	case at(doc, "request") != nil && at(doc, "chunks") != nil:
		x, err := networkReads(doc)
		return []*Exchange{x}, err
	case at(doc, "request") != nil && at(doc, "response") != nil:
		out = append(out, recording(doc))
	default:
		return nil, &notThis{0, "no cassette of a kind that is known: it has neither interactions, http_interactions, requests and responses, when and then, log, nor request and response"}
	}
	return out, nil
}

// interaction reads a pair as vcrpy, go-vcr and Ruby VCR write it.
func interaction(i any) *Exchange {
	q, p := at(i, "request"), at(i, "response")
	x := &Exchange{
		Method: str(at(q, "method")),
		URL:    first(str(at(q, "uri")), str(at(q, "url"))),
		Host:   str(at(q, "host")),
		Header: header(at(p, "headers")),
		Proto:  str(at(p, "proto")),
	}
	x.RequestBody, x.SentRewritten = bodyOf(q), at(q, "parsed_body") != nil
	x.Body, x.Rewritten = bodyOf(p), at(p, "parsed_body") != nil
	x.Status = statusIn(p)
	// go-vcr states how long the response's head took.
	if d, err := time.ParseDuration(str(at(p, "duration"))); err == nil && d > 0 {
		x.HeadersNs = new(d.Nanoseconds())
	}
	x.dated([2]string{"recorded_at", str(at(i, "recorded_at"))})
	return x
}

// bodyOf reads a body: text or bytes, {string}, {base64_string}, or parsed.
func bodyOf(side any) []byte {
	if parsed := at(side, "parsed_body"); parsed != nil {
		return raw(parsed)
	}
	switch b := at(side, "body").(type) {
	case map[string]any:
		if s, ok := b["base64_string"]; ok {
			if data, err := unbase64(str(s)); err == nil {
				return data
			}
		}
		if s, ok := b["string"]; ok {
			return raw(s)
		}
		if s, ok := b["b64"]; ok {
			if data, err := unbase64(str(s)); err == nil {
				return data
			}
		}
		return raw(b)
	case nil:
		return plainBody(at(side, "content")) // vcrpy's of httpx
	default:
		return plainBody(b)
	}
}

// plainBody is a body as it stands, or in base64 that says so.
func plainBody(b any) []byte {
	if s, ok := b.(string); ok {
		if coded, ok := strings.CutPrefix(s, "base64:"); ok {
			if data, err := unbase64(coded); err == nil {
				return data
			}
		}
	}
	return raw(b)
}

// statusIn is the status of a response: 200, "200 OK", or {code: 200}.
func statusIn(side any) int {
	status := at(side, "status")
	if m, ok := status.(map[string]any); ok {
		return int(num(m["code"]))
	}
	text := first(str(at(side, "code")), str(status), str(at(side, "status_code")))
	if n := int(num(text)); n != 0 {
		return n
	}
	return statusOf(text)
}

// httpmock reads a pair of conditions and answer: no host was recorded.
func httpmock(doc any) *Exchange {
	q, p := at(doc, "when"), at(doc, "then")
	x := &Exchange{
		Method:      str(at(q, "method")),
		URL:         str(at(q, "path")),
		RequestBody: raw(at(q, "body")),
		Status:      int(num(at(p, "status"))),
		Header:      header(at(p, "header")),
		Body:        raw(at(p, "body")),
	}
	if enc := str(at(p, "body_encoding")); enc == "base64" {
		if data, err := unbase64(string(x.Body)); err == nil {
			x.Body = data
		}
	}
	x.dated()
	return x
}

// recording reads a request beside its response, whose body is either a body
// or the list of events that a client library parsed out of it.
func recording(doc any) *Exchange {
	q, p := at(doc, "request"), at(doc, "response")
	x := &Exchange{
		Method:      first(str(at(q, "method")), "POST"),
		URL:         first(str(at(q, "url")), str(at(q, "endpoint"))),
		RequestBody: bodyOf(q),
		Status:      statusIn(p),
		Header:      header(at(p, "headers")),
	}
	if s, ok := at(p, "is_streaming").(bool); ok {
		x.Streamed = &s
	}
	x.dated([2]string{"captured_at", str(at(doc, "captured_at"))})
	list, isList := at(p, "body").([]any)
	if !isList {
		list = []any{at(p, "body")}
	}
	var events []byte
	for _, e := range list {
		data := at(e, "__data__")
		if data == nil {
			data = e
		} else {
			x.Parsed = true
		}
		events = append(append(events, oneLine(string(raw(data)))...), '\n')
	}
	if x.Parsed = x.Parsed || isList; x.Parsed {
		x.Body = events
	} else {
		x.Body = bodyOf(p)
	}
	return x
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// statusOf reads the code out of "200 OK".
func statusOf(s string) int {
	n, _ := strconv.Atoi(s[:min(len(s), 3)])
	return n
}

package imports

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/jsonstream"
)

var (
	harCreator = mustPath("$.log.creator.name")
	harEntries = mustPath("$.log.entries[*]")
)

func mustPath(s string) []jsonstream.Step {
	p, err := jsonstream.ParsePath(s)
	if err != nil {
		panic(err)
	}
	return p.Steps
}

// readHAR reads an HTTP archive, entry by entry if it is JSON; Polly.JS also
// writes YAML.
func readHAR(_ context.Context, path string, emit func(*Exchange) error) error {
	in, err := input.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	outline, err := jsonstream.Project(in, [][]jsonstream.Step{harCreator}, [][]jsonstream.Step{harEntries[:2]})
	if err != nil {
		return harYAML(path, err, emit)
	}
	if outline.Lengths[0] < 0 {
		return &notThis{0, "no HTTP archive: it has no log.entries"}
	}
	again, err := input.Open(path)
	if err != nil {
		return err
	}
	defer again.Close()
	creator := str(jsonstream.Lookup(outline.Root, harCreator))
	return jsonstream.Records(again, harEntries, nil, func(r jsonstream.Record) error {
		x := entry(r.Value, creator)
		x.Line = r.Line
		return emit(x)
	})
}

func harYAML(path string, notJSON error, emit func(*Exchange) error) error {
	data, err := readWhole(path)
	if err != nil {
		return err
	}
	docs, err := documents(data)
	if err != nil || len(docs) != 1 || at(docs[0], "log", "entries") == nil {
		var placed *jsonstream.Error
		line := 0
		if errors.As(notJSON, &placed) {
			line = placed.Line
		}
		return &notThis{line, fmt.Sprintf("no HTTP archive: it begins with %q", clip(data))}
	}
	for _, x := range archive(docs[0]) {
		if err := emit(x); err != nil {
			return err
		}
	}
	return nil
}

func archive(doc any) []*Exchange {
	var out []*Exchange
	creator := str(at(doc, "log", "creator", "name"))
	for _, e := range items(at(doc, "log", "entries")) {
		out = append(out, entry(e, creator))
	}
	return out
}

// entry reads one entry of an archive.
func entry(e any, creator string) *Exchange {
	q, p := at(e, "request"), at(e, "response")
	x := &Exchange{
		Method:      str(at(q, "method")),
		URL:         str(at(q, "url")),
		RequestBody: raw(at(q, "postData", "text")),
		Status:      int(num(at(p, "status"))),
		Proto:       str(at(p, "httpVersion")),
		Header:      header(at(p, "headers")),
		Started:     moment(str(at(e, "startedDateTime"))),
	}
	if x.RequestBody == nil {
		x.RequestBody = raw(at(q, "postData", "textJSON")) // Polly keeps JSON readable
	}
	x.Body, x.Reads = content(at(p, "content"))
	x.Lost = x.Body == nil && num(at(p, "content", "size")) > 0
	x.ErrorText = str(at(p, "_error"))
	t := at(e, "timings")
	x.EndNs = fromMs(num(at(e, "time")))
	if creator == "Polly.JS" {
		return x // its wait is the whole of it, whatever HAR says
	}
	// -1 stands for what did not apply. connect contains ssl.
	blocked, dns, connect, ssl := span(t, "blocked"), span(t, "dns"), span(t, "connect"), span(t, "ssl")
	x.DNSNs, x.TLSNs = fromMs(dns), fromMs(ssl)
	if connect >= ssl {
		x.ConnectNs = fromMs(connect - ssl)
	}
	before := blocked + dns + connect
	if send := num(at(t, "send")); send >= 0 && at(t, "send") != nil {
		x.SentNs = fromMs(before + send)
		if wait := num(at(t, "wait")); wait > 0 {
			x.HeadersNs = fromMs(before + send + wait)
		}
	}
	return x
}

func span(timings any, name string) float64 { return max(0, num(at(timings, name))) }

// content reads a response's body. Polly keeps a compressed one as a list of
// the pieces that it read.
func content(c any) (body []byte, reads []int) {
	text := raw(at(c, "text"))
	if str(at(c, "encoding")) != "base64" {
		return text, nil
	}
	var pieces []string
	if bytes.HasPrefix(text, []byte("[")) && json.Unmarshal(text, &pieces) == nil {
		for _, p := range pieces {
			b, err := unbase64(p)
			if err != nil {
				if b, err = hex.DecodeString(p); err != nil {
					return text, nil
				}
			}
			body = append(body, b...)
			reads = append(reads, len(b))
		}
		return body, reads
	}
	if b, err := unbase64(string(text)); err == nil {
		return b, nil
	}
	return text, nil
}

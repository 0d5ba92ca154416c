package imports

import (
	"context"
	"fmt"
)

// readReads reads a response that was kept network read by network read:
//
//	{"request": {"method", "url", "headers", "body": {"b64"}},
//	 "response": {"status", "headers"},
//	 "chunks": [{"b64": "…"}, …],
//	 "captured_at": "2025-11-01T00:56:26Z"}
//
// A chunk may hold text in place of base64, and t_ms, its time from the start of
// the request; the whole then has end_ms, name (an identity) and end_reason where
// it did not end by itself. examples/conformance has files of this kind.
func readReads(_ context.Context, path string, emit func(*Exchange) error) error {
	data, err := readWhole(path)
	if err != nil {
		return err
	}
	docs, err := documents(data)
	if err != nil || len(docs) != 1 || at(docs[0], "chunks") == nil {
		return &notThis{0, fmt.Sprintf("no reads in it (an object with chunks): it begins with %q", clip(data))}
	}
	x, err := networkReads(docs[0])
	if err != nil {
		return err
	}
	return emit(x)
}

func networkReads(doc any) (*Exchange, error) {
	q, p := at(doc, "request"), at(doc, "response")
	x := &Exchange{
		Method:      first(str(at(q, "method")), "POST"),
		URL:         str(at(q, "url")),
		Host:        header(at(q, "headers")).Get("Host"),
		RequestBody: bodyOf(q),
		Status:      statusIn(p),
		Header:      header(at(p, "headers")),
	}
	x.dated([2]string{"captured_at", str(at(doc, "captured_at"))})
	x.RequestID, x.EndReason = str(at(doc, "name")), str(at(doc, "end_reason"))
	if end := at(doc, "end_ms"); end != nil {
		x.EndNs = new(int64(num(end) * 1e6))
	}
	chunks := items(at(doc, "chunks"))
	for i, c := range chunks {
		b := []byte(str(at(c, "text")))
		if coded := at(c, "b64"); coded != nil {
			var err error
			if b, err = unbase64(str(coded)); err != nil {
				return nil, &notThis{0, fmt.Sprintf("read %d is not base64", i)}
			}
		}
		x.Body = append(x.Body, b...)
		x.Reads = append(x.Reads, len(b))
		if t := at(c, "t_ms"); t != nil && len(x.ReadNs) == i {
			x.ReadNs = append(x.ReadNs, int64(num(t)*1e6))
		}
	}
	if len(x.ReadNs) < len(x.Reads) {
		x.ReadNs = nil // times of some reads alone
	}
	if len(x.Reads) == 0 {
		x.Body = bodyOf(p)
		x.Reads = nil
	}
	return x, nil
}

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
	for i, c := range items(at(doc, "chunks")) {
		b, err := unbase64(str(at(c, "b64")))
		if err != nil {
			return nil, &notThis{0, fmt.Sprintf("read %d is not base64", i)}
		}
		x.Body = append(x.Body, b...)
		x.Reads = append(x.Reads, len(b))
	}
	if len(x.Reads) == 0 {
		x.Body = bodyOf(p)
		x.Reads = nil
	}
	return x, nil
}

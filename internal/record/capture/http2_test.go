package capture

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"aircheck/schema"
)

// HTTP/2 on request: frames are whole and timed by the read, and a reset has its
// code.
func TestHTTP2(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
		if r.URL.Path == "/reset" {
			panic(http.ErrAbortHandler)
		}
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	config := srv.Client().Transport.(*http.Transport).TLSClientConfig
	c := newClient(t, Options{TLS: config, HTTP2: true})
	for i, path := range []string{"/", "/", "/reset"} {
		row, chunks := do(t, c, srv.URL+path)
		end := "eof"
		if path == "/reset" {
			end = "reset"
		}
		if *row.EndReason != end || (row.ResetCode != nil) != (end == "reset") || *row.HTTPVersion != "HTTP/2.0" || *row.ConnReused != (i > 0) {
			t.Errorf("%s: %s %v, %s, reused %v", path, *row.EndReason, row.ErrorText, *row.HTTPVersion, *row.ConnReused)
		}
		if joined(chunks) != "data: 0\n\ndata: 1\n\ndata: 2\n\n" || *row.SentNs > *row.HeadersNs {
			t.Errorf("%q, sent at %d, head at %d", joined(chunks), *row.SentNs, *row.HeadersNs)
		}
		for _, f := range chunks {
			if f.Clock != "read" {
				t.Errorf("a frame is timed by %s", f.Clock)
			}
		}
	}
	// Without encryption, too; a server that does not speak it is told from one that
	// fails.
	plain := httptest.NewUnstartedServer(srv.Config.Handler)
	plain.Config.Protocols = new(http.Protocols)
	plain.Config.Protocols.SetUnencryptedHTTP2(true)
	plain.Start()
	t.Cleanup(plain.Close)
	if row, chunks := do(t, c, plain.URL); *row.EndReason != "eof" || *row.HTTPVersion != "HTTP/2.0" || len(chunks) != 3 {
		t.Errorf("without encryption: %s %v", *row.EndReason, row.ErrorText)
	}
	old := httptest.NewTLSServer(srv.Config.Handler)
	t.Cleanup(old.Close)
	row := &schema.Request{}
	newClient(t, Options{TLS: old.Client().Transport.(*http.Transport).TLSClientConfig, HTTP2: true}).Do(context.Background(),
		&Request{Method: "POST", URL: old.URL, Header: http.Header{}}, false, row, &keeper{})
	if *row.EndReason != "tls" {
		t.Errorf("a server of HTTP/1.1: %s %s", *row.EndReason, *row.ErrorText)
	}
}

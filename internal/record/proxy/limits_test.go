package proxy

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// What is beyond a bound of the recorder passes all the same: the application
// notices nothing, and the row says that it is our limit.
func TestBeyondBounds(t *testing.T) {
	const memory = 16 << 20 // answers up to 16 MiB with frames of 1 MiB, requests up to 2 MiB
	long := "data: " + strings.Repeat("x", 3<<20) + "\n\n"
	up := provider(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		if n > 1<<20 {
			fmt.Fprintf(w, "got %d", n)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, long+"data: [DONE]\n\n")
	})
	f := serve(t, Options{Upstreams: []Upstream{{Provider: "north", URL: up}}, Memory: memory})
	if _, got := f.post("/v1/chat/completions", ask); got != long+"data: [DONE]\n\n" {
		t.Errorf("the caller got %d bytes, ending in %q", len(got), got[max(0, len(got)-80):])
	}
	large := strings.Replace(ask, "hi", strings.Repeat("y", 3<<20), 1)
	if _, got := f.post("/v1/chat/completions", large); got != fmt.Sprintf("got %d", len(large)) {
		t.Errorf("the provider %q of %d", got, len(large))
	}
	rows, _ := f.rows()
	if len(rows) != 1 || *rows[0].EndReason != "limit" || !strings.Contains(*rows[0].ErrorText, "bytes of a frame") {
		t.Errorf("%d rows, %+v", len(rows), rows)
	}
	if done := f.stop(); len(done.Apart) != 1 {
		t.Errorf("forwarded and not recorded: %v", done.Apart)
	}
}

package capture

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"aircheck/internal/kit/limits"
	"aircheck/internal/wire/dialect"
)

// Each bound of ours, one below and beyond: an answer beyond it ends as `limit`,
// whatever the layers that noticed call it.
func TestOwnBounds(t *testing.T) {
	bounds := limits.Response{Head: 64 << 10, Body: 1 << 20, Inflated: 4 << 20, Frame: 256 << 10, Frames: 1000}
	packed := func(pack func(io.Writer) io.WriteCloser, n int) string {
		var b bytes.Buffer
		z := pack(&b)
		line := "data: " + strings.Repeat("a few words that differ little. ", 30)
		for i := 0; n > 0; i++ {
			k, _ := fmt.Fprintf(z, "%.*s %d\n\n", min(n, len(line)), line, i)
			n -= k
		}
		z.Close()
		return b.String()
	}
	gz := func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	zst := func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z }
	br := func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, 1) }
	compressed := func(coding, body string) string {
		return head("Content-Encoding: "+coding, fmt.Sprintf("Content-Length: %d", len(body))) + body
	}
	fields := func(n int) []string {
		out := []string{"Content-Length: 0"}
		for i := range n {
			out = append(out, fmt.Sprintf("X-Field-%05d: %s", i, strings.Repeat("v", 80)))
		}
		return out
	}
	whole := func(n int, unit string) string {
		body := strings.Repeat(unit, n)
		return head(fmt.Sprintf("Content-Length: %d", len(body))) + body
	}
	cases := []struct {
		name, below, beyond string
	}{
		{"head", head(fields(500)...), head(fields(8000)...)},
		{"one header", head("X: "+strings.Repeat("v", 60<<10), "Content-Length: 0"), head("X: "+strings.Repeat("v", 640<<10), "Content-Length: 0")},
		{"body", whole(128, "data: "+strings.Repeat("x", 8<<10-8)+"\n\n"), whole(900, "data: "+strings.Repeat("x", 12<<10)+"\n\n")},
		{"frame", whole(1, "data: "+strings.Repeat("x", 250<<10)+"\n\n"), whole(1, "data: "+strings.Repeat("x", 900<<10)+"\n\n")},
		{"frames", whole(1000, ":\n\n"), whole(10_000, ":\n\n")},
		{"gzip", compressed("gzip", packed(gz, 4<<20-1000)), compressed("gzip", packed(gz, 40<<20))},
		{"zstd", compressed("zstd", packed(zst, 4<<20-1000)), compressed("zstd", packed(zst, 40<<20))},
		{"br", compressed("br", packed(br, 4<<20-1000)), compressed("br", packed(br, 40<<20))},
		{"chunk of much framing", head(chunked) + strings.Repeat("1;x=y\r\n:\r\n", 900) + "0\r\n\r\n", head(chunked) + strings.Repeat("1;"+strings.Repeat("x", 2000)+"\r\n:\r\n", 900)},
		{"chunk's line", head(chunked) + "1;" + strings.Repeat("x", 3000) + "\r\n:\r\n0\r\n\r\n", head(chunked) + "1;" + strings.Repeat("x", 300<<10) + "\r\n:\r\n"},
	}
	for _, c := range cases {
		for _, side := range []struct{ name, answer, end string }{{"below", c.below, "eof"}, {"beyond", c.beyond, "limit"}} {
			t.Run(c.name+" "+side.name, func(t *testing.T) {
				t.Parallel()
				s := serve(t, func(c *net.TCPConn, r *http.Request) {
					c.Write([]byte(side.answer))
					if side.end == "limit" { // whatever is left is not to be taken for an end
						time.Sleep(50 * time.Millisecond)
					}
				})
				row, _ := do(t, newClient(t, Options{Limits: bounds, Windows: limits.NewBudget(64 << 20)}), s.url)
				text := ""
				if row.ErrorText != nil {
					text = *row.ErrorText
				}
				if *row.EndReason != side.end || (side.end == "limit") != (text != "") {
					t.Errorf("end %s: %s", *row.EndReason, text)
				}
			})
		}
	}
}

// Where there is no memory for the history of one more body, it is kept as it
// comes, and what others took is given back.
func TestWindowsAreShared(t *testing.T) {
	windows := limits.NewBudget(8 << 20)
	var b bytes.Buffer
	z, _ := zstd.NewWriter(&b)
	z.Write(make([]byte, 4<<20))
	z.Close()
	first, second := dialect.NewMeter("zstd", 1<<20, windows), dialect.NewMeter("zstd", 1<<20, windows)
	if first.Write(b.Bytes()[:8]) != nil || second.Write(b.Bytes()) != nil {
		t.Error("a body is held to be too large")
	}
	first.Close()
	if dialect.NewMeter("zstd", 1<<20, windows).Write(b.Bytes()) == nil {
		t.Error("a body that grows is not noticed")
	}
}

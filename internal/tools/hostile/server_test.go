package hostile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// behaviour answers one request on a bare connection, which is closed after it.
type behaviour func(w *bufio.Writer)

// serve answers requests by the first part of their path.
func serve(t *testing.T, of map[string]behaviour) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				r, err := http.ReadRequest(bufio.NewReader(c))
				if err != nil {
					return
				}
				io.Copy(io.Discard, r.Body)
				w := bufio.NewWriterSize(c, 64<<10)
				if b := of[strings.Split(r.URL.Path, "/")[1]]; b != nil {
					b(w)
				}
				w.Flush()
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

const sse = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n"

// fine is an answer like any other: 200 tokens, usage, an end.
func fine(w *bufio.Writer) {
	io.WriteString(w, sse+"\r\n"+fineBody())
}

func fineBody() string {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"word%d \"}}]}\n\n", i)
	}
	b.WriteString("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":200,\"total_tokens\":203}}\n\ndata: [DONE]\n\n")
	return b.String()
}

// repeat sends a piece so many times, -1 without end.
func repeat(head, piece string, n int) behaviour {
	return func(w *bufio.Writer) {
		io.WriteString(w, head)
		for i := 0; i != n; i++ {
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
		}
	}
}

// content is a frame of so many bytes.
func content(bytes int) string {
	const head, tail = `data: {"choices":[{"index":0,"delta":{"content":"`, "\"}}]}\n\n"
	return head + strings.Repeat("x", bytes-len(head)-len(tail)) + tail
}

// bomb is so many megabytes of zeros, compressed.
func bomb(megabytes int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte("data: "))
	zeros := make([]byte, 1<<20)
	for range megabytes {
		z.Write(zeros)
	}
	z.Close()
	return b.Bytes()
}

func compressed(coding string, body []byte) behaviour {
	return func(w *bufio.Writer) {
		fmt.Fprintf(w, sse+"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n", coding, len(body))
		w.Write(body)
	}
}

package capture

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// rawServer answers each request on a loopback port with a script that has the
// bare connection in hand. It counts requests.
type rawServer struct {
	url      string
	requests atomic.Int32
}

func serve(t testing.TB, script func(c *net.TCPConn, r *http.Request)) *rawServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rawServer{url: "http://" + l.Addr().String() + "/v1/chat/completions"}
	done := make(chan struct{})
	t.Cleanup(func() { l.Close(); <-done })
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					body, _ := io.ReadAll(r.Body)
					r.Body = io.NopCloser(strings.NewReader(string(body)))
					s.requests.Add(1)
					script(c.(*net.TCPConn), r)
				}
			}()
		}
	}()
	return s
}

// head of a response that ends with the connection, unless lines say otherwise.
func head(lines ...string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + strings.Join(append(lines, ""), "\r\n") + "\r\n"
}

const chunked = "Transfer-Encoding: chunked"

// chunk wraps bytes as a chunk of the transfer encoding.
func chunk(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }

// reset ends the connection with a RST.
func reset(c *net.TCPConn) {
	c.SetLinger(0)
	c.Close()
}

var short = Timeouts{Connect: time.Second, FirstByte: 600 * time.Millisecond, Idle: 400 * time.Millisecond, Total: 5 * time.Second}

func newClient(t testing.TB, o Options) *Client {
	if o.Clock == nil {
		o.Clock = NewClock()
	}
	c := NewClient(o)
	t.Cleanup(c.Close)
	return c
}

// do sends one request.
func do(t testing.TB, c *Client, url string) (*schema.Request, []schema.Chunk) {
	t.Helper()
	return doBody(t, c, url, `{"stream":true}`)
}

func doBody(t testing.TB, c *Client, url, body string) (*schema.Request, []schema.Chunk) {
	t.Helper()
	row := &schema.Request{API: new("openai-chat")}
	r := &Request{Method: "POST", URL: url, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
	k := &keeper{}
	c.Do(context.Background(), r, false, row, k)
	check(t, row, k.chunks)
	return row, k.chunks
}

// keeper keeps frames as rows of the table chunks.
type keeper struct {
	chunks []schema.Chunk
	lo     []int64
	open   []byte
}

func (k *keeper) Head(*http.Response) {}

func (k *keeper) Frame(f *journal.Frame) {
	if k.open = append(k.open, f.Raw...); f.More {
		return
	}
	k.chunks = append(k.chunks, schema.Chunk{ReadSeq: f.Read, TNs: new(f.At), TReadNs: new(f.ReadAt), Clock: f.Clock.String(), Complete: f.Complete, Raw: k.open})
	k.lo, k.open = append(k.lo, f.Lo), nil
	// The journal keeps the earliest time of frames that share a read.
	if n := len(k.chunks); n > 1 && k.chunks[n-2].ReadSeq == f.Read {
		k.chunks[n-1].TLoNs, k.chunks[n-2].TLoNs = &k.lo[n-1], &k.lo[n-2]
	}
}

// check holds for every response, whatever became of it.
func check(t testing.TB, row *schema.Request, chunks []schema.Chunk) {
	t.Helper()
	if row.EndReason == nil || row.EndNs == nil || row.StartedAtNs == nil {
		t.Fatalf("no end: %+v", row)
	}
	if (row.HTTPStatus == nil) != (row.BytesReceived == nil) || (row.HTTPStatus == nil) != (row.HeadersNs == nil) {
		t.Errorf("status %v, bytes %v, headers %v", row.HTTPStatus, row.BytesReceived, row.HeadersNs)
	}
	if (*row.EndReason == "eof") != (row.ErrorText == nil) {
		t.Errorf("end %q with error %v", *row.EndReason, row.ErrorText)
	}
	var n, last int64
	var read int32
	for i, c := range chunks {
		n += int64(len(c.Raw))
		if *c.TNs < last || *c.TNs > *row.EndNs || c.ReadSeq < read {
			t.Errorf("frame %d: time %d after %d, read %d after %d, end %d", i, *c.TNs, last, c.ReadSeq, read, *row.EndNs)
		}
		if c.TLoNs != nil && (*c.TLoNs > *c.TNs || *c.TLoNs < 0) {
			t.Errorf("frame %d: earliest %d, time %d", i, *c.TLoNs, *c.TNs)
		}
		last, read = *c.TNs, c.ReadSeq
	}
	if row.BytesReceived != nil && n != *row.BytesReceived {
		t.Errorf("frames hold %d bytes of %d", n, *row.BytesReceived)
	}
	if row.SentNs != nil && (*row.SentNs < 0 || *row.SentNs > *row.EndNs) {
		t.Errorf("sent at %d, end at %d", *row.SentNs, *row.EndNs)
	}
}

func joined(chunks []schema.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		b.Write(c.Raw)
	}
	return b.String()
}

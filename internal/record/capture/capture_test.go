package capture

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aircheck/schema"
)

// A body is kept byte for byte, however it is cut and wherever it ends.
func TestBodyRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	words := []string{"data: {\"a\":1}\n\n", "\n", "\r", "\r\n", ": ping\n\n", "event: x\r\ndata: é\r\n\r\n", "\x00\xff", "[DONE]", "{}\n", "data"}
	types := []string{"text/event-stream", "application/x-ndjson", "application/json", "", "text/html", "application/vnd.amazon.eventstream"}
	var body []byte
	var sizes []int
	var mode int
	var kind string
	var mu sync.Mutex // a socket is read beneath net.Conn, where the race detector sees no order
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		mu.Lock()
		body, sizes, mode, kind := body, sizes, mode, kind
		mu.Unlock()
		h := "HTTP/1.1 200 OK\r\n"
		if kind != "" {
			h += "Content-Type: " + kind + "\r\n"
		}
		switch mode {
		case 0:
			h += chunked + "\r\n\r\n"
		case 1:
			h += fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
		default:
			h += "Connection: close\r\n\r\n"
		}
		c.Write([]byte(h))
		for rest := body; len(rest) > 0; {
			n := min(len(rest), sizes[len(rest)%len(sizes)])
			if mode == 0 {
				c.Write([]byte(chunk(string(rest[:n]))))
			} else {
				c.Write(rest[:n])
			}
			rest = rest[n:]
		}
		switch mode {
		case 0:
			c.Write([]byte("0\r\n\r\n"))
		case 2:
			c.Close()
		}
	})
	client := newClient(t, Options{Timeouts: short})
	for range 300 {
		mu.Lock()
		body, sizes, mode, kind = nil, nil, rng.IntN(3), types[rng.IntN(len(types))]
		for range rng.IntN(40) {
			body = append(body, words[rng.IntN(len(words))]...)
		}
		for range 1 + rng.IntN(5) {
			sizes = append(sizes, 1+rng.IntN(60))
		}
		mu.Unlock()
		row, chunks := do(t, client, s.url)
		if *row.EndReason != "eof" || *row.HTTPStatus != 200 {
			t.Fatalf("%s, mode %d: %s", kind, mode, *row.EndReason)
		}
		if got := joined(chunks); got != string(body) {
			t.Fatalf("%s: sent %q, kept %q", kind, body, got)
		}
	}
}

func TestLargeFrames(t *testing.T) {
	frame := "data: " + strings.Repeat("0123456789abcdef", 1<<16) + "\n\n"
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte(head(chunked) + chunk(frame) + chunk(frame+"data: 1\n\n") + "0\r\n\r\n"))
	})
	_, chunks := do(t, newClient(t, Options{}), s.url)
	if len(chunks) != 3 || string(chunks[0].Raw) != frame || string(chunks[1].Raw) != frame {
		t.Errorf("%d frames", len(chunks))
	}
}

// Frames have the time of the read that completed them, and those of one read
// share it.
func TestTimes(t *testing.T) {
	t.Run("read", func(t *testing.T) { testTimes(t, true) })
	if runtime.GOOS == "linux" {
		t.Run("kernel", func(t *testing.T) { testTimes(t, false) })
	}
}

func testTimes(t *testing.T, readClock bool) {
	const gap = 40 * time.Millisecond
	clock := NewClock()
	sent := make(chan int64, 4) // before each write
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		for _, bytes := range []string{head(chunked), chunk("data: 1\n\n"), chunk("data: 2\n\ndata: 3\n\ndat"), chunk("a: 4\n\n") + "0\r\n\r\n"} {
			sent <- clock.Now()
			c.Write([]byte(bytes))
			time.Sleep(gap)
		}
	})
	row, chunks := do(t, newClient(t, Options{Clock: clock, ReadClock: readClock}), s.url)
	if len(chunks) != 4 {
		t.Fatalf("%d frames", len(chunks))
	}
	start := *row.StartedAtNs - clock.Wall(0)
	if h := start + *row.HeadersNs; h < <-sent {
		t.Errorf("head at %v, before it was sent", time.Duration(h))
	}
	var last int64
	for i, want := range []struct {
		read  int32
		write bool // the first frame of its write
		lo    bool
	}{{0, true, false}, {1, true, true}, {1, false, true}, {2, true, false}} {
		c := chunks[i]
		clock := map[bool]string{true: "read", false: "kernel"}[readClock]
		if c.ReadSeq != want.read || (c.TLoNs != nil) != want.lo || readClock != (*c.TNs == *c.TReadNs) || *c.TNs > *c.TReadNs || c.Clock != clock || !c.Complete {
			t.Errorf("frame %d: %+v", i, c)
		}
		if want.write {
			last = <-sent
		}
		if at := start + *c.TNs; at < last || at > last+int64(2*time.Second) {
			t.Errorf("frame %d at %v, sent at %v", i, time.Duration(at), time.Duration(last))
		}
	}
	// By the kernel's clock the socket was seen empty after that.
	if lo, before := *chunks[1].TLoNs, *chunks[0].TReadNs; readClock != (lo == before) || lo < before {
		t.Errorf("earliest time of the second frame is %v; the read before it returned at %v", time.Duration(lo), time.Duration(before))
	}
	if *chunks[1].TNs != *chunks[2].TNs || *chunks[1].TNs <= *chunks[0].TNs {
		t.Error("frames of one read share a time, and those of two do not")
	}
}

func TestConnections(t *testing.T) {
	var closing atomic.Bool
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		if closing.Load() {
			c.Write([]byte(head("Content-Length: 0", "Connection: close")))
			c.Close()
			return
		}
		c.Write([]byte(head("Content-Length: 0")))
	})
	reused := func(c *Client) bool {
		row, _ := do(t, c, s.url)
		if *row.EndReason != "eof" {
			t.Fatal(*row.ErrorText)
		}
		if *row.ConnReused != (row.ConnectNs == nil) || row.DNSNs != nil || row.TLSNs != nil {
			t.Errorf("reused %v, connect %v, dns %v", *row.ConnReused, row.ConnectNs, row.DNSNs)
		}
		return *row.ConnReused
	}
	keep := newClient(t, Options{})
	if reused(keep) || !reused(keep) || !reused(keep) {
		t.Error("a connection is opened once and kept")
	}
	row := &schema.Request{}
	keep.Do(context.Background(), &Request{Method: "POST", URL: s.url, Header: http.Header{}}, true, row, &keeper{})
	if *row.ConnReused || len(keep.idle) != 1 {
		t.Error("a fresh connection was asked for, and none must stay")
	}
	closing.Store(true)
	if !reused(keep) {
		t.Error("the old connection was still good")
	}
	closing.Store(false)
	if reused(keep) {
		t.Error("the server closed the connection")
	}
	fresh := newClient(t, Options{Fresh: true})
	for range 2 {
		if reused(fresh) {
			t.Error("fresh connections only")
		}
	}
}

// A connection that the server closes while it is idle is not used again, and
// no request is ever sent twice.
func TestIdleClosed(t *testing.T) {
	var served atomic.Int32
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte(head("Content-Length: 0")))
		if served.Add(1) == 1 {
			c.Close()
		}
	})
	c := newClient(t, Options{})
	do(t, c, s.url)
	for range 500 {
		if len(c.idle) == 0 || c.idle[0].http.Err() != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	row, _ := do(t, c, s.url)
	if *row.EndReason != "eof" || *row.ConnReused {
		t.Errorf("end %s, reused %v", *row.EndReason, *row.ConnReused)
	}
	// One that dies under the request is a result.
	var asked atomic.Int32
	dying := serve(t, func(c *net.TCPConn, r *http.Request) {
		if asked.Add(1) > 1 {
			reset(c)
			return
		}
		c.Write([]byte(head("Content-Length: 0")))
	})
	c = newClient(t, Options{})
	do(t, c, dying.url)
	row, _ = do(t, c, dying.url)
	if *row.EndReason != "reset" || !*row.ConnReused || dying.requests.Load() != 2 {
		t.Errorf("end %s, reused %v, %d requests", *row.EndReason, *row.ConnReused, dying.requests.Load())
	}
}

func TestTLS(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}))
	srv.EnableHTTP2 = true
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	defer srv.Close()
	config := srv.Client().Transport.(*http.Transport).TLSClientConfig
	c := newClient(t, Options{TLS: config})
	row, chunks := doBody(t, c, srv.URL, strings.Repeat("x", 300<<10))
	if *row.EndReason != "eof" || row.TLSNs == nil || *row.HTTPVersion != "HTTP/1.1" || len(chunks) != 3 || joined(chunks) != "data: 0\n\ndata: 1\n\ndata: 2\n\n" {
		t.Fatalf("%+v, %q", row, joined(chunks))
	}
	if *row.SentNs <= *row.ConnectNs+*row.TLSNs {
		t.Errorf("sent at %d, connection took %d", *row.SentNs, *row.ConnectNs+*row.TLSNs)
	}
	if row, _ := do(t, c, srv.URL); !*row.ConnReused || row.TLSNs != nil {
		t.Error("the second request needs no handshake")
	}
	// An unknown authority is a tls failure.
	row, _ = do(t, newClient(t, Options{}), srv.URL)
	if *row.EndReason != "tls" || row.HTTPStatus != nil || row.ConnectNs == nil || !strings.Contains(*row.ErrorText, "certificate") {
		t.Errorf("%s: %s", *row.EndReason, *row.ErrorText)
	}
}

// The farewell of TLS is not the request.
func TestSentIsNotFarewell(t *testing.T) {
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(500 * time.Millisecond)
		w.Header().Set("Connection", "close")
	}))
	defer srv.Close()
	c := newClient(t, Options{TLS: srv.Client().Transport.(*http.Transport).TLSClientConfig, Timeouts: Timeouts{FirstByte: 300 * time.Millisecond}})
	row, _ := do(t, c, srv.URL)
	if *row.EndReason != "timeout_first_byte" || *row.EndNs-*row.SentNs < int64(100*time.Millisecond) {
		t.Errorf("sent %v, end %v %s", time.Duration(*row.SentNs), time.Duration(*row.EndNs), *row.EndReason)
	}
}

func TestInformational(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"))
		time.Sleep(30 * time.Millisecond)
		c.Write([]byte(head("Content-Length: 9") + "data: 1\n\n"))
	})
	row, chunks := do(t, newClient(t, Options{}), s.url)
	if *row.HTTPStatus != 200 || joined(chunks) != "data: 1\n\n" || *row.HeadersNs < int64(30*time.Millisecond) {
		t.Errorf("status %d, head at %v", *row.HTTPStatus, time.Duration(*row.HeadersNs))
	}
}

func TestRedirectIsKept(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte("HTTP/1.1 307 Temporary Redirect\r\nLocation: https://user:pass@elsewhere.invalid/x?sig=abc\r\nContent-Length: 2\r\n\r\nno"))
	})
	row, chunks := do(t, newClient(t, Options{}), s.url)
	if *row.HTTPStatus != 307 || joined(chunks) != "no" || s.requests.Load() != 1 {
		t.Errorf("%+v", row)
	}
	if !strings.Contains(*row.ResponseHeaders, `"Location":["https://elsewhere.invalid/x"]`) {
		t.Errorf("headers %s", *row.ResponseHeaders)
	}
}

// A body that comes compressed though identity was asked for is kept as it came.
func TestCompressed(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte("data: 1\n\ndata: 2\n\n"))
	w.Close()
	body := z.String()
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte(head("Content-Encoding: gzip", fmt.Sprintf("Content-Length: %d", len(body)))))
		time.Sleep(10 * time.Millisecond)
		c.Write([]byte(body[:10]))
		time.Sleep(10 * time.Millisecond)
		c.Write([]byte(body[10:]))
	})
	row, chunks := do(t, newClient(t, Options{}), s.url)
	if *row.ContentEncoding != "gzip" || len(chunks) != 2 || joined(chunks) != body {
		t.Errorf("%v, %d frames", *row.ContentEncoding, len(chunks))
	}
}

func TestSecretsStayOut(t *testing.T) {
	const key = `sk-s3cret/with+signs"q`
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		body := "data: {\"error\":\"bad key " + key + "\"}\n\ndata: " + strings.ReplaceAll(key, `"`, `\"`) + "\n\n"
		c.Write([]byte(head(fmt.Sprintf("Content-Length: %d", len(body)), "X-Echo: you sent "+key, "Set-Cookie: session=abcdefgh", "X-Request-Id: r1") + body))
	})
	row, chunks := do(t, newClient(t, Options{Secrets: NewSecrets(key)}), s.url)
	all := joined(chunks) + *row.ResponseHeaders
	if strings.Contains(all, "s3cret") || strings.Contains(all, "abcdefgh") {
		t.Errorf("leaked: %s", all)
	}
	if !strings.Contains(*row.ResponseHeaders, `"X-Request-Id":["r1"]`) || len(chunks) != 2 || !strings.Contains(joined(chunks), "bad key ****") {
		t.Errorf("lost more than the secret: %s", all)
	}
	const odd = "sk-Odd&\"key\"-1"
	h := NewSecrets(odd).HeadersJSON(http.Header{"Set-Cookie ": {"a=TOPSECRET"}, "X_Api_Key": {"TOPSECRET"}, http.CanonicalHeaderKey("sk-Odd"): {"1"},
		"Link": {"<https://u:TOPSECRET@h/p>; rel=next"}, "X-You-Sent": {odd}})
	if want := `{"Link":["<https://h/p>; rel=next"],"Sk-Odd":["1"],"X-You-Sent":["**************"]}`; h != want {
		t.Errorf("got %s, want %s", h, want)
	}
	if got := NewSecrets("sk-live-0123abcd").HeadersJSON(http.Header{"Sk-Live-0123abcd": {"x"}}); strings.Contains(got, "Live") {
		t.Errorf("the key is the name of a header: %s", got)
	}
	parts := NewSecrets("AKIAEXAMPLE1:secret-part-2:x")
	if got := parts.Text("AKIAEXAMPLE1 and secret-part-2, x"); got != "************ and *************, x" {
		t.Errorf("got %q", got)
	}
	if got := NewSecrets("ollama").Text("use ollama"); got != "use ollama" {
		t.Errorf("a placeholder is no secret: %q", got)
	}
}

// A reply that comes before the request is fully sent is a reply.
func TestEarlyResponse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		c.Read(make([]byte, 1000))
		c.Write([]byte("HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge"))
		time.Sleep(100 * time.Millisecond)
	}()
	row, chunks := doBody(t, newClient(t, Options{Timeouts: short}), "http://"+l.Addr().String(), strings.Repeat("x", 8<<20))
	if row.HTTPStatus == nil || *row.HTTPStatus != 413 || joined(chunks) != "large" {
		t.Errorf("%s %v: %q", *row.EndReason, row.ErrorText, joined(chunks))
	}
}

func TestClock(t *testing.T) {
	c := NewClock()
	wall := time.Now().UnixNano()
	if d := c.Wall(c.Now()) - wall; d < -int64(time.Millisecond) || d > int64(time.Millisecond) {
		t.Errorf("wall time is off by %d ns", d)
	}
	c.Check()
	e := c.Epochs()
	if len(e) != 1 || e[0].HalfWidthNs <= 0 || e[0].HalfWidthNs > int64(time.Millisecond) {
		t.Errorf("epochs %+v", e)
	}
	// As if the machine had slept for a minute.
	c.base = c.base.Add(time.Minute)
	if _, anchor := c.both(); anchor != 0 {
		t.Error("a stamp from before a step says nothing")
	}
	if _, anchor := c.both(); anchor == 0 {
		t.Error("the new epoch has an anchor")
	}
	if e := c.Epochs(); len(e) != 2 || e[1].WallNs-e[0].WallNs < int64(59*time.Second) {
		t.Errorf("epochs %+v", e)
	}
}

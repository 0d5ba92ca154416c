package capture

import (
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	limit "aircheck/internal/kit/limits"
	"aircheck/schema"
)

// Whatever the network does is a row with a reason.
func TestEndReasons(t *testing.T) {
	const frames = "data: 1\n\ndata: 2\n\n"
	pause := func() { time.Sleep(100 * time.Millisecond) }
	cases := []struct {
		name   string
		script func(c *net.TCPConn, r *http.Request)
		end    string
		status int32 // 0: no response
		body   string
		says   string
	}{
		{"reset before headers", func(c *net.TCPConn, r *http.Request) { reset(c) }, "reset", 0, "", "connection reset by peer"},
		{"reset within headers", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte("HTTP/1.1 200 OK\r\nContent-"))
			pause()
			reset(c)
		}, "reset", 0, "", "reset"},
		{"reset in the stream", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head(chunked) + chunk(frames)))
			pause()
			reset(c)
		}, "reset", 200, frames, "reset"},
		{"closed before headers", func(c *net.TCPConn, r *http.Request) { c.Close() }, "unexpected_eof", 0, "", "EOF"},
		{"closed between chunks", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head(chunked) + chunk(frames)))
			c.Close()
		}, "unexpected_eof", 200, frames, "EOF"},
		{"closed within a chunk", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head(chunked) + "ff\r\n" + frames + "data"))
			c.Close()
		}, "unexpected_eof", 200, frames + "data", "EOF"},
		{"closed before the length", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head("Content-Length: 100") + frames))
			c.Close()
		}, "unexpected_eof", 200, frames, "EOF"},
		{"half closed", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head("Connection: close") + frames + "data: 3"))
			c.CloseWrite()
			pause()
		}, "eof", 200, frames + "data: 3", ""},
		{"no http", func(c *net.TCPConn, r *http.Request) { c.Write([]byte("SSH-2.0-OpenSSH\r\n\r\n")); pause() }, "unexpected_eof", 0, "", "malformed"},
		{"a cookie that is none", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte("HTTP/1.1 200 OK\r\nSet-Cookie: session=127.0.0.1\x01\r\n\r\n"))
			pause()
		}, "unexpected_eof", 0, "", "malformed MIME header line"},
		{"an address for a status", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte("Location: http://u:127.0.0.1@h/\x7f\r\n\r\n"))
			pause()
		}, "unexpected_eof", 0, "", "malformed HTTP"},
		{"garbage for a chunk", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head(chunked) + chunk(frames) + "not a size\r\n"))
			pause()
		}, "unexpected_eof", 200, frames, "chunk"},
		{"silence", func(c *net.TCPConn, r *http.Request) { time.Sleep(1500 * time.Millisecond) }, "timeout_first_byte", 0, "", "600ms"},
		{"headers, then silence", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head(chunked)))
			time.Sleep(1500 * time.Millisecond)
		}, "timeout_first_byte", 200, "", "no byte of the body within 600ms"},
		{"stall", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head(chunked) + chunk(frames)))
			time.Sleep(1500 * time.Millisecond)
		}, "timeout_idle", 200, frames, "no further byte within 400ms"},
		{"slow bytes", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head("Content-Length: 6")))
			for i := range 6 {
				c.Write([]byte("data: "[i : i+1]))
				time.Sleep(10 * time.Millisecond)
			}
		}, "eof", 200, "data: ", ""},
		{"no end", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head(chunked)))
			for range 100 {
				c.Write([]byte(chunk(": ping\n\n")))
				time.Sleep(20 * time.Millisecond)
			}
		}, "timeout_total", 200, ": ping\n\n", "not over within 1.2s"},
		{"too large", func(c *net.TCPConn, r *http.Request) {
			c.Write([]byte(head("Connection: close") + strings.Repeat("x", 200<<10)))
			c.Close()
		}, "limit", 200, "xxxx", "at most 102400 bytes"},
	}
	limits := short
	limits.Total = 1200 * time.Millisecond
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, tc.script)
			row, chunks := do(t, newClient(t, Options{Timeouts: limits, Limits: limit.Response{Body: 100 << 10}}), s.url)
			text := ""
			if row.ErrorText != nil {
				text = *row.ErrorText
			}
			if *row.EndReason != tc.end || !strings.Contains(text, tc.says) || strings.Contains(text, "127.0.0.1") {
				t.Errorf("end %s (%s), want %s (%s)", *row.EndReason, text, tc.end, tc.says)
			}
			if tc.status == 0 != (row.HTTPStatus == nil) || row.HTTPStatus != nil && *row.HTTPStatus != tc.status {
				t.Errorf("status %v, want %d", row.HTTPStatus, tc.status)
			}
			if got := joined(chunks); !strings.HasPrefix(got, tc.body) || tc.body == "" && got != "" {
				t.Errorf("body %q, want %q", got, tc.body)
			}
			if row.SentNs == nil {
				t.Error("the request was sent")
			}
			if s.requests.Load() != 1 {
				t.Errorf("%d requests", s.requests.Load())
			}
		})
	}
}

// What goes wrong before anything is sent.
func TestConnectReasons(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() // takes connections and never speaks
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	plain := serve(t, func(c *net.TCPConn, r *http.Request) {})
	for _, tc := range []struct{ name, url, end string }{
		{"refused", "http://" + closed.Addr().String(), "refused"},
		{"no such host", "http://no-such-host.invalid/", "dns"},
		{"silent handshake", "https://" + l.Addr().String(), "timeout_connect"},
		{"no tls there", strings.Replace(plain.url, "http:", "https:", 1), "tls"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			row, chunks := do(t, newClient(t, Options{Timeouts: Timeouts{Connect: 500 * time.Millisecond}}), tc.url)
			if *row.EndReason != tc.end || row.HTTPStatus != nil || chunks != nil || row.SentNs != nil || *row.ConnReused {
				t.Errorf("end %s (%s), want %s", *row.EndReason, *row.ErrorText, tc.end)
			}
			if strings.Contains(*row.ErrorText, "127.0.0.1") {
				t.Errorf("error names an address: %s", *row.ErrorText)
			}
			if tc.end == "dns" && row.DNSNs == nil || tc.end != "dns" && row.DNSNs != nil {
				t.Errorf("look-up took %v", row.DNSNs)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	started := make(chan bool, 1)
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte(head(chunked) + chunk("data: 1\n\n")))
		started <- true
		time.Sleep(1500 * time.Millisecond)
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-started; time.Sleep(20 * time.Millisecond); cancel() }()
	row := &schema.Request{API: new("openai-chat")}
	k := &keeper{}
	newClient(t, Options{}).Do(ctx, &Request{Method: "POST", URL: s.url, Header: http.Header{}}, false, row, k)
	chunks := k.chunks
	check(t, row, chunks)
	if *row.EndReason != "cancelled" || joined(chunks) != "data: 1\n\n" {
		t.Errorf("end %s, %q", *row.EndReason, joined(chunks))
	}
}

// What the recorder itself lacks is its own fault.
func TestOwnLimits(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request) { c.Write([]byte(head("Content-Length: 0"))) })
	row := &schema.Request{}
	newClient(t, Options{}).Do(context.Background(), &Request{Method: "POST", URL: s.url, Header: http.Header{"X": {"a\nb"}}}, false, row, &keeper{})
	if *row.EndReason != "limit" || s.requests.Load() != 0 || strings.Contains(*row.ErrorText, "a\nb") {
		t.Errorf("end %s: %s", *row.EndReason, *row.ErrorText)
	}
}

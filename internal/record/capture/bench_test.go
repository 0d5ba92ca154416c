package capture

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"aircheck/internal/record/journal"
	"aircheck/schema"
)

const benchFrame = "data: {\"id\":\"chatcmpl-0123456789\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word\"},\"finish_reason\":null}]}\n\n"

// benchServer answers with frames, each in a write and a chunk of its own, or
// all at once.
func benchServer(b *testing.B, frames int, apart bool) *rawServer {
	one := []byte(chunk(benchFrame))
	all := []byte(strings.Repeat(string(one), frames))
	return serve(b, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte(head(chunked)))
		if apart {
			for range frames {
				c.Write(one)
			}
		} else {
			c.Write(all)
		}
		c.Write([]byte("0\r\n\r\n"))
	})
}

// counter counts frames.
type counter int

func (c *counter) Head(*http.Response)    {}
func (c *counter) Frame(f *journal.Frame) { *c++ }

func benchCapture(b *testing.B, streams int, apart bool) {
	const frames = 1000
	s := benchServer(b, frames, apart)
	c := newClient(b, Options{Secrets: NewSecrets("sk-0123456789abcdef")})
	body := []byte(`{"stream":true}`)
	b.ReportAllocs()
	for b.Loop() {
		var wg sync.WaitGroup
		for range streams {
			wg.Go(func() {
				row := &schema.Request{}
				var got counter
				c.Do(context.Background(), &Request{Method: "POST", URL: s.url, Header: http.Header{}, Body: body}, false, row, &got)
				if got != frames {
					b.Errorf("%d frames: %v", got, row.ErrorText)
				}
			})
		}
		wg.Wait()
	}
	n := float64(b.N * streams * frames)
	b.ReportMetric(n/b.Elapsed().Seconds(), "frames/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/n, "ns/frame")
}

// Both ends of the loopback run in this process: the figures are for sender
// and recorder together.
func BenchmarkFramesApart(b *testing.B)          { benchCapture(b, 1, true) }
func BenchmarkFramesApart64Streams(b *testing.B) { benchCapture(b, 64, true) }
func BenchmarkFramesTogether(b *testing.B)       { benchCapture(b, 1, false) }

package capture

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// lateSink is a recorder that is busy: it takes its time over each frame.
type lateSink struct {
	keeper
	pause time.Duration
}

func (s *lateSink) Frame(f *journal.Frame) {
	s.keeper.Frame(f)
	time.Sleep(s.pause)
}

// However late the recorder reads, the kernel knows when the bytes came. What came
// together is bounded from both sides.
func TestKernelStampsWhenLate(t *testing.T) {
	clock := NewClock()
	const frames, gap = 12, 30 * time.Millisecond
	var mu sync.Mutex
	var sent []int64
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte(head(chunked)))
		for range frames {
			time.Sleep(gap)
			mu.Lock()
			sent = append(sent, clock.Now())
			mu.Unlock()
			c.Write([]byte(chunk("data: 1\n\n")))
		}
		c.Write([]byte("0\r\n\r\n"))
	})
	row := &schema.Request{API: new("openai-chat")}
	k := &lateSink{pause: 2 * gap}
	newClient(t, Options{Clock: clock}).Do(context.Background(), &Request{Method: "POST", URL: s.url, Header: http.Header{}, Body: []byte("{}")}, false, row, k)
	check(t, row, k.chunks)
	if len(k.chunks) != frames {
		t.Fatalf("%d frames", len(k.chunks))
	}
	mu.Lock()
	defer mu.Unlock()
	start := *row.StartedAtNs - clock.Wall(0)
	together := 0
	for i, c := range k.chunks {
		at := start + *c.TNs
		if c.Clock != "kernel" || at < sent[i] || *c.TReadNs < *c.TNs {
			t.Errorf("frame %d: %s %v, sent at %v", i, c.Clock, time.Duration(at), time.Duration(sent[i]))
		}
		if c.TLoNs == nil {
			// Alone in its read: the stamp is its own, whenever it was read.
			if next := i + 1; next < frames && at > sent[next] {
				t.Errorf("frame %d at %v, the next one was sent at %v", i, time.Duration(at), time.Duration(sent[next]))
			}
			continue
		}
		together++
		if lo := start + *c.TLoNs; lo > at {
			t.Errorf("frame %d came between %v and %v", i, time.Duration(lo), time.Duration(at))
		}
	}
	if together == 0 {
		t.Error("no two frames shared a read")
	}
}

// Bytes that lie in the socket when a bound runs out are ours to read; a provider
// that is silent is blamed.
func TestDrainBeforeBlame(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte(head(chunked)))
		for range 20 {
			c.Write([]byte(chunk("data: " + strings.Repeat("x", 1000) + "\n\n")))
			time.Sleep(5 * time.Millisecond)
		}
		c.Write([]byte("0\r\n\r\n"))
	})
	limits := Timeouts{Connect: 5 * time.Second, FirstByte: 5 * time.Second, Idle: 60 * time.Millisecond, Total: time.Minute}
	row := &schema.Request{API: new("openai-chat")}
	k := &lateSink{pause: 80 * time.Millisecond} // longer than the provider may be silent
	newClient(t, Options{Timeouts: limits}).Do(context.Background(), &Request{Method: "POST", URL: s.url, Header: http.Header{}, Body: []byte("{}")}, false, row, k)
	check(t, row, k.chunks)
	if *row.EndReason != "eof" || len(k.chunks) != 20 {
		t.Errorf("end %s after %d frames: %v", *row.EndReason, len(k.chunks), row.ErrorText)
	}
}

// The time for which the process did not run counts against nobody.
func TestStallIsTakenOff(t *testing.T) {
	clock := NewClock()
	clock.stall.beat = clock.Now()
	w, ctx := newWatch(context.Background(), clock, Timeouts{Idle: time.Second}, clock.Now())
	defer w.stop()
	w.connected(func() int { return 0 })
	w.received(clock.Now())
	// As if the process had been stopped for a minute, just after.
	clock.base = clock.base.Add(-time.Minute)
	w.look()
	if ctx.Err() != nil {
		t.Error("a provider is blamed for a stall of ours")
	}
	clock.stall.beat = clock.Now()
	clock.base = clock.base.Add(-100 * time.Millisecond)
	for range 20 { // time that passes while the process runs
		clock.base = clock.base.Add(-100 * time.Millisecond)
		w.look()
	}
	if timedOut(ctx) == nil {
		t.Error("a silent provider is not given up")
	}
}

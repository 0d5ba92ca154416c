package capture

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"aircheck/schema"
)

// The wall clock is stepped twice while a stream goes on, an hour on and two back:
// no time of a frame moves, the read at each step has no stamp, and a new epoch begins.
func TestStepsBendNothing(t *testing.T) {
	clock := NewClock()
	const frames = 30
	s := serve(t, func(c *net.TCPConn, r *http.Request) {
		c.Write([]byte(head(chunked)))
		for i := range frames {
			switch i {
			case 10:
				clock.stepped.Add(int64(time.Hour))
			case 20:
				clock.stepped.Add(-2 * int64(time.Hour))
			}
			c.Write([]byte(chunk("data: 1\n\n")))
			time.Sleep(3 * time.Millisecond)
		}
		c.Write([]byte("0\r\n\r\n"))
	})
	row := &schema.Request{API: new("openai-chat")}
	k := &keeper{}
	newClient(t, Options{Clock: clock}).Do(context.Background(), &Request{Method: "POST", URL: s.url, Header: http.Header{}, Body: []byte("{}")}, false, row, k)
	check(t, row, k.chunks)
	if len(k.chunks) != frames || *row.EndReason != "eof" {
		t.Fatalf("%d frames, %s", len(k.chunks), *row.EndReason)
	}
	kinds := map[string]int{}
	for i, f := range k.chunks {
		kinds[f.Clock]++
		if *f.TNs < 0 || *f.TNs > *row.EndNs || i > 0 && *f.TNs < *k.chunks[i-1].TNs {
			t.Errorf("frame %d at %v of %v", i, time.Duration(*f.TNs), time.Duration(*row.EndNs))
		}
	}
	if stampsHere() && (kinds["read"] == 0 || kinds["kernel"] < frames/2 || len(clock.Epochs()) != 3) {
		t.Errorf("clocks %v: the reads at the steps have no stamp, all others do", kinds)
	}
}

// stampsHere says whether this system stamps what it receives.
func stampsHere() bool {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return false
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return false
	}
	defer c.Close()
	return newReceiver(c, NewClock()) != nil
}

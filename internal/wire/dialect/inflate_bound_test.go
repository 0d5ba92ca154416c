package dialect

import (
	"bytes"
	"compress/gzip"
	"runtime"
	"strings"
	"testing"
)

// A small body that becomes a huge one is given up early, and said to be.
func TestBombIsBounded(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: "))
	zeros := make([]byte, 1<<20)
	for range 512 {
		z.Write(zeros)
	}
	z.Close()
	for _, piece := range []int{1 << 10, 32 << 10, packed.Len()} {
		d := New("openai-chat", Meta{ContentType: "text/event-stream", ContentEncoding: "gzip", Status: 200, Streamed: true})
		text, undecoded := "", ""
		take := func(e *Event) {
			text += string(e.Text)
			undecoded += e.Path
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for body := packed.Bytes(); len(body) > 0; {
			n := min(piece, len(body))
			d.Frame(body[:n], take)
			body = body[n:]
		}
		d.Close(take)
		runtime.ReadMemStats(&after)
		if text != "Hi" || !strings.Contains(undecoded, "when decompressed") {
			t.Errorf("pieces of %d: text %q, undecoded %q", piece, text, undecoded)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 300<<20 {
			t.Errorf("pieces of %d: %d MB were taken", piece, took>>20)
		}
	}
}

package build

import (
	"fmt"
	"testing"

	"aircheck/schema"
)

// clocked writes windows of one provider, whose first token came after ms and was
// read lag later. Stamps are the kernel's, or there are reads alone.
func (f *fixture) clocked(provider string, ms, lag int64, kernel bool) {
	for w := range 8 {
		for trial := range int64(3) {
			at := (ms + int64(w) + trial) * 1e6
			chunk := func(text string, after int64) schema.Chunk {
				t, clock := at+after*1e6, "kernel"
				read := t + lag*1e6
				if !kernel {
					t, clock = read, "read"
				}
				return schema.Chunk{ReadSeq: int32(after), TNs: &t, TReadNs: &read, Clock: clock, Complete: true, Raw: []byte("data: " + text + "\n\n")}
			}
			f.put(func(r *schema.Request) {
				r.Provider, r.Window = provider, new(fmt.Sprintf("w%02d", w))
			}, []schema.Chunk{
				chunk(`{"choices":[{"index":0,"delta":{"content":"word"}}]}`, 0),
				chunk(`{"choices":[{"index":0,"delta":{"content":" more"},"finish_reason":"stop"}]}`, 20),
			})
		}
	}
}

// A run of reads alone looks slower than one of the kernel's stamps by the
// recorder's lag. That much is no change, unless both are timed alike.
func TestCompareClocks(t *testing.T) {
	before, after := t.TempDir(), t.TempDir()
	f := newFixture(t, before, "b")
	f.clocked("same", 200, 90, true)
	f.clocked("slow", 200, 90, true)
	f.seal()
	f = newFixture(t, after, "a")
	f.clocked("same", 200, 80, false)
	f.clocked("slow", 600, 80, false)
	f.seal()
	o := CompareOptions{Metrics: []string{"ttft_ms"}}
	for _, c := range []struct {
		read bool
		want string
	}{
		{false, "same ttft_ms  undecided two clocks\nslow ttft_ms regression supported"},
		{true, "same ttft_ms unchanged supported\nslow ttft_ms regression supported"},
	} {
		got, err := CompareDatasets(t.Context(), Options{Dir: before, ReadClock: c.read}, Options{Dir: after, ReadClock: c.read}, o)
		if err != nil {
			t.Fatal(err)
		}
		if v := verdictsOf(got); v != c.want {
			t.Errorf("read clock %v:\n%s\nwant\n%s", c.read, v, c.want)
		}
	}
}

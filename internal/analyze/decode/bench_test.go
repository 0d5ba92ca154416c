package decode

import (
	"io"
	"path/filepath"
	"testing"

	"aircheck/internal/tools/bench"
	"aircheck/schema"
)

// processor reports processor time per operation, which holds on a busy machine.
func processor(b *testing.B) func() {
	start := bench.Processor()
	return func() { b.ReportMetric(float64((bench.Processor()-start).Nanoseconds())/float64(b.N), "cpu-ns/op") }
}

// BenchmarkDecode takes decoding apart: reading frames, decoding them, and
// writing events. One operation is one frame.
func BenchmarkDecode(b *testing.B) {
	dir := b.TempDir()
	if _, _, err := bench.Dataset(dir, 300_000, 1); err != nil {
		b.Fatal(err)
	}
	ds, err := schema.OpenDataset(dir)
	if err != nil {
		b.Fatal(err)
	}
	runs, err := ds.Runs()
	if err != nil {
		b.Fatal(err)
	}
	targets, err := targetsOf(ds, runs[0])
	if err != nil {
		b.Fatal(err)
	}
	groups, err := ds.ChunkGroupsOf(runs[0])
	if err != nil {
		b.Fatal(err)
	}
	buffers := &schema.Frames{}
	each := func(b *testing.B, f func(*schema.Frames) error) {
		defer processor(b)()
		for n := 0; n < b.N; {
			err := schema.EachFrames(b.Context(), groups, buffers, func(frames *schema.Frames) error {
				n += frames.Len()
				return f(frames)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	a := newAssembler()
	b.Run("read", func(b *testing.B) {
		each(b, func(f *schema.Frames) error { return f.EachRaw(func(int, []byte) error { return nil }) })
	})
	b.Run("read+decode", func(b *testing.B) {
		each(b, func(f *schema.Frames) error { a.reset(); return a.group(f, targets) })
	})
	b.Run("read+decode, events", func(b *testing.B) {
		w, err := storedTable.NewWriter(io.Discard, nil)
		if err != nil {
			b.Fatal(err)
		}
		a.keepEvents = true
		defer func() { a.keepEvents = false }()
		each(b, func(f *schema.Frames) error {
			a.reset()
			if err := a.group(f, targets); err != nil {
				return err
			}
			return a.events.write(w)
		})
	})
	b.Run("whole", func(b *testing.B) {
		defer processor(b)()
		for n := 0; n < b.N; n += int(runs[0].Chunks) {
			job := Job{Run: &Run{Dataset: ds, Run: runs[0]}, Dir: filepath.Join(b.TempDir(), "out")}
			if err := Do(b.Context(), []Job{job}, 1, func(Job, error) {}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

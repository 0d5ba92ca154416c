package journal

import (
	"context"
	"crypto/sha256"
	"hash"
	"math/rand/v2"
	"testing"

	"aircheck/schema"
)

// What is written can be read, whatever the sizes of frames and bodies: those near
// the bounds of pages, pieces, row groups and reads of the journal, and the largest
// that the recorder lets pass.
func TestSizesCanBeRead(t *testing.T) {
	const page, held, load, group = 1 << 20, 64 << 10, 8 << 20, schema.GroupBytes
	// Frames of each request.
	cases := [][]int{
		{0}, {1}, {0, 1, 0},
		{held - 1}, {held}, {held + 1},
		{page - 1}, {page}, {page + 1}, {page - 1, 1, page, 2},
		{load - 1}, {load + 1, 3},
		{group - 1}, {group}, {group + 1, 5},
		{group, group}, {group, group, 1}, // more than is in memory at once
		{1, group - 7, 2, group - 9, 3},
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range 6 {
		var frames []int
		for range 1 + rng.IntN(4) {
			bound := []int{held, page, load}[rng.IntN(3)]
			frames = append(frames, max(bound+rng.IntN(200)-100, 0))
		}
		cases = append(cases, frames)
	}
	dir := t.TempDir()
	j, err := Create(dir, testRun("r"), Options{RollBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	want := map[int64][32]byte{}
	sizes := map[int64][]int{}
	buf := make([]byte, group+1)
	for i := range buf {
		buf[i] = byte(i>>8) ^ byte(i*7)
	}
	for i, frames := range cases {
		id := int64(i + 1)
		row := begun(id)
		j.Begin(row)
		row.HTTPStatus = new(int32(200))
		j.Row(row)
		sum := sha256.New()
		var total int64
		for k, n := range frames {
			raw := buf[:n]
			sum.Write(raw)
			total += int64(n)
			at := int64(k) * 1000
			for len(raw) > held { // as the recorder hands on what is large
				j.Frame(id, &Frame{Read: int32(k), At: at, ReadAt: at, More: true, Raw: raw[:held]})
				raw = raw[held:]
			}
			j.Frame(id, &Frame{Read: int32(k), At: at, ReadAt: at, Complete: true, Raw: raw})
		}
		row.BytesReceived, row.EndReason, row.EndNs = &total, new("eof"), new(int64(1e9))
		j.End(row)
		want[id], sizes[id] = [32]byte(sum.Sum(nil)), frames
	}
	if err := j.Seal(testRun("r")); err != nil {
		t.Fatal(err)
	}
	d := &schema.Dataset{Dir: dir}
	runs, err := d.Runs()
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	groups, err := d.ChunkGroupsOf(runs[0])
	if err != nil {
		t.Fatal(err)
	}
	sums, seen := map[int64]hash.Hash{}, map[int64]int{}
	err = schema.EachFrames(context.Background(), groups, nil, func(f *schema.Frames) error {
		return f.EachRaw(func(i int, raw []byte) error {
			id := f.RequestID[i]
			if sums[id] == nil {
				sums[id] = sha256.New()
			}
			if n := seen[id]; n >= len(sizes[id]) || len(raw) != sizes[id][n] {
				t.Errorf("request %d, frame %d has %d bytes of %v", id, n, len(raw), sizes[id])
			}
			seen[id]++
			sums[id].Write(raw)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, sum := range want {
		if sums[id] == nil || [32]byte(sums[id].Sum(nil)) != sum {
			t.Errorf("request %d of frames %v does not come back", id, sizes[id])
		}
	}
}

package schema

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// damagedSet is a data set whose files of chunks and requests are as given, and
// whose record vouches for them.
func damagedSet(t testing.TB, requests, chunks []byte, rows int64) string {
	dir := t.TempDir()
	run := &Run{RunID: "r", Name: "r", Origin: "recorded", SchemaVersion: Version, Requests: 1, Chunks: rows}
	for _, f := range []struct {
		table string
		data  []byte
		rows  int64
	}{{"requests", requests, 1}, {"chunks", chunks, rows}} {
		folder := filepath.Join(dir, f.table, "run=r")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "part-0.parquet"), f.data, 0o644); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(f.data)
		run.Files = append(run.Files, File{Path: f.table + "/run=r/part-0.parquet", Rows: f.rows, Bytes: int64(len(f.data)), SHA256: hex.EncodeToString(sum[:])})
	}
	if err := run.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Whatever lies in a data set's files, readers say what is wrong and end: they do
// not panic, and take no memory that the file merely claims.
func FuzzReader(f *testing.F) {
	dir := f.TempDir()
	w, err := Create(dir, "r")
	if err != nil {
		f.Fatal(err)
	}
	w.Begin(1)
	var chunks []Chunk
	for i := range 40 {
		at := int64(i) * 1000
		chunks = append(chunks, Chunk{ReadSeq: int32(i), TNs: &at, TReadNs: &at, Clock: "read", Complete: true, Raw: []byte(fmt.Sprintf("data: {\"n\":%d}\n\n", i))})
	}
	if err := w.Write(&Request{RequestID: 1, Provider: "p", Model: "m", Phase: "measure", Origin: "recorded", Detail: "chunks", Attempt: 1}, chunks); err != nil {
		f.Fatal(err)
	}
	run := &Run{Name: "r", Origin: "recorded"}
	if err := w.Seal(run); err != nil {
		f.Fatal(err)
	}
	files := map[string][]byte{}
	for _, file := range run.Files {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file.Path)))
		if err != nil {
			f.Fatal(err)
		}
		files[filepath.Dir(filepath.Dir(file.Path))] = data
	}
	f.Add(uint32(100), byte(0xff), uint32(200), byte(1))
	n := uint32(len(files["chunks"]))
	f.Add(n-9, byte(7), n-30, byte(0x80)) // the footer
	f.Add(n-60, byte(0x3c), n/2, byte(0xaa))
	f.Fuzz(func(t *testing.T, at uint32, with byte, at2 uint32, with2 byte) {
		damage := func(data []byte) []byte {
			out := append([]byte(nil), data...)
			out[int(at)%len(out)] ^= with
			out[int(at2)%len(out)] ^= with2
			return out
		}
		for _, dir := range []string{damagedSet(t, files["requests"], damage(files["chunks"]), 40), damagedSet(t, damage(files["requests"]), files["chunks"], 40)} {
			if _, err := Verify(context.Background(), dir); err != nil {
				continue
			}
			d := &Dataset{Dir: dir}
			runs, err := d.Runs()
			if err != nil || len(runs) != 1 {
				t.Fatalf("%d runs, %v", len(runs), err)
			}
			d.EachRequest(runs[0], func(*Request) error { return nil })
			if groups, err := d.ChunkGroupsOf(runs[0]); err == nil {
				EachFrames(context.Background(), groups, nil, func(f *Frames) error {
					return f.EachRaw(func(int, []byte) error { return nil })
				})
			}
		}
	})
}

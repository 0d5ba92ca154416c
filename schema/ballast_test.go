package schema

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A limit on the size of files stands for a disk that is full. What was handed
// over before is sealed, out of order or not; what did not fit is no row.
func TestFullDiskKeepsWhatItHas(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, "r")
	if err != nil {
		t.Fatal(err)
	}
	w.Reserve(4096)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Skip(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 256 << 10, Max: old.Max}); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)
	hand := func(id int64, size int) error {
		r := filled(id)
		r.BytesReceived = new(int64(size))
		return w.Write(r, []Chunk{{Clock: "read", Complete: true, Raw: bytes.Repeat([]byte("x"), size)}})
	}
	for id := range int64(4) {
		w.Begin(id)
	}
	for _, c := range []struct {
		id   int64
		size int
		kept bool
	}{{0, 100, true}, {3, 1000, true}, {2, 1 << 20, false}, {1, 10, false}} {
		err := hand(c.id, c.size)
		var full *FullError
		if c.kept != (err == nil) || err != nil && (!errors.As(err, &full) || full.Error() != "file too large") {
			t.Errorf("request %d: %v", c.id, err)
		}
	}
	run := &Run{}
	if err := w.Seal(run); err != nil {
		t.Fatal(err)
	}
	if faults, err := Verify(context.Background(), dir); err != nil || len(faults) > 0 || run.Requests != 2 || run.Chunks != 2 {
		t.Errorf("%d requests, %d chunks: %v %v", run.Requests, run.Chunks, faults, err)
	}
}

// A write that finds no room takes that of the ballast, once.
func TestBallastIsThrownOff(t *testing.T) {
	b := newBallast(filepath.Join(t.TempDir(), "journal", "ballast"))
	if err := b.grow(100_000); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(b.path); err != nil || info.Size() != 100_000 {
		t.Fatal(info, err)
	}
	var disk strings.Builder
	out := laden{writerFunc(func(p []byte) (int, error) {
		if _, err := os.Stat(b.path); err == nil && disk.Len()+len(p) > 4 {
			n, _ := disk.Write(p[:4-disk.Len()])
			return n, &os.PathError{Op: "write", Err: syscall.ENOSPC}
		}
		return disk.Write(p)
	}), b}
	for _, text := range []string{"abc", "defg", "h"} {
		if n, err := out.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%s: %d bytes, %v", text, n, err)
		}
	}
	if disk.String() != "abcdefgh" {
		t.Errorf("on the disk is %q", disk.String())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// The room kept for a footer is enough for it.
func TestFooterFits(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(dir, "r")
	if err != nil {
		t.Fatal(err)
	}
	w.Begin(1)
	q := filled(1)
	q.RequestBody, q.ResponseHeaders = new(strings.Repeat("b", 4000)), new(strings.Repeat("h", 2000))
	if err := w.Write(q, nil); err != nil {
		t.Fatal(err)
	}
	run := &Run{}
	if err := w.Seal(run); err != nil {
		t.Fatal(err)
	}
	var total int64
	for _, f := range run.Files {
		total += f.Bytes
	}
	if room := requestSize(q) + FooterBytes; total > room {
		t.Errorf("files of one row have %d bytes, %d were kept", total, room)
	}
}

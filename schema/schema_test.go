package schema

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// filled is a request with every column set, by reflection, so that a column
// added later is covered without a word here.
func filled(id int64) *Request {
	r := &Request{}
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		set(v.Field(i), int64(i)+id)
	}
	r.RequestID = id
	return r
}

func set(f reflect.Value, n int64) {
	switch f.Kind() {
	case reflect.Pointer:
		p := reflect.New(f.Type().Elem())
		set(p.Elem(), n)
		f.Set(p)
	case reflect.String:
		f.SetString(fmt.Sprint("text ", n))
	case reflect.Int32, reflect.Int64:
		f.SetInt(n)
	case reflect.Float64:
		f.SetFloat(float64(n) / 3)
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Slice:
		f.Set(reflect.ValueOf([]int64{n, n + 1}))
	}
}

// response makes n frames; every eleventh byte is no UTF-8.
func response(r *rand.Rand, n int) ([]Chunk, *int64) {
	var total int64
	chunks := make([]Chunk, n)
	for i := range chunks {
		raw := make([]byte, 1+r.IntN(300))
		for j := range raw {
			raw[j] = byte(r.UintN(256))
		}
		t := int64(i) * 1000
		chunks[i] = Chunk{ReadSeq: int32(i / 2), TNs: &t, TReadNs: &t, Clock: "read", Complete: i < n-1, Raw: raw}
		if i%2 == 1 {
			chunks[i].TLoNs = new(t - 500)
		}
		total += int64(len(raw))
	}
	return chunks, &total
}

func write(t *testing.T, dir string, n int) (requests []*Request, bodies map[int64][]Chunk) {
	t.Helper()
	w, err := Create(dir, "20260102t030405z-abc123")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	bodies = map[int64][]Chunk{}
	for i := range n {
		q := filled(int64(1000 + i))
		chunks, total := response(r, r.IntN(200))
		q.BytesReceived = total
		w.Begin(q.RequestID)
		requests = append(requests, q)
		bodies[q.RequestID] = chunks
	}
	// Requests end in any order, from many goroutines.
	var wg sync.WaitGroup
	for _, i := range r.Perm(n) {
		wg.Go(func() {
			if err := w.Write(requests[i], bodies[requests[i].RequestID]); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if err := w.Seal(&Run{Name: "test", Origin: "recorded"}); err != nil {
		t.Fatal(err)
	}
	return requests, bodies
}

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b] c") // a path that is no pattern
	requests, bodies := write(t, dir, 1500)
	d, err := OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs()
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	i := 0
	err = d.EachRequest(runs[0], func(got *Request) error {
		if !reflect.DeepEqual(got, requests[i]) {
			t.Errorf("request %d:\n got %+v\nwant %+v", i, got, requests[i])
		}
		i++
		return nil
	})
	if err != nil || i != len(requests) {
		t.Fatalf("%d requests back of %d, %v", i, len(requests), err)
	}
	n := 0
	err = d.EachResponse(context.Background(), runs[0], func(id int64, frames []Chunk) error {
		if !reflect.DeepEqual(frames, bodies[id]) {
			t.Errorf("frames of request %d differ", id)
		}
		n += len(frames)
		return nil
	})
	if err != nil || int64(n) != runs[0].Chunks || n < 100_000 {
		t.Fatalf("%d frames back of %d, %v", n, runs[0].Chunks, err)
	}
	var groups atomic.Int32
	err = d.ChunkGroups(context.Background(), runs[0], 4, func(int, []Chunk) error { groups.Add(1); return nil }, "request_id")
	if err != nil || groups.Load() < 2 {
		t.Errorf("%d row groups, %v: long runs must be cut", groups.Load(), err)
	}
	if faults, err := Verify(context.Background(), dir); err != nil || len(faults) > 0 {
		t.Errorf("a fresh dataset has faults: %v %v", faults, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal")); !os.IsNotExist(err) {
		t.Error("the journal was left behind")
	}
}

func TestVerifyFindsDamage(t *testing.T) {
	const run = "20260102t030405z-abc123"
	for name, c := range map[string]struct {
		damage func(dir string) error
		want   string
	}{
		"flipped byte": {func(dir string) error {
			p := filepath.Join(dir, "chunks", "run="+run, "part-0.parquet")
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			b[len(b)/2] ^= 1
			return os.WriteFile(p, b, 0o644)
		}, "checksum"},
		"cut file": {func(dir string) error {
			return os.Truncate(filepath.Join(dir, "requests", "run="+run, "part-0.parquet"), 100)
		}, "100 bytes"},
		"missing file": {func(dir string) error {
			return os.Remove(filepath.Join(dir, "requests", "run="+run, "part-0.parquet"))
		}, "missing"},
		"orphan": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "chunks", "run="+run, "part-1.parquet"), nil, 0o644)
		}, "belongs to no sealed run"},
		"unsealed": {func(dir string) error {
			os.MkdirAll(filepath.Join(dir, "journal", "x"), 0o755)
			return os.WriteFile(filepath.Join(dir, "journal", "x", "chunks.parquet.tmp"), nil, 0o644)
		}, "not sealed"},
		"no record": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "runs", "x.json"), []byte("{"), 0o644)
		}, "not a run record"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, 20)
			if err := c.damage(dir); err != nil {
				t.Fatal(err)
			}
			faults, err := Verify(context.Background(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if len(faults) != 1 || !strings.Contains(faults[0].String(), c.want) {
				t.Errorf("faults %v, want one that says %q", faults, c.want)
			}
		})
	}
}

func TestVerifyFindsFaultsOfFrames(t *testing.T) {
	for want, edit := range map[string]func(q *Request, chunks []Chunk){
		"bytes of the":           func(q *Request, _ []Chunk) { *q.BytesReceived++ },
		"came in read -1":        func(_ *Request, chunks []Chunk) { chunks[0].ReadSeq = -1 },
		"came in an earlier":     func(_ *Request, chunks []Chunk) { chunks[8].ReadSeq = 0 },
		"time runs backwards":    func(_ *Request, chunks []Chunk) { chunks[8].TReadNs = new(*chunks[7].TReadNs - 1) },
		"incomplete, yet others": func(_ *Request, chunks []Chunk) { chunks[3].Complete = false },
	} {
		dir := t.TempDir()
		w, err := Create(dir, "r")
		if err != nil {
			t.Fatal(err)
		}
		chunks, total := response(rand.New(rand.NewPCG(1, 1)), 9)
		q := filled(5)
		q.BytesReceived = total
		edit(q, chunks)
		w.Begin(5)
		if err := w.Write(q, chunks); err != nil {
			t.Fatal(err)
		}
		if err := w.Seal(&Run{}); err != nil {
			t.Fatal(err)
		}
		faults, err := Verify(context.Background(), dir)
		if err != nil || len(faults) != 1 || !strings.Contains(faults[0].What, want) {
			t.Errorf("faults %v, %v; want one that says %q", faults, err, want)
		}
	}
}

func TestAbortAndFailedSealLeaveNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	for _, end := range []func(*Writer){
		(*Writer).Abort,
		func(w *Writer) {
			w.Begin(9)
			if err := w.Seal(&Run{}); err == nil {
				t.Error("sealed with a request still open")
			}
		},
	} {
		w, err := Create(dir, "r")
		if err != nil {
			t.Fatal(err)
		}
		w.Begin(5)
		if err := w.Write(filled(5), nil); err != nil {
			t.Fatal(err)
		}
		end(w)
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("something was left in %s", dir)
		}
	}
}

func TestFileWhereTheDatasetShouldBeIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "traces")
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := Create(path, "r")
	if err == nil {
		w.Begin(5)
		err = w.Write(filled(5), nil)
		w.Abort()
	}
	if err == nil {
		t.Error("a run was written into a file")
	}
	if got, _ := os.ReadFile(path); string(got) != "mine" {
		t.Errorf("the file is gone: %q", got)
	}
}

func TestRunWithoutRequests(t *testing.T) {
	dir := t.TempDir()
	w, _ := Create(dir, "r")
	if err := w.Seal(&Run{Name: "empty"}); err != nil {
		t.Fatal(err)
	}
	if faults, err := Verify(context.Background(), dir); err != nil || len(faults) > 0 {
		t.Errorf("%v %v", faults, err)
	}
	if _, err := Create(dir, "r"); err == nil {
		t.Error("a run id was used twice")
	}
}

func TestIDs(t *testing.T) {
	now := time.Date(2058, 1, 1, 0, 0, 0, 0, time.UTC)
	ids := []*IDs{{recorder: 1}, {recorder: 1<<recorderBits - 1}}
	seen := map[int64]bool{}
	for _, of := range ids {
		last := int64(0)
		// Many at once, and a clock that is stepped backwards.
		for i := range 1000 {
			id := of.Next(now.Add(-time.Duration(i) * time.Hour))
			if id <= last || id >= 1<<53 || seen[id] {
				t.Fatalf("id %d after %d: want new ones, rising, below 2^53", id, last)
			}
			last, seen[id] = id, true
		}
	}
	if a, b := ids[1].Next(now.Add(time.Minute)), ids[0].Next(now.Add(time.Minute+time.Millisecond)); a >= b {
		t.Errorf("ids %d, %d do not sort by time", a, b)
	}
	drawn := map[int64]bool{}
	for range 100 {
		drawn[NewIDs().recorder] = true
	}
	if len(drawn) < 90 {
		t.Errorf("%d different numbers of 100 recorders", len(drawn))
	}
	early, late := NewRunID(now), NewRunID(now.Add(time.Second))
	if early >= late {
		t.Errorf("run ids %s, %s do not sort by time", early, late)
	}
}

func TestColumnsAreDocumented(t *testing.T) {
	for _, c := range append(Requests.Columns(), Chunks.Columns()...) {
		if c.Doc == "" {
			t.Errorf("column %s has no doc", c.Name)
		}
		if bytes.HasSuffix([]byte(c.Name), []byte("_ns")) && c.Unit != "ns" {
			t.Errorf("column %s has unit %q", c.Name, c.Unit)
		}
	}
}

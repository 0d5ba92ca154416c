package journal

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"aircheck/schema"
)

// sent is what was handed to a journal, by request.
type sent struct {
	mu     sync.Mutex
	frames map[int64][]Frame // whole ones
	ended  map[int64]bool
}

func newSent() *sent { return &sent{frames: map[int64][]Frame{}, ended: map[int64]bool{}} }

func begun(id int64) *schema.Request {
	return &schema.Request{RequestID: id, OrderIndex: int32(id), Attempt: 1, Provider: "p", Model: "m", Phase: "measure", Origin: "recorded", Detail: "chunks",
		RequestBody: new(fmt.Sprintf(`{"n":%d}`, id)), StartedAtNs: new(int64(1e18) + id)}
}

// stream writes a request with n frames of up to size bytes, now and then in
// pieces, and ends it unless told otherwise.
func (s *sent) stream(j *Journal, id int64, n, size int, end bool) {
	rng := rand.New(rand.NewPCG(1, uint64(id)))
	row := begun(id)
	j.Begin(row)
	row.HTTPStatus = new(int32(200))
	j.Row(row)
	var bytes int64
	var f Frame
	for i := range n {
		raw := make([]byte, 1+rng.IntN(size))
		for k := range raw {
			raw[k] = byte(rng.UintN(256))
		}
		f.Clock = schema.Clock(rng.IntN(2))
		if i == 0 || rng.IntN(2) == 0 { // a read of its own
			f.Read++
			f.At = f.ReadAt + int64(rng.IntN(1000))
			f.ReadAt = f.At + int64(rng.IntN(1000))
		}
		f.Lo = f.At - int64(rng.IntN(500))
		f.Complete = i < n-1
		f.Raw = raw
		bytes += int64(len(raw))
		s.mu.Lock()
		s.frames[id] = append(s.frames[id], f)
		s.mu.Unlock()
		for cut := rng.IntN(len(raw) + 1); rng.IntN(4) == 0 && len(f.Raw) > 0; cut = rng.IntN(len(f.Raw) + 1) {
			piece := f
			piece.Raw, piece.More = f.Raw[:cut], true
			j.Frame(id, &piece)
			f.Raw = f.Raw[cut:]
		}
		j.Frame(id, &f)
	}
	if end {
		row.BytesReceived, row.EndReason, row.EndNs = &bytes, new("eof"), new(f.ReadAt)
		j.End(row)
		s.mu.Lock()
		s.ended[id] = true
		s.mu.Unlock()
	}
}

func testRun(id string) *schema.Run {
	return &schema.Run{RunID: id, Name: "test", Origin: "recorded", Tool: "test", StartedAtNs: 1}
}

// check reads the only run of a dataset and compares it with what was sent: each
// request has a prefix of its frames, all of them if it ended.
func (s *sent) check(t *testing.T, dir string, whole bool) (requests, frames int) {
	t.Helper()
	if faults, err := schema.Verify(context.Background(), dir); err != nil || len(faults) > 0 {
		t.Fatalf("verify: %v %v", faults, err)
	}
	d := &schema.Dataset{Dir: dir}
	runs, err := d.Runs()
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	rows := map[int64]*schema.Request{}
	err = d.EachRequest(runs[0], func(r *schema.Request) error {
		if rows[r.RequestID] != nil {
			t.Errorf("request %d twice", r.RequestID)
		}
		rows[r.RequestID] = new(*r)
		if s.frames[r.RequestID] == nil || r.RequestBody == nil || *r.RequestBody != *begun(r.RequestID).RequestBody {
			t.Errorf("request %d: not as it was sent: %+v", r.RequestID, r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[int64]int{}
	err = d.EachResponse(context.Background(), runs[0], func(id int64, chunks []schema.Chunk) error {
		want := s.frames[id]
		if got[id] > 0 || len(chunks) > len(want) {
			t.Errorf("request %d: %d frames of %d, after %d", id, len(chunks), len(want), got[id])
			return nil
		}
		got[id] = len(chunks)
		for i, c := range chunks {
			w := want[i]
			last := i == len(chunks)-1
			// The pieces of a frame whose end is lost are an incomplete frame.
			if last && !c.Complete && bytes.HasPrefix(w.Raw, c.Raw) {
				continue
			}
			shared := i > 0 && want[i-1].Read == w.Read || !last && want[i+1].Read == w.Read
			if !bytes.Equal(c.Raw, w.Raw) || *c.TNs != w.At || *c.TReadNs != w.ReadAt || c.Clock != w.Clock.String() || c.Complete != w.Complete ||
				c.ReadSeq != w.Read || (c.TLoNs != nil) != shared || shared && *c.TLoNs != w.Lo {
				t.Errorf("request %d, frame %d: got %+v, want %+v", id, i, c, w)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, r := range rows {
		frames += got[id]
		ended := *r.EndReason == "eof"
		if ended && got[id] != len(s.frames[id]) || ended != (r.EndNs != nil) || ended != (r.ErrorText == nil) {
			t.Errorf("request %d: %d of %d frames, ended %v", id, got[id], len(s.frames[id]), *r.EndReason)
		}
		if whole && (ended != s.ended[id] || got[id] != len(s.frames[id])) {
			t.Errorf("request %d: %d of %d frames, %s, ended %v", id, got[id], len(s.frames[id]), *r.EndReason, s.ended[id])
		}
	}
	if whole && len(rows) != len(s.frames) {
		t.Errorf("%d requests of %d", len(rows), len(s.frames))
	}
	return len(rows), frames
}

// What goes in comes out, through many files and parts, sealed at the end or
// recovered.
func TestRoundTrip(t *testing.T) {
	for name, c := range map[string]struct {
		roll    int64
		recover bool
	}{"sealed": {0, false}, "rolled": {300 << 10, false}, "recovered": {0, true}, "rolled and recovered": {300 << 10, true}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			j, err := Create(dir, testRun("r"), Options{RollBytes: c.roll})
			if err != nil {
				t.Fatal(err)
			}
			s := newSent()
			var wg sync.WaitGroup
			for w := range 8 {
				wg.Go(func() {
					for i := range 40 {
						id := int64(1 + w + 8*i)
						s.stream(j, id, rand.IntN(60), 400, i < 39 || w%2 == 0)
						if i%10 == 0 {
							j.Flush()
						}
					}
				})
			}
			wg.Wait()
			for id := int64(1); id <= 320; id++ {
				if s.frames[id] == nil {
					s.frames[id] = []Frame{}
				}
			}
			if c.recover {
				j.Note("a note")
				if err := j.Close(); err != nil {
					t.Fatal(err)
				}
				got, err := Recover(dir, nil)
				if err != nil || len(got) != 1 || got[0].Run == nil || got[0].Open != 4 || !slices.Contains(got[0].Run.Notes, "a note") || !got[0].Run.Interrupted {
					t.Fatalf("%+v, %v", got, err)
				}
			} else if err := j.Seal(testRun("r")); err != nil {
				t.Fatal(err)
			}
			s.check(t, dir, true)
			if _, err := os.Stat(filepath.Join(dir, "journal")); !os.IsNotExist(err) {
				t.Error("a journal is left")
			}
			run, err := schema.ReadRun(dir, "r")
			if err != nil || run.State != "" || (c.roll > 0) != (len(run.Files) > 2) {
				t.Errorf("%+v, %v", run, err)
			}
		})
	}
}

// A part that is sealed while the run goes on is a run that can be read, and is
// not sealed again.
func TestRollWhileRecording(t *testing.T) {
	dir := t.TempDir()
	j, err := Create(dir, testRun("r"), Options{RollBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	s := newSent()
	s.stream(j, 1, 100, 1000, false) // stays open
	var run *schema.Run
	for id := int64(2); run == nil; id++ {
		s.stream(j, id, 100, 1000, true)
		j.Flush()
		if run, err = schema.ReadRun(dir, "r"); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if run.State != schema.StateOpen || run.Requests == 0 || len(run.Files) < 2 {
		t.Errorf("%+v", run)
	}
	if found, err := Find(dir); err != nil || len(found) != 1 || found[0].State != Recording {
		t.Errorf("%+v, %v", found, err)
	}
	if got, err := Recover(dir, nil); err != nil || len(got) != 1 || got[0].State != Recording {
		t.Errorf("recovered a run that is recording: %+v, %v", got, err)
	}
	if _, err := Create(dir, testRun("r"), Options{}); err == nil {
		t.Error("two journals of one run")
	}
	if err := j.Seal(testRun("r")); err != nil {
		t.Fatal(err)
	}
	s.check(t, dir, true)
}

// Wherever a journal ends, and whichever bit of it is wrong, what comes back is
// true: each request with a prefix of its frames, and those that ended before
// whole.
func TestDamage(t *testing.T) {
	src := t.TempDir()
	j, err := Create(src, testRun("r"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newSent()
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := range 4 {
				s.stream(j, int64(1+w+3*i), 12, 90, i < 3)
				j.Flush()
			}
		})
	}
	wg.Wait()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := files(Folder(src, "r"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	try := func(n int, data []byte) (requests, frames int) {
		t.Helper()
		dir := filepath.Join(base, fmt.Sprint(n))
		folder := Folder(dir, "r")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(names[0])), data, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Recover(dir, nil)
		if err != nil || len(got) != 1 {
			t.Fatalf("%d: %+v, %v", n, got, err)
		}
		if got[0].Run != nil {
			requests, frames = s.check(t, dir, false)
		}
		os.RemoveAll(dir)
		return requests, frames
	}
	_, all := try(-1, data)
	for n := range 15 {
		try(n, data[:rand.IntN(len(data))])
		try(n, flipped(data))
	}
	// Every end, and many bits, without writing Parquet each time.
	last := 0
	for n := range data {
		frames := s.scanned(t, base, filepath.Base(names[0]), data[:n])
		if frames < last || frames > all {
			t.Errorf("%d frames of the first %d bytes, %d of fewer", frames, n, last)
		}
		last = frames
	}
	lost := 0
	for range 2000 {
		if s.scanned(t, base, filepath.Base(names[0]), flipped(data)) < all {
			lost++
		}
	}
	if lost == 0 {
		t.Error("no flipped bit was noticed")
	}
	// A tail of zeros, as a file system may leave.
	if _, frames := try(0, append(bytes.Clone(data), make([]byte, 5000)...)); frames != all {
		t.Errorf("%d frames of %d before zeros", frames, all)
	}
}

func flipped(data []byte) []byte {
	bad := bytes.Clone(data)
	bad[rand.IntN(len(bad))] ^= 1 << rand.IntN(8)
	return bad
}

// scanned counts the frames that a damaged file gives, each of which must be the
// one that was sent in its place.
func (s *sent) scanned(t *testing.T, scratch, name string, data []byte) (frames int) {
	t.Helper()
	path := filepath.Join(scratch, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	x, err := scan([]string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	ids, extents := x.order(func(*request) bool { return true })
	l := newLoader(x)
	for _, i := range ids {
		want := s.frames[x.requests[i].id]
		n := 0
		l.each(extents(i), func(got []loaded) bool {
			for k := range got {
				if n >= len(want) || !bytes.Equal(got[k].Raw, want[n].Raw) && (k < len(got)-1 || !bytes.HasPrefix(want[n].Raw, got[k].Raw)) {
					t.Fatalf("request %d, frame %d is not what was sent", x.requests[i].id, n)
				}
				n++
			}
			return true
		})
		if l.err != nil || x.requests[i].ended && !x.requests[i].broken && n < len(want) {
			t.Fatalf("request %d: %d of %d frames, %v", x.requests[i].id, n, len(want), l.err)
		}
		frames += n
	}
	return frames
}

// A folder that goes away is noticed.
func TestFolderGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	failed := make(chan error, 1)
	j, err := Create(dir, testRun("r"), Options{Failed: func(err error) { failed <- err }})
	if err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(dir)
	select {
	case err := <-failed:
		t.Log(err)
	case <-time.After(30 * time.Second):
		t.Error("not noticed")
	}
	j.Abort()
}

// A response larger than memory should hold is sealed in pieces.
func TestLargeResponse(t *testing.T) {
	dir := t.TempDir()
	j, err := Create(dir, testRun("r"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newSent()
	s.stream(j, 1, 50, 400, true)
	s.stream(j, 2, 700, 200_000, true) // 70 MB
	s.stream(j, 3, 200_000, 20, true)
	s.stream(j, 4, 50, 400, true)
	if err := j.Seal(testRun("r")); err != nil {
		t.Fatal(err)
	}
	if requests, frames := s.check(t, dir, true); requests != 4 || frames != 200_800 {
		t.Errorf("%d requests, %d frames", requests, frames)
	}
}

// A response larger than memory should hold is masked in stretches that overlap, so
// that each two neighbouring frames are seen together, and the last call says so.
func TestLargeResponseIsMasked(t *testing.T) {
	dir := t.TempDir()
	seen, last := map[string]bool{}, map[int64]bool{}
	mask := func(row *schema.Request, frames [][]byte, more bool) {
		for i, raw := range frames {
			if seen[string(raw[:16])] = true; i > 0 {
				seen[string(frames[i-1][:16])+string(raw[:16])] = true
			}
			raw[len(raw)-1] = '*'
		}
		if last[row.RequestID] {
			t.Errorf("request %d goes on after its end", row.RequestID)
		}
		last[row.RequestID] = !more
	}
	j, err := Create(dir, testRun("r"), Options{Mask: mask})
	if err != nil {
		t.Fatal(err)
	}
	name := func(id int64, i int) string { return fmt.Sprintf("%07d:%07d\n", id, i) }
	for _, r := range []struct {
		id          int64
		frames, len int
	}{{1, 50, 400}, {2, 700, 100_000}, {3, 50, 400}} { // the second has 70 MB
		row := begun(r.id)
		j.Begin(row)
		row.HTTPStatus = new(int32(200))
		j.Row(row)
		for i := range r.frames {
			raw := append([]byte(name(r.id, i)), bytes.Repeat([]byte{'x'}, r.len-16)...)
			j.Frame(r.id, &Frame{At: int64(i), ReadAt: int64(i), Lo: int64(i), Complete: true, Raw: raw})
		}
		row.BytesReceived, row.EndReason, row.EndNs = new(int64(r.frames*r.len)), new("eof"), new(int64(r.frames))
		j.End(row)
	}
	if err := j.Seal(testRun("r")); err != nil {
		t.Fatal(err)
	}
	for i := range 700 {
		if !seen[name(2, i)] || i > 0 && !seen[name(2, i-1)+name(2, i)] {
			t.Fatalf("frame %d was not masked, or not beside the one before", i)
		}
	}
	if !last[1] || !last[2] || !last[3] {
		t.Errorf("ends: %v", last)
	}
	d := &schema.Dataset{Dir: dir}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	err = d.EachResponse(t.Context(), runs[0], func(id int64, chunks []schema.Chunk) error {
		for i, c := range chunks {
			if frames++; string(c.Raw[:16]) != name(id, i) || c.Raw[len(c.Raw)-1] != '*' {
				return fmt.Errorf("frame %d of request %d is %q… and ends with %q", i, id, c.Raw[:16], c.Raw[len(c.Raw)-1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if frames != 800 {
		t.Errorf("%d frames", frames)
	}
}

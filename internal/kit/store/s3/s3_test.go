package s3_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"aircheck/internal/kit/store"
	"aircheck/internal/kit/store/s3"
	"aircheck/internal/kit/store/s3/s3test"
)

func opened(t *testing.T, address string) *s3.Store {
	t.Helper()
	s, err := s3.Open(address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Objects are read whole through whatever services do, and put once by one of
// several writers.
func TestFaultsOfTheService(t *testing.T) {
	g := s3test.Start(t)
	want := make([]byte, 20<<20+17)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range want {
		want[i] = byte(r.UintN(256))
	}
	from := filepath.Join(t.TempDir(), "from")
	if err := os.WriteFile(from, want, 0o644); err != nil {
		t.Fatal(err)
	}
	var put atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		s := opened(t, "s3://traces/a/b")
		wg.Go(func() {
			ok, err := s.PutIfAbsent("runs/x", from)
			if err != nil {
				t.Error(err)
			}
			if ok {
				put.Add(1)
			}
		})
	}
	wg.Wait()
	if put.Load() != 1 {
		t.Errorf("%d of four writers put the object", put.Load())
	}
	for name, fault := range map[string]func(){
		"nothing":            func() {},
		"busy":               func() { g.Busy.Store(3) },
		"cut in mid-object":  func() { g.Cut.Store(4) },
		"slow":               func() { g.Slow.Store(1) },
		"all of it together": func() { g.Busy.Store(2); g.Cut.Store(2); g.Slow.Store(1) },
	} {
		s := opened(t, "s3://traces/a/b/")
		if all, err := s.List("runs"); err != nil || len(all) != 1 || all[0].Name != "runs/x" || all[0].Size != int64(len(want)) {
			t.Fatalf("%s: list %v, %v", name, all, err)
		}
		fault()
		f, err := s.Open("runs/x")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		part := make([]byte, 100)
		if n, err := f.ReadAt(part, 8<<20-50); n != 100 || err != nil || !bytes.Equal(part, want[8<<20-50:8<<20+50]) {
			t.Errorf("%s: a range over a block's end: %d bytes, %v", name, n, err)
		}
		path, err := s.Local("runs/x")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the local copy has %d bytes, %v", name, len(got), err)
		}
	}
}

// What cannot be done is said with the way out, and is no fault of the data.
func TestRefusals(t *testing.T) {
	s3test.Start(t)
	for name, c := range map[string]struct {
		address string
		env     [2]string
		hint    string
	}{
		"no such bucket": {"s3://nobody/a", [2]string{}, "does not exist"},
		"wrong secret":   {"s3://traces/a", [2]string{"AWS_SECRET_ACCESS_KEY", "x"}, "AWS_SECRET_ACCESS_KEY"},
		"unknown key":    {"s3://traces/a", [2]string{"AWS_ACCESS_KEY_ID", "x"}, "AWS_ACCESS_KEY_ID"},
		"wrong region":   {"s3://traces/a", [2]string{"AWS_REGION", "eu-west-9"}, "AWS_REGION"},
		"nobody listens": {"s3://traces/a", [2]string{"AWS_ENDPOINT_URL", "http://127.0.0.1:1"}, "AWS_ENDPOINT_URL"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.env[0] != "" {
				t.Setenv(c.env[0], c.env[1])
			}
			_, err := opened(t, c.address).List("runs")
			var remote *store.RemoteError
			if !errors.As(err, &remote) || !strings.Contains(remote.Hint, c.hint) {
				t.Errorf("got %v, %+v", err, remote)
			}
		})
	}
	s := opened(t, "s3://traces/a")
	if _, err := s.Open("runs/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an object that is not there: %v", err)
	}
	var odd *store.OddError
	if _, err := s.Open("../x"); !errors.As(err, &odd) {
		t.Errorf("a name that leads out: %v", err)
	}
	for _, address := range []string{"s3://", "s3://key:secret@bucket/x"} {
		if _, err := s3.Open(address); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

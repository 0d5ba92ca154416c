package build

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"aircheck/internal/kit/store"
	"aircheck/internal/kit/store/s3/s3test"
	"aircheck/internal/tools/bench"
	"aircheck/schema"
)

// pushed is a small dataset in a bucket: its address, its folder there, and the
// checksums of what a build in a directory derives.
func pushed(t *testing.T, g *s3test.Gateway) (address, folder string, want map[string]string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "traces")
	if err := bench.Runs(dir, 3, 2, 5); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	address = "s3://traces/faults"
	if _, err := schema.Push(t.Context(), dir, mustStore(t, address), func(f schema.Fault) { t.Error(f) }); err != nil {
		t.Fatal(err)
	}
	return address, filepath.Join(g.Folder, "traces", "faults"), checksumsOf(t, filepath.Join(dir, "derived"))
}

// Credentials that may not write, and such as expire at any step, end a build with
// the way out; nothing half-written is left, and the next build goes on.
func TestBucketCredentials(t *testing.T) {
	g := s3test.Start(t)
	address, folder, want := pushed(t, g)
	refused := func(name, code, hint string, from int32) {
		t.Helper()
		var puts atomic.Int32
		g.Refuse(func(r *http.Request) string {
			if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, ".parquet") && puts.Add(1) > from {
				return code
			}
			return ""
		})
		defer g.Refuse(nil)
		t.Setenv("AIRCHECK_CACHE", t.TempDir())
		_, err := Build(t.Context(), Options{Dir: address})
		var remote *store.RemoteError
		if !errors.As(err, &remote) || !strings.Contains(remote.Hint, hint) {
			t.Errorf("%s: got %v", name, err)
		}
		for file, sum := range checksumsOf(t, filepath.Join(folder, "derived")) {
			if want[file] != sum {
				t.Errorf("%s: %s was left behind, and is no derived file", name, file)
			}
		}
	}
	refused("may not write", "AccessDenied", "s3:PutObject", 0)
	if len(checksumsOf(t, filepath.Join(folder, "derived"))) > 0 {
		t.Error("something was put without the right to")
	}
	for _, from := range []int32{0, 1, 4, 10} {
		refused("expired", "ExpiredToken", "expired", from)
	}
	t.Setenv("AIRCHECK_CACHE", t.TempDir())
	if s, err := Build(t.Context(), Options{Dir: address}); err != nil || s.Runs != 3 {
		t.Fatalf("with the right to: %+v, %v", s, err)
	}
	same(t, "after all that", want, checksumsOf(t, filepath.Join(folder, "derived")))
}

// Of a bucket that is half written, the runs that are whole are built: one without a
// record is not seen, one whose files are missing or cut off is named.
func TestBucketHalfWritten(t *testing.T) {
	g := s3test.Start(t)
	address, folder, _ := pushed(t, g)
	if err := os.Remove(filepath.Join(folder, "runs", "bench-00000.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(folder, "chunks", "run=bench-00001", "part-0.parquet"), 100); err != nil {
		t.Fatal(err)
	}
	s, err := Build(t.Context(), Options{Dir: address})
	if err != nil || s.Runs != 1 || len(s.Left) != 1 || s.Left[0].Path != "runs/bench-00001.json" || !strings.Contains(s.Left[0].What, "100 bytes") {
		t.Errorf("a file cut off: %+v, %v", s, err)
	}
	if err := os.Remove(filepath.Join(folder, "chunks", "run=bench-00002", "part-0.parquet")); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), Options{Dir: address}); err == nil || !strings.Contains(err.Error(), "no run can be read") {
		t.Errorf("no whole run: %v", err)
	}
	faults, err := schema.Verify(t.Context(), address)
	if err != nil || len(faults) < 3 {
		t.Errorf("verify names %v, %v", faults, err)
	}
}

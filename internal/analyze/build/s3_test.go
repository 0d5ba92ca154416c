package build

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/kit/store"
	_ "aircheck/internal/kit/store/s3"
	"aircheck/internal/kit/store/s3/s3test"
	"aircheck/internal/tools/bench"
	"aircheck/schema"
)

// checksumsOf are the checksums of the derived Parquet files below a directory.
func checksumsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".parquet") {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A dataset in a bucket, decoded in any number of shards, in any order, twice, and
// through faults of the service, comes to the same files as one in a directory.
func TestBucketsGiveTheSameFiles(t *testing.T) {
	g := s3test.Start(t)
	dir := filepath.Join(t.TempDir(), "traces")
	if _, _, err := bench.Dataset(dir, 1_200_000, 3); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	want := checksumsOf(t, filepath.Join(dir, "derived"))
	if len(want) < 8 {
		t.Fatalf("only %d derived files", len(want))
	}
	for _, shards := range []int{1, 2, 7, 64} {
		address := fmt.Sprintf("s3://traces/of-%d", shards)
		to, err := store.Of(address)
		if err != nil {
			t.Fatal(err)
		}
		p, err := schema.Push(t.Context(), dir, to, func(f schema.Fault) { t.Error(f) })
		if err != nil || p.Runs != 1 {
			t.Fatalf("push: %+v, %v", p, err)
		}
		for twice := range 2 {
			for i := shards; i > 0; i-- { // the last first, each with a cache of its own
				if shards > 7 && i%9 > 0 {
					continue // as if they had died: a build does what is missing
				}
				g.Busy.Store(2)
				g.Cut.Store(1)
				n, err := Decode(t.Context(), Options{Dir: address, Cache: t.TempDir()}, i, shards)
				if err != nil {
					t.Fatal(err)
				}
				if twice == 1 && n > 0 {
					t.Errorf("shard %d of %d decoded %d pieces again", i, shards, n)
				}
			}
		}
		if s, err := Build(t.Context(), Options{Dir: address}); err != nil || s.Requests == 0 {
			t.Fatalf("build: %+v, %v", s, err)
		}
		got := checksumsOf(t, filepath.Join(g.Folder, "traces", fmt.Sprintf("of-%d", shards), "derived"))
		for name, sum := range want {
			if got[name] != sum {
				t.Errorf("%d shards: %s differs, or is missing", shards, name)
			}
		}
		// Another machine computes nothing.
		t.Setenv("AIRCHECK_CACHE", t.TempDir())
		if s, err := Build(t.Context(), Options{Dir: address}); err != nil || len(s.Built) > 0 || s.Decoded > 0 {
			t.Errorf("a second machine built %+v, %v", s, err)
		}
	}
	if p, err := schema.Push(t.Context(), dir, mustStore(t, "s3://traces/of-1"), nil); err != nil || p.There != 1 || p.Files != 0 {
		t.Errorf("pushed again: %+v, %v", p, err)
	}
}

func mustStore(t *testing.T, address string) store.Store {
	t.Helper()
	s, err := store.Of(address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

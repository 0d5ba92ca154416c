package build

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"aircheck/internal/tools/bench"
)

// What is decoded and derived does not depend on how: at once, by shards in any
// order, or in a build that goes on after another. Events are decoded for whom
// they are asked for, and then for all.
func TestPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("half a million frames")
	}
	dir := filepath.Join(t.TempDir(), "traces")
	requests, frames, err := bench.Responses(dir, 560_000, 1, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	whole := Options{Dir: dir, Cache: t.TempDir(), Workers: 2}
	if _, err := Build(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	want := sums(t, whole.Cache)
	parts := Options{Dir: dir, Cache: t.TempDir(), Workers: 1}
	n := 0
	for _, shard := range []int{3, 1, 2} {
		done, err := Decode(t.Context(), parts, shard, 3)
		if err != nil {
			t.Fatal(err)
		}
		n += done
	}
	if n < 2 {
		t.Fatalf("%d requests and %d frames are %d pieces: too few to test", requests, frames, n)
	}
	if _, err := Build(t.Context(), parts); err != nil {
		t.Fatal(err)
	}
	same(t, "by shards", want, sums(t, parts.Cache))
	for _, gone := range []string{"decoded-*/*/00001", "measures-*/*.00001.parquet", "tables/results-*.00001.parquet"} {
		found, err := filepath.Glob(filepath.Join(parts.Cache, gone))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %v, %v", gone, found, err)
		}
		if err := os.RemoveAll(found[0]); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := Build(t.Context(), parts); err != nil || s.Decoded != 1 {
		t.Fatalf("a build that goes on: %+v, %v", s, err)
	}
	same(t, "gone on with", want, sums(t, parts.Cache))

	r, err := Open(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	groups := func() int {
		found, _ := filepath.Glob(filepath.Join(whole.Cache, "events-*", "*", "*"))
		return len(found)
	}
	last := text1(mustSelect(t, r, "SELECT max(request_id), arg_max(frames, request_id) FROM results"))
	var id, n1 int64
	fmt.Sscan(last, &id, &n1)
	one := fmt.Sprintf("SELECT count(DISTINCT seq) FROM events WHERE request_id = %d", id)
	if got := text1(mustSelect(t, r, one)); got != fmt.Sprint(n1) || groups() != 1 {
		t.Errorf("events of one request: %s frames of %d, from %d row groups", got, n1, groups())
	}
	if got := text1(mustSelect(t, r, "SELECT count(DISTINCT (request_id, seq)) FROM events")); got != fmt.Sprint(frames) || groups() < 8 {
		t.Errorf("events of all: %s frames of %d, from %d row groups", got, frames, groups())
	}
	if got := text1(mustSelect(t, r, one)); got != fmt.Sprint(n1) {
		t.Errorf("events of one request afterwards: %s", got)
	}
}

// sums are the hashes of a cache's files.
func sums(t *testing.T, cache string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(cache, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(cache, path)
		out[rel] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, how string, want, got map[string]string) {
	t.Helper()
	for name, sum := range want {
		if got[name] != sum {
			t.Errorf("%s: %s differs", how, name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", how, len(got), len(want))
	}
}

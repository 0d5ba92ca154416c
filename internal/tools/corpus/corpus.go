// Package corpus gives tests the bytes that providers send: the collection of
// real recordings, which the project does not ship, and a small corpus of its
// own, which it does.
package corpus

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir is the root of the collection: AIRCHECK_CORPUS, else ../shared/data
// beside the project. Where it is absent the test is skipped, or fails if
// AIRCHECK_CORPUS promises it.
func Dir(t testing.TB) string {
	t.Helper()
	promised := os.Getenv("AIRCHECK_CORPUS")
	dir := promised
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "..", "shared", "data")
	}
	_, err := os.Stat(filepath.Join(dir, "MANIFEST.tsv"))
	switch {
	case err != nil && promised != "":
		t.Fatalf("AIRCHECK_CORPUS names a collection of recordings that is not there: %v", err)
	case err != nil:
		t.Skip("the collection of real recordings is not here: AIRCHECK_CORPUS names it")
	}
	return dir
}

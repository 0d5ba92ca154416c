// Package corpus finds the collection of real recordings that tests read and
// the project does not ship.
package corpus

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Dir is the root of the collection: AIRCHECK_CORPUS, else ../shared/data
// beside the project. The test is skipped where it is absent.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("AIRCHECK_CORPUS")
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(dir, "MANIFEST.tsv")); err != nil {
		t.Skipf("no corpus of real recordings at %s: set AIRCHECK_CORPUS to run this test", dir)
	}
	return dir
}

package build

import (
	"os"
	"path/filepath"
	"testing"

	"aircheck/schema"
)

// A dataset of every schema version is kept as its recorder wrote it, and reads
// as it did: testdata/schema-1 was recorded before requests had the times of a
// proxy's caller.
func TestEverySchemaVersionIsRead(t *testing.T) {
	for version := 1; version < schema.Version; version++ {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "schema-"+string(rune('0'+version))))); err != nil {
			t.Fatal(err)
		}
		if faults, err := schema.Verify(t.Context(), dir); err != nil || len(faults) > 0 {
			t.Errorf("version %d: %v, %v", version, faults, err)
		}
		r := open(t, dir)
		for q, want := range map[string]string{
			"SELECT provider, model, outcome, input_tokens, output_tokens, finish_reason, frames FROM results": "p m ok 5 3 stop 4",
			"SELECT text FROM answers": "Hello there.",
			"SELECT count(*), sum(octet_length(raw)) = any_value(bytes_received) FROM chunks JOIN requests USING (request_id)": "4 true",
			"SELECT schema_version FROM runs": string(rune('0' + version)),
		} {
			if got := text1(mustSelect(t, r, q)); got != want {
				t.Errorf("version %d: %s: got %q, want %q", version, q, got, want)
			}
		}
	}
}

package corpus

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Stream is a recording of provider streams, as the collection's manifest
// describes it.
type Stream struct {
	File    string // below the collection's root, with slashes
	Dialect string // in the collection's own spelling
	Host    string // provider or host
	Flags   []string
}

// Path is where the file is.
func (s *Stream) Path(dir string) string { return filepath.Join(dir, filepath.FromSlash(s.File)) }

// Format is the import format that a user would name for the file.
func (s *Stream) Format() string {
	switch {
	case strings.Contains(s.File, "req_llm"):
		return "reads"
	case strings.HasSuffix(s.File, ".har"), strings.HasSuffix(s.File, ".har.yaml"):
		return "har"
	case strings.HasSuffix(s.File, ".yaml"), strings.HasSuffix(s.File, ".yml"), strings.HasSuffix(s.File, ".yaml.gz"),
		strings.HasSuffix(s.File, ".httprr"), strings.HasSuffix(s.File, ".http"), strings.Contains(s.File, "ogx-ai"):
		return "vcr"
	}
	return "sse"
}

// Streams lists the recordings of streams, in the manifest's order.
func Streams(t testing.TB) (dir string, streams []Stream) {
	t.Helper()
	dir = Dir(t)
	f, err := os.Open(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord = '\t', -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if strings.HasPrefix(row[0], "streams/") {
			streams = append(streams, Stream{row[0], row[6], row[7], strings.Split(row[8], ",")})
		}
	}
	return dir, streams
}

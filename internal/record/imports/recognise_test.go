package imports

import (
	"path/filepath"
	"testing"

	"aircheck/internal/record/imports/input"
	"aircheck/internal/tools/corpus"
)

// Every recording of the collection is told by its content.
func TestStreamsAreRecognised(t *testing.T) {
	dir, rows := corpus.Streams(t)
	for _, row := range rows {
		got, err := recognise(&input.File{Name: filepath.Base(row.File), Path: row.Path(dir)})
		if err != nil || got != row.Format() {
			t.Errorf("%s: recognised as %q, %v; want %s", row.File, got, err, row.Format())
		}
	}
}

package corpus

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Body is the body of one response out of the small corpus that the project
// ships: recorded from the simulated fleet, or written by hand in the dialects
// that the fleet does not speak. What it holds was known before any decoder read
// it. A field without a value is not stated.
type Body struct {
	File         string `json:"file"` // of testdata/bodies
	API          string `json:"api"`
	Text         string `json:"text,omitempty"`
	Tool         string `json:"tool,omitempty"` // the name of the function called
	Thinks       bool   `json:"thinks,omitempty"`
	Finish       string `json:"finish,omitempty"` // in the decoders' words: stop, length, tool, filter
	OutputTokens int64  `json:"output_tokens,omitempty"`
	Fails        bool   `json:"fails,omitempty"` // states an error
}

// BodiesDir is where the small corpus lies.
func BodiesDir() string {
	_, here, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(here), "testdata", "bodies")
}

// Path is where the body is.
func (b *Body) Path() string { return filepath.Join(BodiesDir(), b.File) }

// Bodies lists the small corpus.
func Bodies(t testing.TB) []Body {
	t.Helper()
	f, err := os.Open(filepath.Join(BodiesDir(), "bodies.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []Body
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var b Body
		if err := json.Unmarshal(lines.Bytes(), &b); err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

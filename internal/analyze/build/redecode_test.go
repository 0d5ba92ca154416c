package build

import (
	"os"
	"path/filepath"
	"testing"

	"aircheck/internal/analyze/decode"
	"aircheck/internal/wire/dialect"
)

// forgetful is a decoder of an older version, which did not know a field.
type forgetful struct{ dialect.Decoder }

func (d forgetful) Frame(raw []byte, emit func(*dialect.Event)) {
	d.Decoder.Frame(raw, func(e *dialect.Event) {
		if e.Usage != nil {
			e.Usage.ReasoningTokens = nil
		}
		emit(e)
	})
}

// A decoder that missed a field is mended: the next build decodes the old traces
// again and has the number, though nothing was asked for again. What other
// versions left in the cache is not read.
func TestMendedDecoderReadsOldTracesAgain(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.request(nil, at{300, delta("a")},
		at{400, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":47,"total_tokens":52,"completion_tokens_details":{"reasoning_tokens":40}}}`},
		at{410, "[DONE]"})
	f.seal()
	raw := checksum(t, dir)
	const question = "SELECT count(*), any_value(output_tokens), any_value(reasoning_tokens), any_value(visible_tokens) FROM results"

	current := decode.Decoders
	defer func() { decode.Decoders = current }()
	decode.Decoders.Version = current.Version - 1
	decode.Decoders.Of = func(api string, m dialect.Meta) dialect.Decoder { return forgetful{dialect.New(api, m)} }
	if got := text1(query(t, t.Context(), Options{Dir: dir}, question)); got != "1 47  " { // 47 tokens for a character, which nothing explains

		t.Fatalf("with the old decoder: %q", got)
	}

	decode.Decoders = current
	s, err := Build(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if s.Decoded != 1 || len(s.Built) == 0 {
		t.Errorf("the build decoded %d runs and built %v", s.Decoded, s.Built)
	}
	if got := text1(query(t, t.Context(), Options{Dir: dir}, question)); got != "1 47 40 7" {
		t.Errorf("with the mended decoder: %q", got)
	}
	if now := checksum(t, dir); now != raw {
		t.Error("the recording itself was touched")
	}
	if s, err = Build(t.Context(), Options{Dir: dir}); err != nil || s.Decoded != 0 || len(s.Built) != 0 {
		t.Errorf("one more build: %+v, %v", s, err)
	}
}

// checksum is of all files below the requests and chunks of a dataset.
func checksum(t *testing.T, dir string) string {
	t.Helper()
	var parts []string
	for _, table := range []string{"requests", "chunks"} {
		files, err := filepath.Glob(filepath.Join(dir, table, "*", "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files of %s, %v", len(files), table, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, file, string(data))
		}
	}
	return digest(parts...)
}

package dialect

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/tools/corpus"
	"aircheck/internal/wire/frame"
)

// undecodedByName are recordings in which something must stay undecoded, by
// the end of their path.
var undecodedByName = map[string]string{
	"openai-phase.1.chunks.txt":                   "its maker left deltas out: the text that ends differs from them",
	"openai-realtime-speech-translation":          "a realtime audio session, no dialect of ours",
	"vertexai~streaming-failure-invalid-json.txt": "invalid on purpose",
	"streaming-failure-malformed-content.txt":     "malformed on purpose",
	".stream.jsonl":                               "events wrapped by their recorder: an importer takes them out",
}

// dialectNames are the corpus's names of dialects where they are not ours.
var dialectNames = map[string]string{
	"ollama-ndjson": "ollama", "openai-chat(no object field)": "openai-chat", "openai-chat+watsonx": "openai-chat",
	"gemini+watsonx": "gemini", "anthropic-text-completions": "anthropic-messages", "openai-chat+gemini": "openai-chat",
}

// rawBodies gives the recordings that are a body as it is: path → dialect.
func rawBodies(t *testing.T) map[string]string {
	dir, streams := corpus.Streams(t)
	bodies := map[string]string{}
	for _, s := range streams {
		switch ext := filepath.Ext(s.File); {
		case ext == ".sse", ext == ".txt", ext == ".jsonl", ext == ".bin",
			ext == ".json" && (strings.Contains(s.File, "prism") || strings.Contains(s.File, "lingua")):
			bodies[s.Path(dir)] = s.Dialect
		}
	}
	return bodies
}

func TestCorpus(t *testing.T) {
	bodies := rawBodies(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, path := range slices.Sorted(maps.Keys(bodies)) {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path)
		d := New("", Meta{}).(*stream)
		frames := splitAll(frame.Sniff(body), body)
		if strings.Join(frames, "") != string(body) {
			t.Errorf("%s: frames do not make the body", name)
		}
		kinds, paths := map[string]int{}, map[string]int{}
		emit := func(e *Event) {
			kinds[e.Kind.String()]++
			if e.Kind == KindUndecoded {
				paths[e.Path]++
			}
			if e.Finish == FinishOther {
				t.Errorf("%s: finish reason %q is in no table", name, e.FinishReason)
			}
		}
		for _, f := range frames {
			d.Frame([]byte(f), emit)
		}
		d.Close(emit)
		t.Logf("%-20s %4d frames %v %v %s", d.api, len(frames), kinds, paths, name)
		checkUndecoded(t, name, paths)
		want := bodies[path]
		if ours, ok := dialectNames[want]; ok {
			want = ours
		}
		if lookup(want) != nil && d.api != want && len(paths) == 0 && kinds["error"] == 0 {
			t.Errorf("%s: decoded as %q, is %q", name, d.api, want)
		}
		sameWithout(t, name, body, rng)
	}
	if len(bodies) < 100 {
		t.Errorf("only %d bodies", len(bodies))
	}
}

func checkUndecoded(t *testing.T, name string, paths map[string]int) {
	t.Helper()
	for end, why := range undecodedByName {
		if strings.Contains(name, end) {
			if len(paths) == 0 {
				t.Errorf("%s: decoded in full, but an exception says: %s", name, why)
			}
			return
		}
	}
	if len(paths) > 0 {
		t.Errorf("%s: undecoded %v", name, paths)
	}
}

// sameWithout: templates change nothing, on the body and on damaged copies of it.
func sameWithout(t *testing.T, name string, body []byte, rng *rand.Rand) {
	t.Helper()
	body = body[:min(len(body), 20000)]
	for range 4 {
		got, plain := decodeBody(t, "", body, false), decodeBody(t, "", body, true)
		if !slices.Equal(got, plain) {
			t.Errorf("%s: templates change what is decoded", name)
			return
		}
		body = damage(rng, body)
	}
}

var fragments = []string{`"`, `\`, "{", "}", "[", "]", ",", ":", "\n", "\n\n", "null", "0", `\u00e9`, `\ud83d`, "<think>", "</think>",
	`"index":1,`, `"id":"z",`, `"content":"q",`, `"text":"q",`}

// damage changes a few places of a body: inserts, cuts, overwrites, repeats.
func damage(rng *rand.Rand, body []byte) []byte {
	b := slices.Clone(body)
	for range 1 + rng.IntN(5) {
		i := rng.IntN(len(b) + 1)
		switch rng.IntN(4) {
		case 0:
			b = slices.Insert(b, i, []byte(fragments[rng.IntN(len(fragments))])...)
		case 1:
			b = slices.Delete(b, i, min(len(b), i+rng.IntN(5)))
		case 2:
			if i < len(b) {
				b[i] = byte(rng.IntN(256))
			}
		case 3:
			b = slices.Insert(b, rng.IntN(len(b)+1), slices.Clone(b[i:min(len(b), i+rng.IntN(400))])...)
		}
	}
	return b
}

// The same response, in frames cut anywhere, says the same.
func TestCorpusSplit(t *testing.T) {
	bodies := rawBodies(t)
	rng := rand.New(rand.NewPCG(2, 2))
	for path := range bodies {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		kind := frame.Sniff(body)
		var pieces []string
		s := frame.NewSplitter(kind)
		take := func(raw []byte) { pieces = append(pieces, string(raw)) }
		for rest := body; len(rest) > 0; {
			n := min(len(rest), 1+rng.IntN(300))
			s.Write(rest[:n], take)
			rest = rest[n:]
		}
		s.Close(func(raw []byte, _ bool) { take(raw) })
		if whole := splitAll(kind, body); fmt.Sprint(whole) != fmt.Sprint(pieces) {
			t.Errorf("%s: other frames when cut in pieces", path)
		}
	}
}

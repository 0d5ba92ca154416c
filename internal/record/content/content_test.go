package content

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"aircheck/internal/tools/corpus"
	"aircheck/internal/wire/dialect"
	"aircheck/internal/wire/frame"
)

func hashed(h *Hasher, raw string) string {
	b := []byte(raw)
	h.Frame(b)
	return string(b)
}

// What belongs to the protocol stays, everything else becomes as many bytes and
// characters of hash.
func TestFrame(t *testing.T) {
	h := NewHasher([]byte("key"))
	for _, c := range []struct {
		raw, kept string // kept: as raw, with ~ where a hash stands
	}{
		{"data: {\"id\":\"chatcmpl-1\",\"model\":\"m/x\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\" Oslo\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":12}}\n\n",
			"data: {\"id\":\"chatcmpl-1\",\"model\":\"m/x\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"~~~~~\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":12}}\n\n"},
		{"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"ci\"}}\n\n",
			"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"~\\~~~\"}}\n\n"},
		{`{"type":"tool_use","name":"get weather","input":{"city":"Oslo","n":57}}`, `{"type":"tool_use","name":"~~~~~~~~~~~","input":{"~~~~":"~~~~","~":~~}}`},
		{`{"error":{"message":"no, Anna","type":"invalid_request_error","code":"model_not_found"}}`, `{"error":{"message":"~~~~~~~~","type":"invalid_request_error","code":"model_not_found"}}`},
		{`{"logprobs":{"content":[{"token":"Hi","logprob":-0.5,"bytes":[72,105]}]}}`, `{"logprobs":{"content":[{"token":"~~","logprob":-0.5,"bytes":[~~,~~~]}]}}`},
		{`{"model":"m","role":"what a secret this is"}`, `{"model":"m","role":"~~~~~~~~~~~~~~~~~~~~~"}`},
		{": OPENROUTER PROCESSING\n\n", ":~~~~~~~~~~~~~~~~~~~~~~\n\n"},
		{"data: [DONE]\n\n", "data: [DONE]\n\n"},
		{"upstream \\ error: Anna\n", "~~~~~~~~~~~~~~~~~~~~~~\n"},
		{"data: {\"choices\":[{\"delta\":{\"content\":\"<think>\"}}]}\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\"<think>\"}}]}\n\n"},
		{"data: {\"choices\":[{\"delta\":{\"content\":\" \\n\"}}]}\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\" \\n\"}}]}\n\n"},
		{`{"content":"cut o`, `{"content":"~~~~~`},
		{`[{"text":"a"}`, `[{"text":"~"}`},
		{`,{"text":"a"}`, `,{"text":"~"}`},
	} {
		got := hashed(h, c.raw)
		if len(got) != len(c.raw) {
			t.Fatalf("%q: %d bytes of %d", c.raw, len(got), len(c.raw))
		}
		for i := range len(got) {
			if c.kept[i] == '~' {
				if got[i] == c.raw[i] && !strings.ContainsRune("0123456789", rune(got[i])) && got == c.raw {
					t.Errorf("%q stays as it is: %q", c.raw, got)
				}
			} else if got[i] != c.kept[i] {
				t.Errorf("at %d: got %q\nwant %q", i, got, c.kept)
				break
			}
		}
	}
	if hashed(h, `{"content":"Oslo is far"}`) != hashed(NewHasher([]byte("key")), `{"content":"Oslo is far"}`) ||
		hashed(h, `{"content":"Oslo is far"}`) == hashed(NewHasher([]byte("other")), `{"content":"Oslo is far"}`) {
		t.Error("equal texts have equal hashes under one key, and others under another")
	}
}

// Characters of several bytes stay so, and strings stay valid.
func TestCharacters(t *testing.T) {
	h := NewHasher([]byte("k"))
	for _, text := range []string{"Grüße aus Köln", "天气很好", "so 🙂🙃", "a\u2028b", "\x01 and \"quotes\" \\ and / \u007f"} {
		raw, _ := json.Marshal(map[string]string{"content": text})
		got := []byte(hashed(h, string(raw)))
		var back map[string]string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Errorf("%q: %v in %s", text, err, got)
			continue
		}
		if utf8.RuneCountInString(back["content"]) != utf8.RuneCountInString(text) || len(got) != len(raw) || back["content"] == text {
			t.Errorf("%q became %q", text, back["content"])
		}
	}
}

// Frames that real providers sent decode to the same kinds, sizes, usage and
// endings once their texts are hashed, and no word of the texts is left.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(corpus.Dir(t), "streams", "*", "*"))
	if seen := decodeAlike(t, files); seen < 50 {
		t.Errorf("only %d streams", seen)
	}
}

// The same of what the simulated fleet sent.
func TestBodies(t *testing.T) {
	var files []string
	for _, b := range corpus.Bodies(t) {
		files = append(files, b.Path())
	}
	if seen := decodeAlike(t, files); seen < 30 {
		t.Errorf("only %d streams", seen)
	}
}

func decodeAlike(t *testing.T, files []string) (seen int) {
	t.Helper()
	differ := 0
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 4<<20 {
			continue
		}
		kind := frame.Sniff(data)
		if kind != frame.SSE && kind != frame.EventStream && kind != frame.NDJSON {
			continue
		}
		var frames [][]byte
		s := frame.NewSplitter(kind)
		s.Write(data, func(raw []byte) { frames = append(frames, bytes.Clone(raw)) })
		s.Close(func(raw []byte, _ bool) { frames = append(frames, bytes.Clone(raw)) })
		before, words := outline(frames)
		h := NewHasher([]byte("corpus"))
		for _, raw := range frames {
			h.Frame(raw)
		}
		after, _ := outline(frames)
		seen++
		if before != after {
			differ++
			x, y := strings.Split(before, "\n"), strings.Split(after, "\n")
			for i := range x {
				if i >= len(y) || x[i] != y[i] {
					t.Logf("%s, event %d: %s became %s", filepath.Base(path), i, x[i], y[min(i, len(y)-1)])
					break
				}
			}
		}
		body := bytes.Join(frames, nil)
		for _, w := range words {
			if bytes.Contains(body, []byte(w)) {
				t.Errorf("%s still says %q", filepath.Base(path), w)
				break
			}
		}
	}
	t.Logf("%d streams, %d decode otherwise", seen, differ)
	if differ > 0 {
		t.Errorf("%d of %d streams decode otherwise", differ, seen)
	}
	return seen
}

// outline is what decoding gives but for the texts, and long words of these.
func outline(frames [][]byte) (string, []string) {
	var b strings.Builder
	var words []string
	d := dialect.New("", dialect.Meta{Status: 200, Streamed: true})
	take := func(e *dialect.Event) {
		var usage dialect.Usage
		if e.Usage != nil {
			usage = *e.Usage
			usage.Raw = nil // of some dialects it is the whole message
		}
		json.NewEncoder(&b).Encode([]any{e.Kind.String(), e.Choice, e.Bytes, e.Chars, e.Finish.String(), usage, e.ServedModel})
		for _, w := range strings.Fields(string(e.Text)) {
			if len(w) > 14 && len(words) < 50 && strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" {
				words = append(words, w)
			}
		}
	}
	for _, raw := range frames {
		d.Frame(raw, take)
	}
	d.Close(take)
	return b.String(), words
}

package scrub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"aircheck/internal/kit/jsonscan"
	"aircheck/internal/record/imports"
	"aircheck/internal/tools/corpus"
	"aircheck/internal/wire/dialect"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

func TestFill(t *testing.T) {
	for literal, want := range map[string]string{
		`Hello, world`:                 `xxxxxx xxxxx`,
		`é 語 😀`:                        `ß 語 😀`,
		`a\nb \"q\" \u00e9\u4e2d`:      `x\nx \"x\" \u00df\u8a9e`,
		`\ud83d\ude80 \u0041 \ud83d x`: `\ud83d\ude00 \u0078 \ud83d x`,
		" \\n\t":                       " \\n\t",
		`cut \u00`:                     `xxx \u00`,
		`cut \`:                        `xxx \`,
	} {
		got := []byte(literal)
		fill(got)
		if string(got) != want {
			t.Errorf("%s: got %s, want %s", literal, got, want)
		}
	}
	pieces := [][]byte{[]byte("<th"), []byte(`ink\u003e`), []byte("so"), []byte(`\u003c/think>`), []byte("yes")}
	fillAll(pieces)
	if got := string(bytes.Join(pieces, nil)); got != `<think\u003exx\u003c/think>xxx` {
		t.Errorf("got %s", got)
	}
}

// Whatever the literal, filler decodes to as many bytes and characters.
func FuzzFill(f *testing.F) {
	f.Add("a é 語 😀 \n \" \\ <think>")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "")
		for _, ascii := range []bool{false, true} {
			raw, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			if ascii {
				raw = toASCII(raw)
			}
			filled := bytes.Clone(raw)
			fill(filled[1 : len(filled)-1])
			var got string
			if err := json.Unmarshal(filled, &got); err != nil || len(filled) != len(raw) {
				t.Fatalf("%s became %s: %v", raw, filled, err)
			}
			if len(got) != len(text) || utf8.RuneCountInString(got) != utf8.RuneCountInString(text) {
				t.Errorf("%s became %s", raw, filled)
			}
		}
	})
}

func toASCII(raw []byte) []byte {
	var out []byte
	for _, r := range string(raw) {
		switch {
		case r < 0x80:
			out = append(out, byte(r))
		case r > 0xFFFF:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// The recordings of the collection, scrubbed: the decoders find the same events
// of the same sizes, with the same usage and endings, and none of the words.
func TestScrubbedStreamsDecodeAlike(t *testing.T) {
	dir, rows := corpus.Streams(t)
	var files []string
	for _, r := range rows {
		files = append(files, r.Path(dir))
	}
	scrubbedAlike(t, files)
}

// The same of what the simulated fleet sent.
func TestScrubbedBodiesDecodeAlike(t *testing.T) {
	var files []string
	for _, b := range corpus.Bodies(t) {
		files = append(files, b.Path())
	}
	scrubbedAlike(t, files)
}

func scrubbedAlike(t *testing.T, files []string) {
	t.Helper()
	src, dst := filepath.Join(t.TempDir(), "src"), filepath.Join(t.TempDir(), "dst")
	if _, err := imports.Import(context.Background(), imports.Options{Files: files, To: src, Set: imports.Declared{Provider: "p", Model: "m"}}); err != nil {
		t.Fatal(err)
	}
	res, err := Dataset(t.Context(), Options{From: src, To: dst})
	if err != nil {
		t.Fatal(err)
	}
	faults, err := schema.Verify(t.Context(), dst)
	if err != nil || len(faults) > 0 {
		t.Errorf("verify: %v, %v", faults, err)
	}
	t.Logf("%+v", *res)
	before, after := decoded(t, src), decoded(t, dst)
	if len(before) == 0 || len(before) != len(after) {
		t.Fatalf("%d responses, %d after", len(before), len(after))
	}
	differ, texts, leaked := 0, 0, 0
	for id, b := range before {
		a := after[id]
		if strings.Join(b.events, "\n") != strings.Join(a.events, "\n") {
			if differ++; differ <= 12 {
				for i := range min(len(a.events), len(b.events)) {
					if a.events[i] != b.events[i] {
						t.Errorf("request %d (%s) event %d of %d and %d:\n was %s\n is  %s", id, b.api, i, len(b.events), len(a.events), b.events[i], a.events[i])
						break
					}
				}
			}
		}
		// Words of the answer are nowhere in the copy's bytes.
		for _, w := range longWords(b.text) {
			texts++
			for _, v := range a.values {
				if strings.Contains(v[strings.Index(v, ": "):], w) {
					if leaked++; leaked <= 12 {
						t.Errorf("request %d (%s): %q is still there: %s", id, b.api, w, v)
					}
					break
				}
			}
		}
	}
	t.Logf("%d responses, %d decode otherwise, %d of %d words left", len(before), differ, leaked, texts)
}

type said struct {
	api    string
	events []string
	text   string
	values []string // strings of the frames, but for the dialect's own words
}

// decoded gives each response's events, without their texts.
func decoded(t *testing.T, dir string) map[int64]*said {
	d, err := schema.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	out := map[int64]*said{}
	for _, run := range runs {
		requests := map[int64]schema.Request{}
		if err := d.EachRequest(run, func(q *schema.Request) error { requests[q.RequestID] = *q; return nil }); err != nil {
			t.Fatal(err)
		}
		if err := d.EachResponse(t.Context(), run, func(id int64, frames []schema.Chunk) error {
			q := requests[id]
			s := &said{api: deref(q.API)}
			meta := dialect.Meta{ContentEncoding: deref(q.ContentEncoding)}
			if q.HTTPStatus != nil {
				meta.Status = int(*q.HTTPStatus)
			}
			dec := dialect.New(s.api, meta)
			emit := func(e *dialect.Event) {
				said := fmt.Sprintf("%s %d %d %d %s %s", e.Kind, e.Choice, e.Bytes, e.Chars, e.FinishReason, e.Path)
				if e.Usage != nil {
					u := *e.Usage
					u.Raw = nil
					b, err := json.Marshal(u)
					if err != nil {
						t.Fatal(err)
					}
					said += " " + string(b)
				}
				if e.Kind == dialect.KindText || e.Kind == dialect.KindReasoning {
					s.text += string(e.Text)
				}
				s.events = append(s.events, said)
			}
			for _, f := range frames {
				dec.Frame(f.Raw, emit)
				if frame.IsMessage(f.Raw) {
					continue // its headers are the dialect's own
				}
				jsonscan.Strings(f.Raw, func(p *jsonscan.Place, literal []byte) {
					if treat(p, literal) != word {
						s.values = append(s.values, p.Key+": "+string(literal))
					}
				}, func(*jsonscan.Place, []byte) {})
			}
			dec.Close(emit)
			out[id] = s
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func longWords(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !(r|0x20 >= 'a' && r|0x20 <= 'z') }) {
		if len(w) >= 7 && w != "thinking" && w != "reasoning" { // marks of thinking stay
			out = append(out, w)
		}
	}
	return out
}

package capture

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"aircheck/schema"
)

const testKey = "sk-proj/aB3+x9&Zq\"7"

// Every spelling of a key is hidden, and nothing else changes.
func TestSpellings(t *testing.T) {
	s := NewSecrets(testKey)
	quoted, _ := json.Marshal(testKey)
	every := ""
	for i := range len(testKey) {
		every += fmt.Sprintf("%%%02x", testKey[i])
	}
	for name, spelt := range map[string]string{
		"plain": testKey, "json": string(quoted), "json, slashes": strings.ReplaceAll(strings.ReplaceAll(testKey, `"`, `\"`), "/", `\/`),
		"query": url.QueryEscape(testKey), "path": url.PathEscape(testKey), "percent, small": strings.ToLower(url.QueryEscape("/+&\"")) + testKey, "percent, all": every,
		"base64": base64.StdEncoding.EncodeToString([]byte(testKey)), "base64 of Basic": base64.StdEncoding.EncodeToString([]byte("user:" + testKey + ":x")),
		"base64, one before": base64.RawURLEncoding.EncodeToString([]byte("a" + testKey)), "base64, two before": base64.URLEncoding.EncodeToString([]byte("ab" + testKey + "c")),
	} {
		text := "data: {\"error\":\"bad key <" + spelt + ">\"}\n\n"
		got := []byte(text)
		s.Bytes(got)
		// The ends of base64 share characters with what stands beside the key.
		masked := strings.Count(string(got), "*")
		if len(got) != len(text) || masked < len(spelt)-8*3/2-12 || masked < len(testKey)-2 && !strings.HasPrefix(name, "json") {
			t.Errorf("%s: %s", name, got)
		}
		if bytes.Contains(got, []byte("aB3")) || !bytes.HasPrefix(got, []byte("data: {\"error\":\"bad key <")) || !bytes.HasSuffix(got, []byte(">\"}\n\n")) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// One pass finds what looking for each word finds.
func TestMatcher(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = 'a' + byte(rng.IntN(3))
		}
		return b
	}
	for range 2000 {
		var words [][]byte
		for range 1 + rng.IntN(5) {
			words = append(words, random(2+rng.IntN(6)))
		}
		text := random(rng.IntN(60))
		at, size := newMatcher(words).find(text, 0)
		want, longest := -1, 0
		for _, w := range words {
			if i := bytes.Index(text, w); i >= 0 && (want < 0 || i < want || i == want && len(w) > longest) {
				want, longest = i, len(w)
			}
		}
		if at != want || size != longest {
			t.Fatalf("%q in %q: at %d, %d bytes; want %d, %d", words, text, at, size, want, longest)
		}
	}
}

func answerOf(frames ...string) (row *schema.Request, raws [][]byte) {
	for _, f := range frames {
		raws = append(raws, []byte("data: "+f+"\n\n"))
	}
	return &schema.Request{RequestID: 7, API: new("openai-chat"), HTTPStatus: new(int32(200)), Streamed: new(true)}, raws
}

// A key that came in pieces is hidden in each, and what stands around it stays.
func TestPieces(t *testing.T) {
	const key = "sk-proj-0123456789"
	s := NewSecrets(key)
	delta := func(text string) string {
		return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%s}}]}`, text)
	}
	tool := func(text string) string {
		return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":%s}}]}}]}`, text)
	}
	for _, c := range []struct{ name, frames, want string }{
		{"tokens", delta(`"Your key: sk"`) + "|" + delta(`"-proj-01234"`) + "|" + delta(`"56789, is it?"`),
			delta(`"Your key: **"`) + "|" + delta(`"***********"`) + "|" + delta(`"*****, is it?"`)},
		{"escapes", delta(`"a \n sk\u002dproj"`) + "|" + delta(`"-0123456\u003789 b"`), delta(`"a \n ************"`) + "|" + delta(`"`+strings.Repeat("*", 16)+` b"`)},
		{"one frame, escaped", delta(`"x sk-proj-\u0030123456789 y"`), delta(`"x ` + strings.Repeat("*", 23) + ` y"`)},
		{"arguments", tool(`"{\"k\": \"sk-proj"`) + "|" + tool(`"-0123456789\"}"`), tool(`"{\"k\": \"*******"`) + "|" + tool(`"***********\"}"`)},
		{"nothing", delta(`"sk-proj-"`) + "|" + delta(`"012345678"`), delta(`"sk-proj-"`) + "|" + delta(`"012345678"`)},
		{"an error", `{"error":{"message":"bad key sk\u002dproj-0123456789"}}`, `{"error":{"message":"bad key ` + strings.Repeat("*", 23) + `"}}`},
	} {
		row, raws := answerOf(strings.Split(c.frames, "|")...)
		_, want := answerOf(strings.Split(c.want, "|")...)
		note := s.Pieces(row, raws)
		if note != "" || string(bytes.Join(raws, nil)) != string(bytes.Join(want, nil)) {
			t.Errorf("%s: note %q\n%s\nwant\n%s", c.name, note, bytes.Join(raws, nil), bytes.Join(want, nil))
		}
	}
}

// Of a compressed body that holds a key, sizes alone are kept.
func TestPiecesCompressed(t *testing.T) {
	s := NewSecrets("sk-proj-0123456789")
	for text, hidden := range map[string]bool{
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"the key sk-proj-0123456789\"}}]}\n\n":                                                             true,
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"sk-proj\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"-0123456789\"}}]}\n\n": true,
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"sk-proj\"}}]}\n\n":                                                                                false,
	} {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		w.Write([]byte(text))
		w.Close()
		row, _ := answerOf()
		row.ContentEncoding = new("gzip")
		half := z.Len() / 2
		raws := [][]byte{bytes.Clone(z.Bytes()[:half]), bytes.Clone(z.Bytes()[half:])}
		note := s.Pieces(row, raws)
		zero := len(bytes.Trim(bytes.Join(raws, nil), "\x00")) == 0
		if zero != hidden || (note != "") != hidden || len(raws[0]) != half {
			t.Errorf("%q: note %q, %q", text, note, raws)
		}
	}
}

func BenchmarkSecrets(b *testing.B) {
	raw := []byte(`data: {"id":"chatcmpl-0123","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" harbour"},"finish_reason":null}],"obfuscation":"aBcDeFgH"}` + "\n\n")
	for _, n := range []int{1, 60} {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("sk-live-%032d", i)
		}
		s := NewSecrets(keys...)
		b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				s.Bytes(raw)
			}
		})
	}
	s := NewSecrets("sk-live-0123456789")
	row, _ := answerOf()
	var raws [][]byte
	for range 300 {
		raws = append(raws, raw)
	}
	b.Run("pieces", func(b *testing.B) {
		for b.Loop() {
			s.Pieces(row, raws)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(raws)), "ns/frame")
	})
}

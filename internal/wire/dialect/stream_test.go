package dialect

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"aircheck/internal/wire/frame"
)

type flusher interface {
	io.WriteCloser
	Flush() error
}

// compressor writes a coding to w.
func compressor(t testing.TB, coding string, w io.Writer) flusher {
	switch coding {
	case "gzip":
		return gzip.NewWriter(w)
	case "zlib":
		return zlib.NewWriter(w)
	case "br":
		return brotli.NewWriter(w)
	case "flate":
		f, err := flate.NewWriter(w, 5)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	z, err := zstd.NewWriter(w)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// compress gives each frame as the bytes of one flush, the way servers stream.
func compress(t testing.TB, coding string, frames []string) []string {
	var buf bytes.Buffer
	w := compressor(t, coding, &buf)
	var pieces []string
	for _, f := range frames {
		io.WriteString(w, f)
		w.Flush()
		pieces = append(pieces, buf.String())
		buf.Reset()
	}
	w.Close()
	return append(pieces, buf.String())
}

// squeezed is a body compressed as a whole, as proxies do.
func squeezed(t testing.TB, coding, body string) string {
	var buf bytes.Buffer
	w := compressor(t, coding, &buf)
	io.WriteString(w, body)
	w.Close()
	return buf.String()
}

func TestCompressed(t *testing.T) {
	plain := append(sse(delta(`"content":"a"`), delta(`"content":"b"`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`), "data: [DONE]\n\n")
	for coding, header := range map[string]string{"gzip": "gzip", "zlib": "deflate", "flate": "deflate", "br": "br", "zstd": "zstd"} {
		pieces := compress(t, coding, plain)
		m := Meta{ContentType: "text/event-stream", ContentEncoding: header, Status: 200, Frames: frame.Reads}
		// Each flush is decoded when it arrives, not at the end.
		if got, want := one(decodeFrames("openai-chat", m, pieces...)), `text "a" / text "b" / finish stop=stop / done / start`; got != want {
			t.Errorf("%s: got %s, want %s", coding, got, want)
		}
		// Reads that end anywhere say the same.
		var bytewise []string
		for _, c := range []byte(strings.Join(pieces, "")) {
			bytewise = append(bytewise, string([]byte{c}))
		}
		got := strings.ReplaceAll(one(decodeFrames("openai-chat", m, bytewise...)), "start / ", "")
		if want := `text "a" / text "b" / finish stop=stop / done / `; !strings.HasPrefix(got, want) {
			t.Errorf("%s: byte by byte got %s", coding, got)
		}
		// One member without a flush, in one read or with its last bytes apart:
		// nothing is held back.
		body := squeezed(t, coding, strings.Join(plain, ""))
		for _, cut := range []int{0, len(body) - 8, len(body) / 2} {
			got := one(decodeFrames("openai-chat", m, body[:cut], body[cut:]))
			got = strings.ReplaceAll(strings.ReplaceAll(got, "start / ", ""), " · ", " / ")
			if got != `text "a" / text "b" / finish stop=stop / done` {
				t.Errorf("%s, not flushed, cut at %d: got %s", coding, cut, got)
			}
		}
		// Declared, but stored decoded.
		if got, want := one(decodeFrames("openai-chat", m, plain...)), `text "a" / text "b" / finish stop=stop / done`; got != want {
			t.Errorf("%s, not compressed: got %s, want %s", coding, got, want)
		}
		// Cut off in the middle: what came is kept.
		if got := one(decodeFrames("openai-chat", m, pieces[0], pieces[1][:1])); !strings.HasPrefix(got, `text "a" / start`) {
			t.Errorf("%s, cut off: got %s", coding, got)
		}
	}
	broken := compress(t, "gzip", plain)
	broken[1] = "\x00\x01\x02 nonsense"
	if got := one(decodeFrames("openai-chat", Meta{ContentType: "text/event-stream"}, broken...)); !strings.Contains(got, "undecoded @$ (gzip") {
		t.Errorf("broken gzip: %s", got)
	}
	// The last event has no blank line: it comes at the end.
	last := compress(t, "gzip", []string{strings.TrimSpace(plain[0])})
	if got, want := one(decodeFrames("openai-chat", Meta{ContentType: "text/event-stream"}, last...)), `start / start / text "a"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestErrorBodies(t *testing.T) {
	cases := []struct {
		status int
		body   string
		want   string
	}{
		{502, "<html>\r\n<head><title>502 Bad\n Gateway</title></head><body>x</body></html>", `error html||502 Bad Gateway`},
		{200, "<!DOCTYPE html><p>Model &amp; co</p>", `error html||Model & co`},
		{503, "upstream connect error: reset", `error text||upstream connect error: reset`},
		{500, `"quoted"`, `error text||"quoted"`},
		{200, "ok", `undecoded @$ (plain text)`},
		{404, `{"error":{"message":"The model does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, `error invalid_request_error|model_not_found|The model does not exist`},
		{400, `{"error":{"message":{"detail":"nested"},"code":400}}`, `error |400|nested`},
		{400, `{"__type":"ValidationException","message":"bad"}`, `error ValidationException||bad`},
		{400, `{"errors":[{"message":"first"},{"message":"second"}],"success":false}`, `error ||first`},
		{429, `{"status":429,"title":"Too Many Requests","type":"about:blank"}`, `error about:blank|429|Too Many Requests`},
		{500, `{"error":true}`, `error ||true`},
		{500, ``, `start`},
	}
	for _, c := range cases {
		got := one(decodeFrames("openai-chat", Meta{Status: c.status, Frames: frame.Whole}, c.body))
		if got != c.want {
			t.Errorf("%d %q:\n got %s\nwant %s", c.status, c.body, got, c.want)
		}
	}
}

// seeds are bodies of every dialect, taken from the tests' own fixtures.
func seeds(t testing.TB) []string {
	sseBody := func(frames ...string) string { return strings.Join(frames, "") }
	text := sse(delta(`"content":"a"`), delta(`"content":"b\n\u00e9"`), delta(`"content":""`), delta(`"content":"<think>"`))
	return []string{
		sseBody(text...),
		sseBody(sse(`{"obfuscation":"ab","choices":[{"index":0,"delta":{"reasoning":"x","reasoning_details":[{"text":"x"}]}}],"created":12}`, `{"obfuscation":"zzz","choices":[{"index":0,"delta":{"reasoning":"y","reasoning_details":[{"text":"y"}]}}],"created":13}`, `{"obfuscation":"zzz","choices":[{"index":0,"delta":{"reasoning":"y","reasoning_details":[{"text":"x"}]}}],"created":14}`)...),
		sseBody(sse(delta(`"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"1"}}]`), delta(`"tool_calls":[{"index":0,"function":{"arguments":"2"}}]`), delta(`"tool_calls":[{"index":0,"function":{"arguments":"3"}}]`), delta(`"tool_calls":[{"function":{"arguments":"4"}}]`))...),
		sseBody(named("response.output_item.added", `{"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"function_call","call_id":"c","name":"f","arguments":""}}`,
			"response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"a","sequence_number":1}`,
			"response.function_call_arguments.delta", `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"b","sequence_number":2}`,
			"response.function_call_arguments.done", `{"type":"response.function_call_arguments.done","output_index":0,"arguments":"ab"}`)...),
		sseBody(named("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`, "content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ud83d"}}`)...),
		"[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]},\n{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]}}]}]",
		"{\"model\":\"m\",\"created_at\":\"1\",\"message\":{\"content\":\"a\"},\"done\":false}\n{\"model\":\"m\",\"created_at\":\"2\",\"message\":{\"content\":\"b\"},\"done\":true}\n",
		sseBody(named("content-delta", `{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"a"}}}}`, "content-delta", `{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"b"}}}}`)...),
		awsFrame("event", "contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"a"}}`) + invoke(`{"generation":"a"}`),
		strings.Join(compress(t, "gzip", text), ""),
		"<html><title>x</title>", `{"error":{"message":"m"}}`, "data: {\"a\":[[[{", "\xEF\xBB\xBFdata: [DONE]\r\r",
	}
}

// decodeBody splits and decodes a body. With plain, no frame may use what was
// keepTemplate from another.
func decodeBody(t testing.TB, api string, body []byte, plain bool) []string {
	d := New(api, Meta{}).(*stream)
	kind := frame.Sniff(body)
	var got []string
	part := int32(0)
	emit := func(e *Event) {
		if e.Part != part {
			t.Fatalf("part %d, want %d", e.Part, part)
		}
		part++
		if e.Kind.Content() != (len(e.Text) > 0) {
			t.Fatalf("%v with text %q", e.Kind, e.Text)
		}
		if int(e.Bytes) != len(e.Text) || int(e.Chars) != utf8.RuneCount(e.Text) || !utf8.Valid(e.Text) {
			t.Fatalf("%v: %d bytes, %d characters of %q", e.Kind, e.Bytes, e.Chars, e.Text)
		}
		if (e.Kind == KindUsage) != (e.Usage != nil) || (e.Kind == KindError) != (e.Error != nil) || (e.Kind == KindTool) != (e.Tool != nil) ||
			(e.Kind == KindFinish) != (e.FinishReason != "") || e.Kind == KindUndecoded && e.Path == "" {
			t.Fatalf("%v without what it is about: %s", e.Kind, show(e))
		}
		got = append(got, show(e))
	}
	for _, f := range splitAll(kind, body) {
		part = 0
		if plain {
			d.forget()
		}
		d.Frame([]byte(f), emit)
		if part == 0 {
			t.Fatalf("frame %q gave no event", f)
		}
	}
	part = 0
	d.Close(emit)
	return got
}

// FuzzDecode: no bytes break a decoder, the same bytes say the same, and
// templates change nothing.
func FuzzDecode(f *testing.F) {
	for i, s := range seeds(f) {
		f.Add(byte(i), []byte(s))
	}
	f.Fuzz(func(t *testing.T, which byte, body []byte) {
		api := ""
		if n := int(which) % (len(table) + 1); n > 0 {
			api = table[n-1].api
		}
		got := decodeBody(t, api, body, false)
		if again := decodeBody(t, api, body, false); !slices.Equal(got, again) {
			t.Fatalf("%q: decoded twice:\n%s\n%s", body, got, again)
		}
		if plain := decodeBody(t, api, body, true); !slices.Equal(got, plain) {
			t.Fatalf("%q: with templates\n%s\nwithout\n%s", body, got, plain)
		}
	})
}

// TestTemplates: frames that look alike and are not.
func TestTemplates(t *testing.T) {
	for _, s := range seeds(t) {
		if got, plain := decodeBody(t, "", []byte(s), false), decodeBody(t, "", []byte(s), true); !slices.Equal(got, plain) {
			t.Errorf("%q: with templates\n%s\nwithout\n%s", s, got, plain)
		}
	}
	hits := func(frames []string) (n int) {
		d := New("openai-chat", Meta{}).(*stream)
		for _, f := range frames {
			d.begin(func(*Event) {})
			if d.repeats([]byte(f)) {
				n++
				continue
			}
			d.Frame([]byte(f), func(*Event) {})
		}
		return n
	}
	like := []string{delta(`"content":"a"`), delta(`"content":"bc"`), delta(`"content":"\"\\"`), delta(`"content":"é"`)}
	if n := hits(sse(like...)); n != 3 {
		t.Errorf("%d hits of 3", n)
	}
	if n := hits(sse(delta(`"content":"a"`), delta(`"content":"a","role":"x"`), delta(`"content":"a\"`), `{"choices":[{"index":1,"delta":{"content":"a"}}]}`, delta(`"content":""`))); n != 0 {
		t.Errorf("%d hits of 0", n)
	}
	if n := hits([]string{sse(like[0])[0], "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\nb\"}}]}\n\n"}); n != 0 {
		t.Error("a line end inside the text was taken for text")
	}
}

func TestDeepNesting(t *testing.T) {
	deep := strings.Repeat(`{"a":[`, 100000)
	for _, body := range []string{deep, delta(`"content":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000)), `{"x":` + strings.Repeat("[", 50000) + strings.Repeat("]", 50000) + `}`} {
		for i := range table {
			decodeBody(t, table[i].api, []byte("data: "+body+"\n\n"), false)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	words := []string{"The", " sky", " is", " blue", " because", "\\n", " of", " scattering", " \\u00e9", "."}
	chat := make([]string, 100)
	for i := range chat {
		chat[i] = fmt.Sprintf("data: {\"id\":\"chatcmpl-0123456789abcdef\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"gpt-oss-120b\",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_0123\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"},\"logprobs\":null,\"finish_reason\":null}],\"obfuscation\":\"%s\"}\n\n", words[i%len(words)], "abcdefgh"[:i%8+1])
	}
	claude := make([]string, 100)
	for i := range claude {
		claude[i] = fmt.Sprintf("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}}\n\n", words[i%len(words)])
	}
	for _, c := range []struct {
		name, api string
		frames    []string
		plain     bool
	}{{"chat", "openai-chat", chat, false}, {"chat-full-parse", "openai-chat", chat, true}, {"anthropic", "anthropic-messages", claude, false}, {"anthropic-full-parse", "anthropic-messages", claude, true}} {
		b.Run(c.name, func(b *testing.B) {
			raws := make([][]byte, len(c.frames))
			for i, f := range c.frames {
				raws[i] = []byte(f)
			}
			d := New(c.api, Meta{}).(*stream)
			n := 0
			emit := func(e *Event) { n += int(e.Bytes) }
			b.ReportAllocs()
			for b.Loop() {
				for _, raw := range raws {
					if c.plain {
						d.forget()
					}
					d.Frame(raw, emit)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(raws)), "ns/frame")
		})
	}
}

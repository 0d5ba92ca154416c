package frame

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

// cut splits a body in pieces of the given sizes (the last one takes the rest)
// and gives the frames, an incomplete one with a trailing mark.
func cut(kind Kind, body []byte, sizes ...int) []string {
	s := NewSplitter(kind)
	var got []string
	emit := func(raw []byte) { got = append(got, string(raw)) }
	for _, n := range sizes {
		n = min(n, len(body))
		s.Write(body[:n], emit)
		body = body[n:]
	}
	s.Write(body, emit)
	s.Close(func(raw []byte, complete bool) {
		f := string(raw)
		if !complete {
			f += "<incomplete>"
		}
		got = append(got, f)
	})
	return got
}

func awsMessage(t testing.TB, event, payload string) []byte {
	t.Helper()
	var buf bytes.Buffer
	msg := eventstream.Message{Payload: []byte(payload)}
	msg.Headers.Set(":message-type", eventstream.StringValue("event"))
	msg.Headers.Set(":event-type", eventstream.StringValue(event))
	msg.Headers.Set(":content-type", eventstream.StringValue("application/json"))
	if err := eventstream.NewEncoder().Encode(&buf, msg); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestSplit(t *testing.T) {
	m1, m2 := string(awsMessage(t, "a", `{"x":1}`)), string(awsMessage(t, "b", ``))
	cases := []struct {
		name string
		kind Kind
		body string
		want []string
	}{
		{"lf", SSE, "data: 1\n\ndata: 2\n\n", []string{"data: 1\n\n", "data: 2\n\n"}},
		{"crlf", SSE, "data: 1\r\n\r\ndata: 2\r\n\r\n", []string{"data: 1\r\n\r\n", "data: 2\r\n\r\n"}},
		{"cr", SSE, "data: 1\r\rdata: 2\r\r", []string{"data: 1\r\r", "data: 2\r\r"}},
		{"cr then lf leads the next", SSE, "data: 1\r\r\ndata: 2\n\n", []string{"data: 1\r\r", "\ndata: 2\n\n"}},
		{"mixed", SSE, "data: 1\n\r\ndata: 2\r\n\ndata: 3\n\rdata: 4\r\n\rx: 5\r\n\r", []string{
			"data: 1\n\r\n", "data: 2\r\n\n", "data: 3\n\r", "data: 4\r\n\r", "x: 5\r\n\r"}},
		{"comments are frames", SSE, ": OPENROUTER PROCESSING\n\n: again\ndata: 1\n\n", []string{": OPENROUTER PROCESSING\n\n", ": again\ndata: 1\n\n"}},
		{"blank lines lead", SSE, "\n\n\ndata: 1\n\n\n\ndata: 2\n\n", []string{"\n\n\ndata: 1\n\n", "\n\ndata: 2\n\n"}},
		{"blank lines trail", SSE, "data: 1\n\n\n\n", []string{"data: 1\n\n", "\n\n"}},
		{"bom", SSE, "\xEF\xBB\xBFdata: 1\n\n", []string{"\xEF\xBB\xBFdata: 1\n\n"}},
		{"no blank line", SSE, "data: 1\n\ndata: [DONE]\n", []string{"data: 1\n\n", "data: [DONE]\n<incomplete>"}},
		{"multi-line data", SSE, "event: a\ndata: 1\ndata: 2\n\n", []string{"event: a\ndata: 1\ndata: 2\n\n"}},
		{"line separators are text", SSE, "data: \u2028\u2029\u0085\n\n", []string{"data: \u2028\u2029\u0085\n\n"}},
		{"empty", SSE, "", nil},

		{"lines", NDJSON, "{\"a\":1}\n{\"a\":2}\r\n", []string{"{\"a\":1}\n", "{\"a\":2}\r\n"}},
		{"lines, blank ones", NDJSON, "\n \n{}\n\n", []string{"\n \n{}\n", "\n"}},
		{"last line without lf", NDJSON, "{}\n{\"a\"", []string{"{}\n", "{\"a\"<incomplete>"}},

		{"array", JSONArray, "[{\"a\":\"}]\\\"\"}\n,\r\n{\"b\":[1,{}]}\n]\n", []string{"[{\"a\":\"}]\\\"\"}", "\n,\r\n{\"b\":[1,{}]}", "\n]", "\n"}},
		{"array of literals", JSONArray, `[1,null,"x","y"]`, []string{`[1,null,"x"`, `,"y"`, `]`}},
		{"array cut off", JSONArray, `[{"a":1},{"b"`, []string{`[{"a":1}`, `,{"b"<incomplete>`}},
		{"array, bytes after it", JSONArray, `[{}] x`, []string{`[{}`, `]`, ` x<incomplete>`}},
		{"no array", JSONArray, "{\"error\":[{}]}\n", []string{"{\"error\":[{}]}\n"}},

		{"messages", EventStream, m1 + m2, []string{m1, m2}},
		{"message cut off", EventStream, m1 + m2[:20], []string{m1, m2[:20] + "<incomplete>"}},
		{"not messages", EventStream, m1 + "{\"message\":\"no\"}", []string{m1, "{\"message\":\"no\"}<incomplete>"}},

		{"events under another label", Whole, "\xEF\xBB\xBF\r\n\r\ndata: {}\r\n\r\nevent: x\r\n\r\n", []string{"\xEF\xBB\xBF\r\n\r\ndata: {}\r\n\r\n", "event: x\r\n\r\n"}},
		{"a comment under another label", Whole, "\n: c\n\ndata: 1\n\n", []string{"\n: c\n\n", "data: 1\n\n"}},
		{"half a mark", Whole, "\xEF\xBBdata: 1\n\n", []string{"\xEF\xBBdata: 1\n\n"}},
		{"half a mark in a stream", SSE, "\xEF\xBB\n\ndata: 1\n\n", []string{"\xEF\xBB\n\n", "data: 1\n\n"}},
		{"text that begins like a field", Whole, "dat\n\na: 1\n\n", []string{"dat\n\na: 1\n\n"}},
		{"whole", Whole, "<html>\n\n</html>", []string{"<html>\n\n</html>"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			body := []byte(c.body)
			want := fmt.Sprintf("%q", c.want)
			if got := fmt.Sprintf("%q", cut(c.kind, body)); got != want {
				t.Fatalf("in one piece:\n got %s\nwant %s", got, want)
			}
			for n := range len(body) {
				if got := fmt.Sprintf("%q", cut(c.kind, body, n)); got != want {
					t.Fatalf("in two pieces at %d:\n got %s\nwant %s", n, got, want)
				}
			}
		})
	}
}

// A blank line must not wait for what may never come.
func TestSplitAtOnce(t *testing.T) {
	for _, body := range []string{"data: 1\n\n", "data: 1\r\n\r\n", "data: 1\r\r", "data: 1\n\r\n"} {
		s, n := NewSplitter(SSE), 0
		s.Write([]byte(body), func([]byte) { n++ })
		if n != 1 || s.Pending() != 0 {
			t.Errorf("%q: %d frames, %d bytes pending", body, n, s.Pending())
		}
	}
}

func TestReadsAreFrames(t *testing.T) {
	got := cut(Reads, []byte("abcdef"), 2, 1)
	if fmt.Sprint(got) != "[ab c def]" {
		t.Errorf("got %q", got)
	}
}

// Any bytes in any pieces: frames concatenate to the body, and the pieces
// change no frame.
func TestSplitProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"\xEF\xBB\xBF", "\r", "\n", "\r\n", "data: {\"a\":1}", ":", "event: x", "[", "]", "{", "}", ",", `"`, `\`, "é", "\u2028", " ", "\x00", "\xff",
		string(awsMessage(t, "e", "{}")), string(awsMessage(t, "e", "{}")[:13])}
	for range 3000 {
		var body []byte
		for range rng.IntN(30) {
			body = append(body, words[rng.IntN(len(words))]...)
		}
		var sizes []int
		for range rng.IntN(12) {
			sizes = append(sizes, rng.IntN(9))
		}
		checkSplit(t, body, sizes)
	}
}

func checkSplit(t *testing.T, body []byte, sizes []int) {
	t.Helper()
	for _, kind := range []Kind{Auto, SSE, NDJSON, JSONArray, EventStream, Whole} {
		one := cut(kind, body)
		joined := strings.TrimSuffix(strings.Join(one, ""), "<incomplete>")
		if joined != strings.TrimSuffix(string(body), "<incomplete>") {
			t.Fatalf("%v: frames of %q make %q", kind, body, joined)
		}
		if many := cut(kind, body, sizes...); fmt.Sprintf("%q", many) != fmt.Sprintf("%q", one) {
			t.Fatalf("%v: %q in pieces %v:\n got %q\nwant %q", kind, body, sizes, many, one)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"data: 1\r\n\r\n: c\n\n", "[{\"a\":1},\n{}]", "{}\n{}\n", string(awsMessage(f, "e", "{}")), "\xEF\xBB\xBFdata\r\r\n\n", "a\n\r\r\n\r", " \n\r 0", "\xEF\xBB\xBF \n\r 0", " \n\n \ndata: 1\n\nx"} {
		f.Add([]byte(s), []byte{1, 3, 0, 2})
	}
	f.Fuzz(func(t *testing.T, body, pieces []byte) {
		sizes := make([]int, len(pieces))
		for i, n := range pieces {
			sizes[i] = int(n)
		}
		checkSplit(t, body, sizes)
	})
}

// No frame costs an allocation once the buffer has grown.
func TestSplitAllocs(t *testing.T) {
	body := []byte(strings.Repeat("data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", 50))
	s := NewSplitter(SSE)
	n := 0
	emit := func([]byte) { n++ }
	feed := func() {
		for p := body; len(p) > 0; {
			k := min(37, len(p))
			s.Write(p[:k], emit)
			p = p[k:]
		}
	}
	feed()
	if a := testing.AllocsPerRun(20, feed); a != 0 {
		t.Errorf("%v allocations for 50 frames", a)
	}
}

func BenchmarkSplitSSE(b *testing.B) {
	body := []byte(strings.Repeat("data: {\"id\":\"chatcmpl-0123456789\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word\"},\"finish_reason\":null}]}\n\n", 100))
	s := NewSplitter(SSE)
	emit := func([]byte) {}
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		s.Write(body, emit)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/frame")
}

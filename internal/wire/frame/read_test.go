package frame

import (
	"fmt"
	"testing"
)

func TestKindFor(t *testing.T) {
	cases := []struct {
		contentType string
		status      int
		api         string
		want        Kind
	}{
		{"text/event-stream", 200, "openai-chat", SSE},
		{"text/event-stream; charset=utf-8", 200, "gemini", SSE},
		{"TEXT/Event-Stream;charset", 200, "", SSE},
		{"text/event-stream", 429, "openai-chat", Whole},
		{"application/x-ndjson", 200, "ollama", NDJSON},
		{"application/stream+json", 200, "cohere", NDJSON},
		{"application/jsonl", 200, "", NDJSON},
		{"application/json; charset=utf-8", 200, "ollama", Whole},
		{"application/json", 200, "openai-chat", Whole},
		{"application/json", 200, "gemini", JSONArray},
		{"application/json", 503, "gemini", Whole},
		{"application/vnd.amazon.eventstream", 200, "bedrock-converse", EventStream},
		{"text/html", 200, "openai-chat", Whole},
		{"text/html", 502, "ollama", Whole},
		{"", 200, "openai-chat", SSE},
		{"", 200, "ollama", NDJSON},
		{"text/plain", 200, "bedrock-converse", EventStream},
		{"text/plain; charset=utf-8", 401, "openai-chat", Whole},
		{"", 0, "", Whole},
	}
	for _, c := range cases {
		if got := KindFor(c.contentType, c.status, c.api); got != c.want {
			t.Errorf("KindFor(%q, %d, %q) = %v, want %v", c.contentType, c.status, c.api, got, c.want)
		}
	}
}

func TestSniff(t *testing.T) {
	cases := map[string]Kind{
		"":                                      Whole,
		"data: {}\n\n":                          SSE,
		"\xEF\xBB\xBF\r\nevent: ping\r\n\r\n":   SSE,
		": OPENROUTER PROCESSING\n\n":           SSE,
		"{\"a\":1}\n{\"a\":2}\n":                NDJSON,
		"{\"a\":1}\n":                           Whole,
		"{\n \"a\": 1\n}\n":                     Whole,
		"[{\n \"a\": 1\n}\n,":                   JSONArray,
		"[1,2]":                                 Whole,
		"<html>":                                Whole,
		string(awsMessage(t, "chunk", `{"a"}`)): EventStream,
	}
	for body, want := range cases {
		if got := Sniff([]byte(body)); got != want {
			t.Errorf("Sniff(%q) = %v, want %v", body, got, want)
		}
	}
}

func TestParseSSE(t *testing.T) {
	var r SSEReader
	show := func(raw string) string {
		e := r.Parse([]byte(raw))
		if e.DataAt >= 0 && raw[e.DataAt:e.DataAt+len(e.Data)] != string(e.Data) {
			t.Errorf("%q: data is not at %d", raw, e.DataAt)
		}
		return fmt.Sprintf("%s|%s|%v|%s|%s|%s", e.Name, e.Data, e.HasData, e.ID, e.Comment, e.Other)
	}
	cases := []struct{ raw, want string }{
		{"\xEF\xBB\xBFdata: 1\n\n", "|1|true|||"},
		{"\xEF\xBB\xBFdata: 1\n\n", "||false|||\xEF\xBB\xBFdata: 1"}, // stripped once
		{"data:{\"a\":1}\r\n\r\n", `|{"a":1}|true|||`},
		{"data:  two spaces\n\n", "| two spaces|true|||"},
		{"event: x\rdata: 1\rdata: 2\r\r", "x|1\n2|true|||"},
		{"data: 1\ndata: 2\ndata:\ndata: 4\n\n", "|1\n2\n\n4|true|||"},
		{"data:\ndata:\n\n", "|\n|true|||"},
		{"data\n\n", "||true|||"},
		{": a\n:b\nid: 7\nretry: 3\ndata: x", "|x|true|7| a\nb|"},
		{"{\"error\":\n {}}\n\n", "||false|||{\"error\":\n {}}"},
		{"data: a\u2028b\u0085c\n\n", "|a\u2028b\u0085c|true|||"},
		{"\ndata: 1\n\n", "|1|true|||"},
		{"\r\n", "||false|||"},
	}
	for _, c := range cases {
		if got := show(c.raw); got != c.want {
			t.Errorf("%q: got %q, want %q", c.raw, got, c.want)
		}
	}
}

func TestParseMessage(t *testing.T) {
	raw := awsMessage(t, "contentBlockDelta", `{"delta":{}}`)
	m, err := ParseMessage(raw)
	if err != nil || m.Type != "event" || m.Event != "contentBlockDelta" || string(m.Payload) != `{"delta":{}}` {
		t.Fatalf("got %+v, %v", m, err)
	}
	for i := range raw {
		bad := append([]byte(nil), raw...)
		bad[i] ^= 0x40
		if _, err := ParseMessage(bad); err == nil {
			t.Errorf("a changed byte at %d went unnoticed", i)
		}
	}
	if _, err := ParseMessage(append(raw, 0)); err == nil {
		t.Error("a byte after the message went unnoticed")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("event: a\ndata: 1\r\ndata\n: c\n\n"))
	f.Add(awsMessage(f, "chunk", "{}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r SSEReader
		e := r.Parse(raw)
		if e.DataAt >= 0 && string(raw[e.DataAt:e.DataAt+len(e.Data)]) != string(e.Data) {
			t.Fatal("data is not where it is said to be")
		}
		if m, err := ParseMessage(raw); err == nil && len(m.Payload) > len(raw) {
			t.Fatal("payload larger than the message")
		}
		Sniff(raw)
	})
}

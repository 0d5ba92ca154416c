package imports

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// exchangesOf writes a file and reads it in a format.
func exchangesOf(t testing.TB, format, name, text string) ([]*Exchange, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out []*Exchange
	err := Exchanges(context.Background(), format, path, func(x *Exchange) error { out = append(out, x); return nil })
	return out, err
}

func one(t testing.TB, format, name, text string) *Exchange {
	t.Helper()
	xs, err := exchangesOf(t, format, name, text)
	if err != nil || len(xs) != 1 {
		t.Fatalf("%s: %d exchanges, %v", name, len(xs), err)
	}
	return xs[0]
}

const stream = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n"

func gz(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.Bytes()
}

func b64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

// Every recorder's form of one exchange gives the same body.
func TestCassettes(t *testing.T) {
	const url = "https://api.openai.com/v1/chat/completions"
	const sent = `{"model":"m","stream":true}`
	for name, text := range map[string]string{
		"vcrpy.yaml":   "version: 1\ninteractions:\n- request: {method: POST, uri: '" + url + "', body: '" + sent + "', headers: {}}\n  response: {status: {code: 200, message: OK}, headers: {content-type: [text/event-stream]}, body: {string: " + quote(stream) + "}}\n",
		"binary.yaml":  "interactions:\n- request: {method: POST, uri: '" + url + "', body: !!binary " + b64([]byte(sent)) + "}\n  response: {status: {code: 200}, headers: {content-type: [text/event-stream]}, body: {string: !!binary " + b64([]byte(stream)) + "}}\n",
		"vcrpy.json":   `{"version":1,"interactions":[{"request":{"method":"POST","uri":"` + url + `","body":` + quote(sent) + `},"response":{"status":{"code":200},"headers":{"Content-Type":["text/event-stream"]},"body":{"base64_string":"` + b64([]byte(stream)) + `"}}}]}`,
		"govcr.yaml":   "---\nversion: 2\ninteractions:\n- id: 0\n  request: {host: api.openai.com, body: '" + sent + "', url: '" + url + "', method: POST}\n  response: {proto: HTTP/2.0, body: " + quote(stream) + ", headers: {Content-Type: [text/event-stream]}, status: 200 OK, code: 200, duration: 1.5s}\n",
		"ruby.yml":     "---\nhttp_interactions:\n- request: {method: post, uri: '" + url + "', body: {encoding: UTF-8, string: '" + sent + "'}}\n  response: {status: {code: 200, message: OK}, headers: {Content-Type: [text/event-stream]}, body: {encoding: ASCII-8BIT, string: !binary " + b64([]byte(stream)) + "}}\n  recorded_at: Fri, 02 Jan 2026 03:04:05 GMT\n",
		"ruby64.yml":   "---\nhttp_interactions:\n- request: {method: post, uri: '" + url + "', body: {base64_string: " + b64([]byte(sent)) + "}}\n  response: {status: {code: 200}, headers: {Content-Type: [text/event-stream]}, body: {base64_string: " + b64([]byte(stream)) + "}}\n",
		"apart.yaml":   "requests:\n- {method: POST, uri: '" + url + "', body: '" + sent + "'}\nresponses:\n- {status: {code: 200}, headers: {content-type: [text/event-stream]}, body: {string: " + quote(stream) + "}}\n",
		"httprr":       httprrFile("POST "+url+" HTTP/1.1\r\nHost: api.openai.com\r\nContent-Length: 999\r\n\r\n"+sent, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"+stream),
		"httprr-chunk": httprrFile("POST "+url+" HTTP/1.1\r\nHost: api.openai.com\r\n\r\n"+sent, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/event-stream\r\n\r\n"+fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", 10, stream[:10], len(stream)-10, stream[10:])),
		"events.json":  `{"request":{"method":"POST","url":"` + url + `","body":` + sent + `},"response":{"is_streaming":true,"body":[{"__type__":"x","__data__":{"choices":[{"delta":{"content":"a"}}]}},{"__data__":{"b":"\ud83d\ude00"}}]}}`,
		"reads.json":   `{"request":{"method":"POST","url":"` + url + `","body":{"b64":"` + b64([]byte(sent)) + `"}},"response":{"status":200,"headers":{"content-type":"text/event-stream"}},"chunks":[{"b64":"` + b64([]byte(stream[:9])) + `"},{"b64":"` + b64([]byte(stream[9:])) + `"}]}`,
	} {
		x := one(t, "vcr", name, text)
		q, frames := x.Rows("")
		body := string(join(frames))
		want := stream
		if name == "events.json" {
			want = "{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n{\"b\":\"😀\"}\n"
		}
		if body != want || string(x.Body) != want || len(frames) != 2 {
			t.Errorf("%s: body %q in %d frames", name, body, len(frames))
		}
		if string(x.RequestBody) != sent || q.Provider != "openai" || q.Model != "m" || *q.API != "openai-chat" || !*q.Streamed {
			t.Errorf("%s: sent %q to %s, model %s, api %v", name, x.RequestBody, q.Provider, q.Model, *q.API)
		}
		switch name {
		case "govcr.yaml":
			if *q.HeadersNs != 15e8 || *q.HTTPVersion != "HTTP/2.0" {
				t.Errorf("%s: head after %v", name, *q.HeadersNs)
			}
		case "ruby.yml":
			if *q.StartedAtNs != 1767323045e9 || *q.Labels != `{"started_at":"recorded_at"}` {
				t.Errorf("%s: started at %d, %s", name, *q.StartedAtNs, *q.Labels)
			}
		case "events.json":
			if *q.Labels != `{"body":"parsed events"}` || q.HTTPStatus != nil {
				t.Errorf("%s: %s", name, *q.Labels)
			}
		default:
			if q.StartedAtNs != nil {
				t.Errorf("%s: a time where the source has none", name)
			}
		}
		for _, c := range frames {
			if c.Clock != "none" || c.TNs != nil || c.TReadNs != nil || c.TLoNs != nil {
				t.Errorf("%s: a frame has a time", name)
			}
		}
	}
}

func httprrFile(request, response string) string {
	return fmt.Sprintf("httprr trace v1\n%d %d\n%s%s", len(request), len(response), request, response)
}

func TestMockWithoutHost(t *testing.T) {
	x := one(t, "vcr", "mock.yaml", "when: {path: /model/amazon.nova-lite-v1%3A0/converse-stream, method: POST, body: '{}'}\nthen: {status: 200, header: [{name: content-type, value: application/json}], body_encoding: base64, body: "+b64([]byte(`{"a":1}`))+"}\n")
	q, frames := x.Rows("")
	if q.Provider != "" || q.Model != "amazon.nova-lite-v1:0" || *q.API != "bedrock-converse" || string(join(frames)) != `{"a":1}` {
		t.Errorf("%+v", q)
	}
}

// A body that is still compressed is kept as it is, one frame a read; one that
// the recorder has decompressed is framed, whatever its header says.
func TestCompressedBodies(t *testing.T) {
	z := gz(stream)
	har := func(enc, text string, pieces bool) string {
		content := `{"mimeType":"text/event-stream","encoding":"base64","text":` + quote(text) + `}`
		if !pieces && enc == "plain" {
			content = `{"mimeType":"text/event-stream","text":` + quote(text) + `}`
		}
		return `{"log":{"creator":{"name":"Polly.JS"},"entries":[{"startedDateTime":"2026-01-02T03:04:05.678Z","time":250,
			"request":{"method":"POST","url":"https://api.openai.com/v1/chat/completions","postData":{"text":"{\"model\":\"m\"}"}},
			"response":{"status":200,"headers":[{"name":"content-encoding","value":"gzip"},{"name":"content-type","value":"text/event-stream"}],"content":` + content + `},
			"timings":{"blocked":-1,"dns":-1,"connect":-1,"send":0,"wait":250,"receive":0,"ssl":-1}}]}}`
	}
	pieces, _ := json.Marshal([]string{b64(z[:7]), b64(z[7:])})
	x := one(t, "har", "x.har", har("base64", string(pieces), true))
	q, frames := x.Rows("")
	if !bytes.Equal(join(frames), z) || len(frames) != 2 || frames[1].ReadSeq != 1 || q.ContentEncoding == nil || *q.ContentEncoding != "gzip" {
		t.Errorf("pieces: %d frames, encoding %v", len(frames), q.ContentEncoding)
	}
	if *q.EndNs != 250e6 || q.HeadersNs != nil || *q.StartedAtNs != 1767323045678e6 {
		t.Errorf("Polly's wait is the whole: end %v, head %v", *q.EndNs, q.HeadersNs)
	}
	x = one(t, "har", "x.har", har("base64", b64(z), false))
	if q, frames = x.Rows(""); len(frames) != 1 || *q.ContentEncoding != "gzip" {
		t.Errorf("base64: %d frames", len(frames))
	}
	x = one(t, "har", "x.har", har("plain", stream, false))
	if q, frames = x.Rows(""); len(frames) != 2 || q.ContentEncoding != nil {
		t.Errorf("decompressed: %d frames, encoding %v", len(frames), q.ContentEncoding)
	}
	var br bytes.Buffer
	w := brotli.NewWriter(&br)
	w.Write([]byte(stream))
	w.Close()
	for body, want := range map[string]string{br.String(): "br", stream: ""} {
		x := &Exchange{Body: []byte(body), Header: map[string][]string{"Content-Encoding": {"br"}}}
		if got := x.encoding(); got != want {
			t.Errorf("encoding %q, want %q", got, want)
		}
	}
}

func TestBrowserArchiveTimes(t *testing.T) {
	x := one(t, "har", "chrome.har", `{"log":{"creator":{"name":"WebInspector"},"entries":[
		{"startedDateTime":"2026-01-02T03:04:05+01:00","time":1234.5,
		 "request":{"method":"POST","url":"https://api.anthropic.com/v1/messages","httpVersion":"h2","postData":{"text":"{\"model\":\"claude\",\"stream\":true}"}},
		 "response":{"status":200,"headers":[],"content":{"mimeType":"text/event-stream","text":"event: ping\ndata: {}\n\n"}},
		 "timings":{"blocked":10,"dns":5,"connect":30,"ssl":20,"send":1,"wait":200,"receive":988.5}}]}}`)
	q, _ := x.Rows("")
	for what, c := range map[string][2]int64{
		"dns": {*q.DNSNs, 5e6}, "connect": {*q.ConnectNs, 10e6}, "tls": {*q.TLSNs, 20e6}, "sent": {*q.SentNs, 46e6}, "headers": {*q.HeadersNs, 246e6}, "end": {*q.EndNs, 12345e5},
		"started": {*q.StartedAtNs, 1767319445e9},
	} {
		if c[0] != c[1] {
			t.Errorf("%s %d, want %d", what, c[0], c[1])
		}
	}
	if q.Provider != "anthropic" || *q.API != "anthropic-messages" {
		t.Errorf("%+v", q)
	}
}

// What a browser did not keep is no empty answer.
func TestArchiveWithoutBodies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.har")
	os.WriteFile(path, []byte(`{"log":{"entries":[
		{"request":{"method":"POST","url":"https://api.openai.com/v1/chat/completions","postData":{"text":"{\"model\":\"m\"}"}},"response":{"status":200,"content":{"size":900}}},
		{"request":{"method":"POST","url":"https://api.openai.com/v1/chat/completions","postData":{"text":"{\"model\":\"m\"}"}},"response":{"status":0,"_error":"net::ERR_CONNECTION_RESET","content":{"size":0}}}]}}`), 0o644)
	to := filepath.Join(t.TempDir(), "traces")
	res := importFiles(t, Options{Format: "har", Files: []string{path}, To: to})
	rows, _ := load(t, to)
	if len(rows) != 1 || *rows[0].ErrorText != "net::ERR_CONNECTION_RESET" || rows[0].HTTPStatus != nil || len(res.Skipped()) != 1 {
		t.Errorf("%d rows, left out %v", len(rows), res.Skipped())
	}
}

func TestFilesThatAreSomethingElse(t *testing.T) {
	for _, c := range []struct{ format, text, want string }{
		{"vcr", "a: [", "not YAML or JSON"}, {"vcr", "name: plan\n", "no cassette of a kind that is known"},
		{"vcr", "requests: [{}]\nresponses: []\n", "1 requests and 0 responses do not pair up"},
		{"vcr", "httprr trace v1\n5 9999\nabc", "broken httprr trace"}, {"vcr", "interactions: [{response: {body: {string: !!binary '***'}}}]", "binary text is not base64"},
		{"har", "{\"log\": {}}", "it has no log.entries"}, {"har", "not at all", `no HTTP archive: it begins with "not at all"`}, {"har", "{\"log\": {\"entries\": [", "no HTTP archive"},
		{"reads", "{}", "no reads in it"}, {"reads", `{"chunks":[{"b64":"*"}]}`, "read 0 is not base64"},
		{"sse", "", "empty"}, {"sse", "npm warn", "no body of a model's response"},
	} {
		xs, err := exchangesOf(t, c.format, "x", c.text)
		var wrong *notThis
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) || len(xs) > 0 {
			t.Errorf("%s: %q: %d exchanges, %v; want %q", c.format, c.text, len(xs), err, c.want)
		}
	}
}

func TestBodies(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		frames int
		api    string
		parsed bool
	}{
		"sse":     {stream, 2, "openai-chat", false},
		"ndjson":  {"{\"model\":\"m\",\"created_at\":\"t\",\"done\":false}\n{\"done\":true}\n", 2, "ollama", false},
		"array":   {"[{\"type\":\"message_start\",\"message\":{\"model\":\"c\"}},\n {\"type\":\"message_stop\"}\n]\n", 4, "anthropic-messages", false},
		"json":    {"{\"error\": {\n\"code\": 404}}\n", 1, "", false},
		"html":    {"<html>502</html>", 1, "", false},
		"wrapped": {"{\"LastEventID\":\"\",\"Type\":\"a\",\"Data\":\"{\\\"type\\\":\\\"message_start\\\"}\"}\n{\"LastEventID\":\"\",\"Type\":\"\",\"Data\":\"[DONE]\"}\n", 2, "anthropic-messages", true},
	} {
		x := one(t, "sse", name, c.text)
		q, frames := x.Rows("")
		api := ""
		if q.API != nil {
			api = *q.API
		}
		if len(frames) != c.frames || api != c.api || x.Parsed != c.parsed || !bytes.Equal(join(frames), x.Body) {
			t.Errorf("%s: %d frames, api %q, parsed %v", name, len(frames), api, x.Parsed)
		}
	}
}

func TestGuessAPI(t *testing.T) {
	for _, c := range []struct{ url, body, want string }{
		{"https://api.openai.com/v1/chat/completions", "", "openai-chat"},
		{"https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1", "", "openai-chat"},
		{"https://api.openai.com/v1/responses", "", "openai-responses"},
		{"https://chatgpt.com/backend-api/codex/responses", "", "openai-responses"},
		{"https://api.anthropic.com/v1/messages", `{"model":"c"}`, "anthropic-messages"},
		{"https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/claude@1:streamRawPredict", "", "anthropic-messages"},
		{"https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse", "", "gemini"},
		{"https://bedrock-runtime.us-east-1.amazonaws.com/model/x%3A0/converse-stream", "", "bedrock-converse"},
		{"https://bedrock-runtime.us-east-1.amazonaws.com/model/x/invoke-with-response-stream", `{"messages":[],"max_tokens":1,"system":""}`, "bedrock-invoke"},
		{"http://localhost:11434/api/chat", "", "ollama"}, {"/api/generate", "", "ollama"},
		{"https://api.cohere.com/v2/chat", "", "cohere"}, {"/v2/chat", "", "cohere"},
		{"https://api.writer.com/v1/chat", `data: {"object":"chat.completion.chunk","choices":[]}`, "openai-chat"},
		{"https://api.openai.com/v1/completions", "", "openai-completions"},
		{"https://api.openai.com/v1/embeddings", `{"model":"e","input":"x"}`, ""},
		{"https://api.openai.com/v1/models", "", ""}, {"<BASE>/chat/completions", "", "openai-chat"},
		{"", `{"type":"response.created"}`, "openai-responses"}, {"", `{"candidates":[]}`, "gemini"}, {"", "[{\"candidates\":[]}]", "gemini"},
		{"", `{"object":"text_completion","choices":[{"text":"a"}]}`, "openai-completions"}, {"", `{"choices":[{"delta":{}}]}`, "openai-chat"},
		{"", "event: message_start\ndata: {\"type\":\"message_start\"}\n\n", "anthropic-messages"}, {"", ": hi\n\ndata: {\"choices\":[{\"delta\":{}}]}\n\n", "openai-chat"},
		{"", `{"contentBlockDelta":{}}`, "bedrock-converse"}, {"", `{"type":"message-start"}`, "cohere"}, {"", "no json", ""}, {"", "", ""},
	} {
		if got := GuessAPI(c.url, []byte(c.body)); got != c.want {
			t.Errorf("GuessAPI(%q, %q) = %q, want %q", c.url, c.body, got, c.want)
		}
	}
}

func TestNoCall(t *testing.T) {
	for _, c := range []struct{ method, url, body, want string }{
		{"GET", "https://api.openai.com/v1/models", "", "a list of models"},
		{"POST", "https://api.openai.com/v1/embeddings", `{"model":"e","input":"x"}`, "embeddings"},
		{"POST", "https://oauth2.googleapis.com/token", "", "an access token"},
		{"POST", "https://api.anthropic.com/v1/messages/count_tokens", `{"messages":[]}`, "a token count"},
		{"POST", "https://mcp.deepwiki.com/mcp", `{"jsonrpc":"2.0"}`, "a tool server"},
		{"POST", "https://tools.example/x", `{"jsonrpc":"2.0"}`, "JSON-RPC"},
		{"POST", "http://localhost:11434/api/pull", "{}", "Ollama's own administration"},
		{"GET", "https://www.example.org/", "", "GET"}, {"POST", "https://www.example.org/search", "{}", "www.example.org/search"},
		{"POST", "https://api.openai.com/v1/chat/completions", "{}", ""}, {"post", "https://generativelanguage.googleapis.com/v1beta/models/g:generateContent", "{}", ""},
		{"POST", "https://new.example/v3/generate", `{"prompt":"x"}`, ""}, {"", "", "", ""},
	} {
		got := NoCall(&Exchange{Method: c.method, URL: c.url, RequestBody: []byte(c.body)})
		if strings.TrimPrefix(got, "no call of a model: ") != c.want {
			t.Errorf("%s %s: %q, want %q", c.method, c.url, got, c.want)
		}
	}
}

// Reads keep their ends: a frame belongs to the read that completed it.
func TestReadSeq(t *testing.T) {
	x := &Exchange{Header: map[string][]string{"Content-Type": {"text/event-stream"}}, Body: []byte("data: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4"), Reads: []int{4, 14, 9, 7}}
	_, frames := x.Rows("openai-chat")
	var got []string
	for _, c := range frames {
		got = append(got, fmt.Sprintf("%d %q %v", c.ReadSeq, c.Raw, c.Complete))
	}
	want := []string{`1 "data: 1\n\n" true`, `1 "data: 2\n\n" true`, `2 "data: 3\n\n" true`, `3 "data: 4" false`}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Any bytes in any format give exchanges or a reason, and bodies that add up.
func FuzzExchanges(f *testing.F) {
	f.Add("vcr", "interactions:\n- request: {}\n  response: {body: {string: x}}\n")
	f.Add("vcr", httprrFile("POST /x HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nx"))
	f.Add("vcr", `{"version":"LLM_PROXY","layout":{"req_header_len":-1}}`+"\n")
	f.Add("har", `{"log":{"entries":[{"response":{"content":{"encoding":"base64","text":"[\"AA==\"]"}}}]}}`)
	f.Add("reads", `{"chunks":[{"b64":"AAAA"}],"request":{}}`)
	f.Add("sse", stream)
	path := filepath.Join(f.TempDir(), "x")
	f.Fuzz(func(t *testing.T, format, text string) {
		if _, ok := chunkFormats[format]; !ok {
			return
		}
		os.WriteFile(path, []byte(text), 0o644)
		Exchanges(context.Background(), format, path, func(x *Exchange) error {
			NoCall(x)
			q, frames := x.Rows("")
			if !bytes.Equal(join(frames), x.Body) || *q.BytesReceived != int64(len(x.Body)) {
				t.Errorf("frames do not add up to the body")
			}
			for i := range frames[:max(0, len(frames)-1)] {
				if frames[i].ReadSeq > frames[i+1].ReadSeq || !frames[i].Complete {
					t.Errorf("frame %d: %+v", i, frames[i])
				}
			}
			return nil
		})
	})
}

// A body without end markers holds two responses where content follows a finish
// under another id, and one where each frame has an id of its own.
func TestSeveralResponsesInABody(t *testing.T) {
	say := func(id, text, finish string) string {
		return fmt.Sprintf("data: {\"id\":%q,\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":%s}]}\n\n", id, text, finish)
	}
	const no, stop = "null", `"stop"`
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"two":                  {say("a", "One", no) + say("a", "", stop) + say("b", "Two", no) + say("b", "", stop), 2},
		"two, in a frame each": {say("a", "One", stop) + say("b", "Two", stop), 2},
		"one":                  {say("a", "One", no) + say("a", "", stop) + say("a", " more", no), 1},
		"an id a frame":        {say("a", "One", no) + say("b", "", stop) + say("c", " more", no), 1},
		"usage under another":  {say("a", "One", no) + say("a", "", stop) + say("b", "", no), 1},
	} {
		file := filepath.Join(t.TempDir(), "f.sse")
		if err := os.WriteFile(file, []byte(c.body), 0o644); err != nil {
			t.Fatal(err)
		}
		res := importFiles(t, Options{Format: "sse", Files: []string{file}, To: filepath.Join(t.TempDir(), "traces"), Set: Declared{Provider: "p"}})
		if got := res.Rows(); got != c.want {
			t.Errorf("%s: %d requests, want %d", name, got, c.want)
		}
	}
}

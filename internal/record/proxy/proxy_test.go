package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"aircheck/internal/record/content"
	"aircheck/schema"
)

const callerKey = "sk-caller-0123456789abcdef"

// provider is a server behind the proxy.
func provider(t *testing.T, h http.HandlerFunc) *url.URL {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// front is a proxy that serves.
type front struct {
	*Proxy
	t    *testing.T
	url  string
	dir  string
	stop func() Done

	mu   sync.Mutex
	said []string
}

func serve(t *testing.T, o Options) *front {
	t.Helper()
	f := &front{t: t, dir: o.Dir}
	if f.dir == "" {
		f.dir = filepath.Join(t.TempDir(), "traces")
	}
	o.Dir, o.Name = f.dir, "live"
	o.Say = func(line string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.said = append(f.said, line)
	}
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	if l.Public {
		t.Fatal("an address without a host is for this machine alone")
	}
	f.Proxy, f.url = p, "http://"+l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, context.Background(), p, l) }()
	f.stop = sync.OnceValue(func() Done {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		done, err := p.Close()
		if err != nil {
			t.Error(err)
		}
		return done
	})
	t.Cleanup(func() { f.stop() })
	return f
}

func (f *front) post(path, body string, header ...string) (*http.Response, string) {
	f.t.Helper()
	req, _ := http.NewRequest("POST", f.url+path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+callerKey)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		f.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		data = append(data, (" <" + err.Error() + ">")...)
	}
	return resp, string(data)
}

// rows ends the proxy and reads back what it recorded.
func (f *front) rows() ([]*schema.Request, map[int64][]schema.Chunk) {
	f.t.Helper()
	f.stop()
	return read(f.t, f.dir)
}

func read(t *testing.T, dir string) ([]*schema.Request, map[int64][]schema.Chunk) {
	t.Helper()
	faults, err := schema.Verify(context.Background(), dir)
	if err != nil || len(faults) > 0 {
		t.Fatalf("verify: %v, %v", faults, err)
	}
	d, err := schema.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	var rows []*schema.Request
	frames := map[int64][]schema.Chunk{}
	for _, run := range runs {
		if err := d.EachRequest(run, func(r *schema.Request) error { rows = append(rows, new(*r)); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := d.EachResponse(context.Background(), run, func(id int64, c []schema.Chunk) error {
			for i := range c {
				c[i].Raw = bytes.Clone(c[i].Raw)
			}
			frames[id] = slices.Clone(c)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return rows, frames
}

func body(frames []schema.Chunk) string {
	var b strings.Builder
	for _, f := range frames {
		b.Write(f.Raw)
	}
	return b.String()
}

const ask = `{"model":"gpt-x","stream":true,"messages":[{"role":"user","content":"hi"}]}`

// sse streams frames of text.
func sse(w http.ResponseWriter, texts ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, text := range texts {
		quoted, _ := json.Marshal(text)
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", quoted)
		w.(http.Flusher).Flush()
	}
	fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2,\"total_tokens\":5}}\n\ndata: [DONE]\n\n")
}

// What the application sends and gets is what it would send and get without the
// proxy, and both sides of it are recorded.
func TestForwards(t *testing.T) {
	step := make(chan bool)
	var got *http.Request
	var sent string
	up := provider(t, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		got, sent = r, string(data)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Request-Id", "r-1")
		w.Header().Set("Set-Cookie", "session="+callerKey)
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-step
		sse(w, "Hi", " there")
	})
	f := serve(t, Options{Upstreams: []Upstream{{Provider: "north", URL: up.JoinPath("/base")}}, Vantage: "here",
		Headers: map[string]string{"X-Team": "team", "X-Session": NamesSession, "X-Try": NamesAttempt, "X-Id": NamesRequest, "X-Task": NamesScenario}})
	req, _ := http.NewRequest("POST", f.url+"/v1/chat/completions?a=b%20c&key=query-secret-99", strings.NewReader(ask))
	for name, value := range map[string]string{"Authorization": "Bearer " + callerKey, "X-Team": "blue", "X-Session": "s1", "X-Try": "2", "X-Id": "id-7", "X-Task": "search", "User-Agent": "app/1", "Accept-Encoding": "gzip"} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	// The head is here before the body begins.
	if resp.StatusCode != 200 || resp.Header.Get("X-Request-Id") != "r-1" || resp.Header.Get("Set-Cookie") == "" || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
	step <- true
	data, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.HasSuffix(string(data), "data: [DONE]\n\n") {
		t.Fatalf("%q, %v", data, err)
	}
	if got.URL.String() != "/base/v1/chat/completions?a=b%20c&key=query-secret-99" || got.Host != up.Host || sent != ask ||
		got.Header.Get("Authorization") != "Bearer "+callerKey || got.Header.Get("User-Agent") != "app/1" || got.Header.Get("Accept-Encoding") != "identity" || got.Header.Get("X-Team") != "blue" {
		t.Errorf("the provider got %s %v %q", got.URL, got.Header, sent)
	}
	rows, frames := f.rows()
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	r := rows[0]
	if r.Provider != "north" || r.Model != "gpt-x" || *r.API != "openai-chat" || r.Phase != "live" || r.Origin != "proxied" || !*r.Streamed || r.Attempt != 2 ||
		*r.SessionID != "s1" || *r.CallerRequestID != "id-7" || *r.Scenario != "search" || *r.Labels != `{"team":"blue"}` || *r.Vantage != "here" ||
		*r.RequestBody != ask || *r.HTTPStatus != 200 || *r.EndReason != "eof" || *r.InFlight != 0 || *r.Host != up.Host || r.PromptHash == nil || len(*r.Window) != 13 || *r.Campaign != "live" {
		t.Errorf("%+v", r)
	}
	if *r.CallerNs > 0 || *r.CallerEndNs < *r.HeadersNs || *r.SentNs < 0 {
		t.Errorf("caller from %d to %d, head at %d", *r.CallerNs, *r.CallerEndNs, *r.HeadersNs)
	}
	if body(frames[r.RequestID]) != string(data) || *r.BytesReceived != int64(len(data)) {
		t.Errorf("recorded %q", body(frames[r.RequestID]))
	}
	for _, c := range frames[r.RequestID] {
		if c.TOutNs == nil || *c.TOutNs < *c.TNs || *c.TOutNs > *r.CallerEndNs {
			t.Errorf("frame %d came at %d and left at %v", c.Seq, *c.TNs, c.TOutNs)
		}
	}
}

// Errors, other methods, unknown paths and cut streams pass as they are.
func TestForwardsEverything(t *testing.T) {
	up := provider(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/models"):
			fmt.Fprint(w, `{"data":[]}`)
		case strings.HasPrefix(r.URL.Path, "/busy"):
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
			fmt.Fprint(w, `{"error":{"message":"slow down"}}`)
		case strings.HasPrefix(r.URL.Path, "/cut"):
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: {\"choices\":[]}\n\n")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case strings.HasPrefix(r.URL.Path, "/large"):
			data, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, `{"choices":[{"message":{"content":"%d bytes"},"finish_reason":"stop"}]}`, len(data))
		case strings.HasPrefix(r.URL.Path, "/embeddings"):
			data, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%d", len(data))
		default:
			w.WriteHeader(404)
		}
	})
	dead := provider(t, nil)
	deadURL := *dead
	deadURL.Host = "127.0.0.1:1"
	f := serve(t, Options{Upstreams: []Upstream{{Provider: "a", URL: up}, {Provider: "gone", URL: &deadURL}}})
	resp, err := http.Get(f.url + "/a/v1/models")
	if err != nil || resp.StatusCode != 200 {
		t.Errorf("%v %v", resp, err)
	}
	resp.Body.Close()
	if resp, text := f.post("/a/busy/chat/completions", ask); resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "7" || !strings.Contains(text, "slow down") {
		t.Errorf("%d %q", resp.StatusCode, text)
	}
	if _, text := f.post("/a/cut/chat/completions", ask); !strings.HasPrefix(text, "data: {\"choices\":[]}\n\n <") {
		t.Errorf("a cut stream arrived as %q", text)
	}
	large := `{"model":"gpt-x","messages":[{"role":"user","content":"` + strings.Repeat("a", 5<<20) + `"}]}`
	if _, text := f.post("/a/large/chat/completions", large); !strings.Contains(text, fmt.Sprint(len(large))) {
		t.Errorf("%q", text)
	}
	if _, text := f.post("/a/embeddings", `{"x":1}`); text != "7" {
		t.Errorf("%q", text)
	}
	if resp, text := f.post("/gone/chat/completions", ask); resp.StatusCode != 502 || resp.Header.Get(proxyHeader) == "" || !strings.Contains(text, "refused") {
		t.Errorf("%d %q", resp.StatusCode, text)
	}
	if resp, text := f.post("/other/chat/completions", ask); resp.StatusCode != 404 || !strings.Contains(text, "/a/, /gone/") {
		t.Errorf("%d %q", resp.StatusCode, text)
	}
	done := f.stop()
	if done.Apart["no call of a model"] != 2 || done.Apart["answered by the proxy itself"] != 1 {
		t.Errorf("%v", done.Apart)
	}
	rows, _ := f.rows()
	var ends []string
	for _, r := range rows {
		status := "-"
		if r.HTTPStatus != nil {
			status = fmt.Sprint(*r.HTTPStatus)
		}
		ends = append(ends, r.Provider+" "+status+" "+*r.EndReason)
	}
	if want := []string{"a 429 eof", "a 200 unexpected_eof", "a 200 eof", "gone - refused"}; !slices.Equal(ends, want) {
		t.Errorf("got %q", ends)
	}
	if *rows[2].RequestBody != large || *rows[2].Streamed {
		t.Error("the large request is not recorded as it was")
	}
}

// An application that goes away ends the request at the provider, and its row
// says so.
func TestCancelled(t *testing.T) {
	over := make(chan bool)
	up := provider(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[]}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(over)
	})
	f := serve(t, Options{Upstreams: []Upstream{{Provider: "a", URL: up}}})
	ctx, cancel := context.WithCancel(context.Background())
	req, _ := http.NewRequestWithContext(ctx, "POST", f.url+"/v1/chat/completions", strings.NewReader(ask))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Read(make([]byte, 10))
	cancel()
	<-over
	rows, frames := f.rows()
	if len(rows) != 1 || *rows[0].EndReason != "cancelled" || len(frames[rows[0].RequestID]) != 1 {
		t.Errorf("%+v", rows[0])
	}
}

// Many at once: each gets its own answer, and the rows know how many there were.
func TestTogether(t *testing.T) {
	const n = 40
	var all sync.WaitGroup
	all.Add(n)
	up := provider(t, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		var q struct{ Messages []struct{ Content string } }
		json.Unmarshal(data, &q)
		all.Done()
		all.Wait()
		sse(w, q.Messages[0].Content)
	})
	f := serve(t, Options{Upstreams: []Upstream{{Provider: "a", URL: up}}})
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() {
			text := fmt.Sprintf("number %d", i)
			if _, got := f.post("/v1/chat/completions", strings.Replace(ask, "hi", text, 1)); !strings.Contains(got, text+`"`) {
				t.Errorf("%d: %q", i, got)
			}
		})
	}
	callers.Wait()
	rows, frames := f.rows()
	if len(rows) != n {
		t.Fatalf("%d rows", len(rows))
	}
	most := int32(0)
	for _, r := range rows {
		most = max(most, *r.InFlight)
		var q struct{ Messages []struct{ Content string } }
		json.Unmarshal([]byte(*r.RequestBody), &q)
		if !strings.Contains(body(frames[r.RequestID]), q.Messages[0].Content+`"`) {
			t.Errorf("request %d has another's answer", r.RequestID)
		}
	}
	if most != n-1 {
		t.Errorf("at most %d in flight", most)
	}
}

// The callers' keys are nowhere in the data set, however they come back: in
// headers, errors, frames, pieces and escapes.
func TestKeysStayOut(t *testing.T) {
	up := provider(t, func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.Header().Set("X-Echo", key)
		if strings.HasPrefix(r.URL.Path, "/error") {
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":{"message":"bad key %s"}}`, key)
			return
		}
		sse(w, "your key: "+key[:9], key[9:20], key[20:]+", and "+r.URL.Query().Get("api_key"))
	})
	f := serve(t, Options{Upstreams: []Upstream{{Provider: "a", URL: up}}})
	for _, path := range []string{"/v1/chat/completions?api_key=query-key-5567", "/error/chat/completions"} {
		resp, text := f.post(path, strings.Replace(ask, "hi", "my key is "+callerKey, 1))
		if resp.Header.Get("X-Echo") != callerKey || strings.HasPrefix(path, "/error") && !strings.Contains(text, callerKey) {
			t.Errorf("what the caller gets was changed: %v %q", resp.Header, text)
		}
	}
	rows, frames := f.rows()
	everything := ""
	for _, r := range rows {
		data, _ := json.Marshal(r)
		everything += string(data) + "\n"
		var answer strings.Builder
		for _, c := range frames[r.RequestID] {
			everything += string(c.Raw)
			var frame struct {
				Choices []struct{ Delta struct{ Content string } }
			}
			if json.Unmarshal(bytes.TrimPrefix(c.Raw, []byte("data: ")), &frame) == nil && len(frame.Choices) > 0 {
				answer.WriteString(frame.Choices[0].Delta.Content)
			}
		}
		everything += answer.String()
	}
	for _, part := range []string{callerKey, "0123456789", "query-key-5567"} {
		if strings.Contains(everything, part) {
			t.Errorf("%q is in the data set: %s", part, everything)
		}
	}
	filepath.WalkDir(f.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if data, _ := os.ReadFile(path); bytes.Contains(data, []byte(callerKey)) {
				t.Errorf("%s holds the key", path)
			}
		}
		return err
	})
}

// With content: hash and none no word of prompt or answer is kept, and sizes,
// times, tokens and endings are.
func TestContent(t *testing.T) {
	up := provider(t, func(w http.ResponseWriter, r *http.Request) { sse(w, "The harbour", " is quiet") })
	for _, mode := range []content.Mode{content.Hash, content.None} {
		f := serve(t, Options{Upstreams: []Upstream{{Provider: "a", URL: up}}, Content: content.Policy{Mode: mode, Key: []byte("k")}})
		_, text := f.post("/v1/chat/completions", strings.Replace(ask, "hi", "Is it quiet in the harbour?", 1))
		if !strings.Contains(text, "The harbour") {
			t.Errorf("the caller gets %q", text)
		}
		rows, frames := f.rows()
		r := rows[0]
		kept := body(frames[r.RequestID])
		row, _ := json.Marshal(r)
		for _, word := range []string{"harbour", "quiet"} {
			if strings.Contains(kept, word) || strings.Contains(string(row), word) {
				t.Errorf("%s keeps %q: %s %q", mode, word, row, kept)
			}
		}
		if len(kept) != len(text) || *r.BytesReceived != int64(len(text)) {
			t.Errorf("%s: %d bytes of %d", mode, len(kept), len(text))
		}
		switch mode {
		case content.Hash:
			if r.Detail != "chunks" || !strings.Contains(kept, `"finish_reason":"stop"`) || !strings.Contains(kept, `"completion_tokens":2`) || len(*r.RequestBody) != len(ask)+len("Is it quiet in the harbour?")-2 {
				t.Errorf("%q %s", kept, *r.RequestBody)
			}
		case content.None:
			if strings.Trim(kept, "\x00") != "" || r.RequestBody != nil || r.Detail != "requests" || *r.ReportedFinishReason != "stop" || *r.ReportedOutputTokens != 2 || *r.ReportedInputTokens != 3 ||
				*r.ReportedTTFTNs != *frames[r.RequestID][0].TNs || *r.ReportedLastTokenNs != *frames[r.RequestID][1].TNs || r.ReportedError != nil {
				t.Errorf("%q %s", kept, row)
			}
		}
	}
}

// When nothing more can be written the proxy says so and goes on serving, and it
// records again when it can.
func TestDiskFails(t *testing.T) {
	up := provider(t, func(w http.ResponseWriter, r *http.Request) { sse(w, "Hi") })
	f := serve(t, Options{Upstreams: []Upstream{{Provider: "a", URL: up}}, Retry: 20 * time.Millisecond})
	call := func() {
		t.Helper()
		if resp, text := f.post("/v1/chat/completions", ask); resp.StatusCode != 200 || !strings.Contains(text, "[DONE]") {
			t.Errorf("%d %q", resp.StatusCode, text)
		}
	}
	call()
	// The folder goes away, and a file takes its place.
	os.RemoveAll(f.dir)
	os.WriteFile(f.dir, nil, 0o644)
	wait(t, func() bool { return f.current() == nil })
	call()
	call()
	f.mu.Lock()
	if len(f.said) != 1 || !strings.HasPrefix(f.said[0], "recording stopped: ") || !strings.Contains(f.said[0], "forwarded, and not recorded") {
		t.Errorf("said %q", f.said)
	}
	f.mu.Unlock()
	os.Remove(f.dir)
	wait(t, func() bool { return f.current() != nil })
	call()
	f.Proxy.mu.Lock()
	f.broken = nil // its folder is gone
	f.Proxy.mu.Unlock()
	done := f.stop()
	if done.Apart["recording had failed"] != 2 {
		t.Errorf("%v", done.Apart)
	}
	f.mu.Lock()
	if len(f.said) != 2 || f.said[1] != "recording again; 2 requests so far were forwarded and not recorded" {
		t.Errorf("said %q", f.said)
	}
	f.mu.Unlock()
	if rows, _ := read(t, f.dir); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
}

func wait(t *testing.T, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it never came to that")
}

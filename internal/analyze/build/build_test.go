package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"aircheck/internal/kit/duck"
	"aircheck/schema"
)

// fixture writes datasets for tests: chat streams whose truth is in the call.
type fixture struct {
	t    *testing.T
	dir  string
	w    *schema.Writer
	run  string
	ids  schema.IDs
	base time.Time
	n    int
}

func newFixture(t *testing.T, dir, runID string) *fixture {
	t.Helper()
	w, err := schema.Create(dir, runID)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{t: t, dir: dir, w: w, run: runID, base: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)}
}

// frames are SSE payloads with their arrival in milliseconds.
type at struct {
	ms   int64
	data string
}

func (f *fixture) request(edit func(*schema.Request), frames ...at) int64 {
	var chunks []schema.Chunk
	for i, fr := range frames {
		t := fr.ms * 1e6
		raw := "data: " + fr.data + "\n\n"
		if strings.HasPrefix(fr.data, ":") {
			raw = fr.data + "\n\n"
		}
		read := int32(i)
		if i > 0 && frames[i-1].ms == fr.ms {
			read = chunks[i-1].ReadSeq
		}
		chunks = append(chunks, schema.Chunk{ReadSeq: read, TNs: &t, TReadNs: new(t + 40_000), Clock: "kernel", Complete: true, Raw: []byte(raw)})
	}
	return f.put(edit, chunks)
}

// put writes a request that is all right but for what edit changes.
func (f *fixture) put(edit func(*schema.Request), chunks []schema.Chunk) int64 {
	f.t.Helper()
	start := f.base.Add(time.Duration(f.n) * time.Second)
	f.n++
	r := &schema.Request{
		RequestID: f.ids.Next(start), OrderIndex: int32(f.n), Attempt: 1, Provider: "p", Model: "m", ModelID: new("m-1"),
		API: new("openai-chat"), Scenario: new("s"), Concurrency: new(int32(1)), Phase: "measure", Window: new("w1"),
		StartedAtNs: new(start.UnixNano()), DNSNs: new(int64(1e6)), ConnectNs: new(int64(2e6)), TLSNs: new(int64(3e6)),
		SentNs: new(int64(7e6)), HeadersNs: new(int64(50e6)), Streamed: new(true), HTTPStatus: new(int32(200)),
		ResponseHeaders: new(`{"Content-Type":["text/event-stream"]}`), EndReason: new("eof"), Origin: "recorded", Detail: "chunks",
	}
	if len(chunks) > 0 {
		r.EndNs = new(*chunks[len(chunks)-1].TNs + 1e6)
	}
	if edit != nil {
		edit(r)
	}
	f.w.Begin(r.RequestID)
	if err := f.w.Write(r, chunks); err != nil {
		f.t.Fatal(err)
	}
	return r.RequestID
}

func (f *fixture) seal() {
	f.t.Helper()
	err := f.w.Seal(&schema.Run{Name: "fixture", Origin: "recorded", Tool: "test", Host: "test", StartedAtNs: f.base.UnixNano(), EndedAtNs: f.base.UnixNano()})
	if err != nil {
		f.t.Fatal(err)
	}
}

func delta(text string) string {
	return fmt.Sprintf(`{"id":"c","model":"m-served","choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`, text)
}

// plain is a stream of seven words, 100 ms apart from 300 ms on.
func plain() []at {
	out := []at{{200, `{"id":"c","model":"m-served","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`}}
	for i := range 7 {
		out = append(out, at{300 + int64(i)*100, delta("word ")})
	}
	return append(out,
		at{910, `{"id":"c","model":"m-served","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`},
		at{920, `{"id":"c","model":"m-served","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}}`},
		at{930, "[DONE]"})
}

func query(t *testing.T, ctx context.Context, o Options, q string) *duck.Table {
	t.Helper()
	r, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	table, err := duck.Query(ctx, r, "query", q)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func text1(t *duck.Table) string {
	var rows []string
	for _, r := range t.Rows {
		var row []string
		for _, v := range r {
			row = append(row, duck.Text(v, ""))
		}
		rows = append(rows, strings.Join(row, " "))
	}
	return strings.Join(rows, "\n")
}

func TestBuildGivesResults(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.request(nil, plain()...)
	f.seal()
	got := text1(query(t, t.Context(), Options{Dir: dir}, `
		SELECT outcome, useful, measured, ttft_ms, ttft_net_ms, setup_ms, first_event_ms, first_byte_ms, last_token_ms, e2e_ms,
			output_tokens, token_source, tokens_per_s, tpot_ms, max_stall_ms, answer_chars, frames, reads, content_frames, served_model, terminator, recorder_lag_us_max
		FROM results`))
	want := "ok true true 300 294 6 200 50 900 930 7 usage 10 100 100 35 11 11 7 m-served done 40"
	if got != want {
		t.Errorf("results:\n got %s\nwant %s", got, want)
	}
}

// overwrite makes a file of as many bytes that mean nothing.
func overwrite(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err == nil {
		err = os.WriteFile(path, make([]byte, info.Size()), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A second build must not need the raw frames at all.
func TestSecondBuildReadsNoChunk(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.request(nil, plain()...)
	f.seal()
	s, err := Build(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if s.Decoded != 1 || len(s.Built) == 0 {
		t.Fatalf("first build: %+v", s)
	}
	overwrite(t, filepath.Join(dir, "chunks", "run=r1", "part-0.parquet"))
	if s, err = Build(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if s.Decoded != 0 || len(s.Built) != 0 {
		t.Errorf("second build did work: %+v", s)
	}
}

// A new run is decoded; the old one's frames are not read again.
func TestIncrementalBuildReadsNewRunsOnly(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.request(nil, plain()...)
	f.seal()
	if _, err := Build(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	overwrite(t, filepath.Join(dir, "chunks", "run=r1", "part-0.parquet"))
	g := newFixture(t, dir, "r2")
	g.base = g.base.Add(time.Hour)
	g.request(nil, plain()...)
	g.seal()
	s, err := Build(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if s.Decoded != 1 {
		t.Errorf("decoded %d runs, want the new one", s.Decoded)
	}
}

func TestDirectoryNamesMayHoldAnything(t *testing.T) {
	for _, name := range []string{"a'b", "a[1]b", "a*b?", "a b{c,d}", "run=x", "é\"q"} {
		dir := filepath.Join(t.TempDir(), name)
		// A neighbour that the name would match if it were taken for a pattern.
		f := newFixture(t, dir, "r1")
		f.request(nil, plain()...)
		f.seal()
		if got := text1(query(t, t.Context(), Options{Dir: dir}, "SELECT count(*), (SELECT count(*) FROM chunks), (SELECT count(*) FROM events) FROM results")); got != "1 11 11" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// Builds that run at the same time get in nobody's way.
func TestConcurrentBuilds(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.request(nil, plain()...)
	f.seal()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if _, err := Build(t.Context(), Options{Dir: dir}, [][]Order{nil, {Rebuild}, {All}}[i]...); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := text1(query(t, t.Context(), Options{Dir: dir}, "SELECT count(*), (SELECT count(*) FROM events) FROM results")); got != "1 11" {
		t.Errorf("got %s", got)
	}
	left, err := filepath.Glob(filepath.Join(dir, "derived", "*", "*.tmp"))
	if top, _ := filepath.Glob(filepath.Join(dir, "derived", "*.tmp")); err != nil || len(left)+len(top) > 0 {
		t.Errorf("left behind: %v %v", left, top)
	}
}

// A build stores results and what it needs. Other tables are stored when they are
// first read, by queries of ours and of strangers, who may not write.
func TestTablesAreStoredWhenRead(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.request(nil, plain()...)
	f.seal()
	stored := func(name string) bool {
		files, err := filepath.Glob(filepath.Join(dir, "derived", "tables", name+"-*.parquet"))
		return err == nil && len(files) == 1
	}
	if _, err := Build(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if !stored("results") || stored("latency") || stored("availability") || stored("costs") {
		t.Error("a build stores results, and no table that nobody has read")
	}
	r := open(t, dir)
	for _, view := range []string{"latency", "availability"} {
		if n := text1(mustSelect(t, r, "SELECT count(*) > 0 FROM "+view)); n != "true" || !stored(view) {
			t.Errorf("%s: rows %s, stored %v", view, n, stored(view))
		}
	}
	if _, err := duck.Query(t.Context(), open(t, dir), "query", "SELECT (SELECT count(*) FROM costs)"); err != nil || !stored("costs") {
		t.Errorf("a query of our own: %v, stored %v", err, stored("costs"))
	}
	s, err := Build(t.Context(), Options{Dir: dir}, All)
	if err != nil || !stored("ranks") || s.Decoded != 0 {
		t.Errorf("all: %+v, %v", s, err)
	}
	if again, err := Build(t.Context(), Options{Dir: dir}, All); err != nil || len(again.Built) != 0 {
		t.Errorf("all, once more: %+v, %v", again, err)
	}
	if anew, err := Build(t.Context(), Options{Dir: dir}, Rebuild); err != nil || len(anew.Built) <= len(s.Built) || anew.Decoded != 1 {
		t.Errorf("a rebuild makes what was there anew: %+v, %v", anew, err)
	}
}

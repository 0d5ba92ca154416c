package runner

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/record/plan"
	"aircheck/schema"
)

// answer streams an OpenAI chat answer of a few frames.
func answer(w http.ResponseWriter, gap time.Duration) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, frame := range []string{
		`{"choices":[{"delta":{"role":"assistant","content":""}}]}`, `{"choices":[{"delta":{"content":"Hi"}}]}`,
		`{"choices":[{"delta":{},"finish_reason":"stop"}]}`, `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":20,"total_tokens":30}}`, `[DONE]`,
	} {
		fmt.Fprintf(w, "data: %s\n\n", frame)
		w.(http.Flusher).Flush()
		time.Sleep(gap)
	}
}

func server(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

func parse(t *testing.T, text string) *plan.Plan {
	t.Helper()
	p, err := plan.Parse([]byte(text), "plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newRecorder(t *testing.T, text string, env ...string) (*Recorder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "traces")
	r, err := New(Options{Plan: parse(t, text), Dir: dir, Getenv: func(name string) string {
		for _, e := range env {
			if k, v, _ := strings.Cut(e, "="); k == name {
				return v
			}
		}
		return ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	return r, dir
}

// record runs a plan to its end and reads it back.
func record(t *testing.T, text string, env ...string) (*Result, []*schema.Request, map[int64][]schema.Chunk) {
	t.Helper()
	r, dir := newRecorder(t, text, env...)
	result, err := r.Run(context.Background(), context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rows, frames := read(t, dir)
	return result, rows, frames
}

// read verifies a dataset of one run and gives what it holds.
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
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	var rows []*schema.Request
	if err := d.EachRequest(runs[0], func(r *schema.Request) error { rows = append(rows, new(*r)); return nil }); err != nil {
		t.Fatal(err)
	}
	frames := map[int64][]schema.Chunk{}
	if err := d.EachResponse(context.Background(), runs[0], func(id int64, c []schema.Chunk) error { frames[id] = c; return nil }); err != nil {
		t.Fatal(err)
	}
	return rows, frames
}

const hello = "scenarios: [{name: s, messages: [{role: user, content: hi}], params: {max_tokens: 50}}]\n"

func target(provider, url string, more ...string) string {
	return fmt.Sprintf("{provider: %s, model: m, base_url: %s%s}", provider, url, strings.Join(append([]string{""}, more...), ", "))
}

package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/journal"
	"aircheck/internal/rules/prices"
)

// Every column that can be known is filled.
func TestColumns(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, time.Millisecond) })
	result, rows, frames := record(t, `
name: trial
seed: 3
vantage: nyc1
trials: 2
warmup: 1
windows: {count: 2, every: 150ms}
targets:
  - {provider: a, model: m, model_id: M-1, base_url: `+url+`/v1, key_env: K, region: eu, meta: {precision: fp8, architecture: moe, reasoning: true, service_tier: default, residency: eu, labels: {team: x}}, params: {top_p: 1}}
scenarios:
  - {name: s, workload: chat, messages: [{role: user, content: hi}], params: {max_tokens: 5}, ends: length, checks: [{contains: Hi}]}
`, "K=sk-test-0123456789")
	if len(rows) != 6 || result.Responses != 6 || result.Run.Campaign != "trial" || result.Run.Interrupted || result.Run.Origin != "recorded" {
		t.Fatalf("%d rows, %+v", len(rows), result)
	}
	str := func(p *string) string {
		if p == nil {
			return "NULL"
		}
		return *p
	}
	for i, r := range rows {
		phase, trial := "measure", int32(i%3-1)
		if i%3 == 0 {
			phase, trial = "warmup", 0
		}
		got := []string{r.RunID, str(r.Campaign), r.Provider, r.Model, str(r.ModelID), str(r.API), str(r.Host), str(r.Region), str(r.Vantage), str(r.Scenario), str(r.Workload),
			r.Phase, str(r.Window), str(r.Precision), str(r.Architecture), str(r.ServiceTier), str(r.Residency), str(r.Labels), str(r.Params), str(r.Checks), str(r.Ends),
			r.Origin, r.Detail, str(r.EndReason), str(r.HTTPVersion), str(r.ErrorText), str(r.RequestBody)}
		want := []string{result.Run.RunID, "trial", "a", "m", "M-1", "openai-chat", strings.TrimPrefix(url, "http://"), "eu", "nyc1", "s", "chat",
			phase, fmt.Sprintf("%02d", i/3), "fp8", "moe", "default", "eu", `{"team":"x"}`, `{"max_tokens":5,"top_p":1}`, `[{"contains":"Hi"}]`, "length",
			"recorded", "chunks", "eof", "HTTP/1.1", "NULL", `{"max_tokens":5,"messages":[{"role":"user","content":"hi"}],"model":"M-1","stream":true,"stream_options":{"include_usage":true},"top_p":1}`}
		for j := range want {
			if got[j] != want[j] {
				t.Errorf("row %d: %q, want %q", i, got[j], want[j])
			}
		}
		if r.OrderIndex != int32(i) || *r.Trial != trial || *r.Concurrency != 1 || *r.InFlight != 0 || r.Attempt != 1 || !*r.Reasoning || !*r.Streamed ||
			*r.PromptIndex != 0 || len(*r.PromptHash) != 32 || *r.HTTPStatus != 200 || *r.ConnReused != (i > 0) || r.ScheduledAtNs != nil || r.BurstIndex != nil ||
			r.PromptSize != nil || r.DNSNs != nil || r.TLSNs != nil || (i == 0) != (r.ConnectNs != nil) || (i == 0) != (r.IdleBeforeMs == nil) {
			t.Errorf("row %d: %+v", i, r)
		}
		if len(frames[r.RequestID]) != 5 || *r.SentNs > *r.HeadersNs || *r.HeadersNs > *r.EndNs {
			t.Errorf("row %d: %d frames, sent %d, head %d, end %d", i, len(frames[r.RequestID]), *r.SentNs, *r.HeadersNs, *r.EndNs)
		}
	}
	if gap := time.Duration(*rows[3].StartedAtNs - *rows[0].StartedAtNs); gap < 149*time.Millisecond || gap > 5*time.Second {
		t.Errorf("the second window began %v after the first", gap)
	}
	since := time.Duration(*rows[3].StartedAtNs - *rows[2].StartedAtNs - *rows[2].EndNs)
	if idle := time.Duration(*rows[3].IdleBeforeMs) * time.Millisecond; idle > since+time.Millisecond {
		t.Errorf("idle for %v before the second window, %v after the last answer", idle, since)
	}
}

// A closed loop keeps its streams open, and no more.
func TestConcurrency(t *testing.T) {
	var open, most, served atomic.Int32
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		n := open.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		// Of different lengths: equal ones end together, and the first to go on
		// meets nobody.
		answer(w, time.Duration(8+3*(served.Add(1)%7))*time.Millisecond)
		open.Add(-1)
	})
	_, rows, _ := record(t, "trials: 40\nwarmup: 1\ntargets: ["+target("a", url)+"]\nscenarios: [{name: s, messages: [{role: user, content: hi}], concurrency: 8}]")
	if len(rows) != 48 || most.Load() > 8 {
		t.Fatalf("%d rows, at most %d open", len(rows), most.Load())
	}
	full, fresh := 0, 0
	for _, r := range rows {
		if *r.InFlight > 7 || *r.Concurrency != 8 {
			t.Errorf("%d in flight", *r.InFlight)
		}
		if r.Phase == "measure" && *r.InFlight >= 6 {
			full++
		}
		if r.Phase == "measure" && !*r.ConnReused {
			fresh++
		}
	}
	if full < 30 || fresh > 0 {
		t.Errorf("%d of 40 measured requests met 6 or more others; %d had to connect", full, fresh)
	}
}

// Several providers at a time, never one twice.
func TestParallel(t *testing.T) {
	var mu sync.Mutex
	open, together := map[string]int{}, 0
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		p := strings.Split(r.URL.Path, "/")[1]
		mu.Lock()
		open[p]++
		if open[p] > 1 {
			t.Errorf("two requests to %s", p)
		}
		n := 0
		for _, k := range open {
			n += k
		}
		together = max(together, n)
		mu.Unlock()
		answer(w, 2*time.Millisecond)
		mu.Lock()
		open[p]--
		mu.Unlock()
	})
	text := "trials: 5\nwarmup: 0\nparallel: 2\ntargets: ["
	for _, p := range []string{"a", "b", "c"} {
		text += target(p, url+"/"+p) + ", " + strings.Replace(target(p, url+"/"+p), "model: m", "model: n", 1) + ", "
	}
	_, rows, _ := record(t, text+"]\n"+hello)
	if len(rows) != 30 || together != 2 {
		t.Errorf("%d rows, %d together", len(rows), together)
	}
}

func TestColdBurstAndRate(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, time.Millisecond) })
	_, rows, _ := record(t, "trials: 20\nwarmup: 0\ntargets: ["+target("a", url)+`]
scenarios:
  - {name: cold, messages: [{role: user, content: hi}], cold_start: {idle: 400ms, trials: 2}}
  - {name: spike, extends: cold, burst: {size: 6, after_idle: 100ms}}
  - {name: open, extends: cold, rate: {rps: 200}}
`)
	if len(rows) != 2*4+6+20 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, r := range rows[:14] {
		place := int32(i % 4)
		if i >= 8 {
			place = *r.BurstIndex // which of a burst comes first is chance
		}
		if *r.ConnReused || *r.BurstIndex != place {
			t.Errorf("row %d: reused %v, place %d", i, *r.ConnReused, *r.BurstIndex)
		}
		if i > 0 && i < 8 && i%4 == 0 && *r.IdleBeforeMs < 399 || i == 8 && *r.IdleBeforeMs < 99 || i < 8 && i%4 != 0 && *r.IdleBeforeMs >= 399 {
			t.Errorf("row %d: idle for %d ms", i, *r.IdleBeforeMs)
		}
	}
	if last := rows[13]; *last.InFlight < 2 || *last.Concurrency != 6 || last.Phase != "burst" {
		t.Errorf("the last of the burst met %d others", *last.InFlight)
	}
	for i, r := range rows[14:] {
		late := time.Duration(*r.StartedAtNs - *r.ScheduledAtNs)
		if late < 0 || late > 5*time.Second || r.Concurrency != nil || r.Phase != "measure" || int(*r.Trial) != i {
			t.Errorf("request %d of the open loop started %v late: %+v", i, late, r)
		}
	}
}

// The first interrupt lets open requests finish, the second cuts them off.
func TestInterrupt(t *testing.T) {
	for _, twice := range []bool{false, true} {
		ctx, interrupt := context.WithCancel(context.Background())
		hard, cutOff := context.WithCancel(context.Background())
		var served atomic.Int32
		url := server(t, func(w http.ResponseWriter, r *http.Request) {
			if served.Add(1) == 3 {
				interrupt()
				if twice {
					time.AfterFunc(15*time.Millisecond, cutOff)
				}
			}
			answer(w, 30*time.Millisecond)
		})
		r, dir := newRecorder(t, "trials: 10\ntargets: ["+target("a", url)+"]\n"+hello)
		result, err := r.Run(ctx, hard)
		if twice {
			// Nothing is sealed, and nothing is lost.
			if !errors.Is(err, ErrStopped) {
				t.Fatal(err)
			}
			recovered, err := journal.Recover(dir, nil)
			if err != nil || len(recovered) != 1 || !recovered[0].Run.Interrupted {
				t.Fatalf("%+v, %v", recovered, err)
			}
		} else if err != nil || !result.Interrupted || !result.Run.Interrupted {
			t.Fatalf("%+v, %v", result, err)
		}
		rows, _ := read(t, dir)
		if len(rows) != 3 {
			t.Fatalf("twice %v: %d rows", twice, len(rows))
		}
		if want := map[bool]string{false: "eof", true: "cancelled"}[twice]; *rows[2].EndReason != want || *rows[1].EndReason != "eof" {
			t.Errorf("twice %v: ends %s, %s", twice, *rows[1].EndReason, *rows[2].EndReason)
		}
	}
	// Before anything was sent there is nothing to keep.
	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	r, dir := newRecorder(t, "targets: ["+target("a", "http://127.0.0.1:1")+"]\n"+hello)
	if _, err := r.Run(ctx, context.Background()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was left behind")
	}
}

// Silence before a window and before a cold start can be interrupted.
func TestInterruptWaiting(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, 0) })
	for _, text := range []string{"windows: {count: 2, every: 1h}\n" + hello,
		"scenarios: [{name: a, messages: [{role: user, content: hi}]}, {name: b, extends: a, cold_start: {idle: 1h}}]\n"} {
		ctx, interrupt := context.WithCancel(context.Background())
		r, dir := newRecorder(t, "trials: 1\nwarmup: 0\ntargets: ["+target("a", url)+"]\n"+text)
		go func() {
			for r.Status().Waiting == "" {
				time.Sleep(time.Millisecond)
			}
			if s := r.Status(); time.Until(s.Until) < 50*time.Minute || s.Done != 1 {
				t.Errorf("%+v", s)
			}
			interrupt()
		}()
		if result, err := r.Run(ctx, context.Background()); err != nil || !result.Interrupted {
			t.Error(err)
		}
		read(t, dir)
	}
}

func TestNothingAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	result, rows, _ := record(t, "trials: 2\nwarmup: 0\ntargets: ["+target("a", "http://"+l.Addr().String())+"]\n"+hello)
	if len(rows) != 2 || result.Responses != 0 || result.Failure != "dial: connection refused" || *rows[0].EndReason != "refused" || result.Status.Errors != 2 {
		t.Errorf("%+v", result)
	}
}

// The key reaches neither the disk nor an error, whatever a server does with it.
func TestKeyStaysOffDisk(t *testing.T) {
	const key = "sk-live-Abc/123+456=="
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		auth := r.Header.Get("Authorization")
		if auth != "Bearer "+key {
			t.Errorf("authorization %q", auth)
		}
		w.Header().Set("X-You-Sent", auth)
		w.Header().Set("Set-Cookie", "key="+key)
		w.Header().Set("Location", "https://x.example/?key="+key)
		switch r.URL.Path {
		case "/json/chat/completions":
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(401)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": "Incorrect API key provided: " + key}})
		case "/header/chat/completions":
			// A head that is not valid, so that the transport's own error repeats it.
			c, _, _ := w.(http.Hijacker).Hijack()
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", key)
			c.Close()
		default:
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\n", key)
		}
	})
	text := "trials: 1\nwarmup: 0\ntargets: ["
	for _, p := range []string{"json", "header", "stream"} {
		text += target(p, url+"/"+p, "key_env: K") + ", "
	}
	r, dir := newRecorder(t, text+"]\n"+hello, "K= "+key+"\n")
	result, err := r.Run(context.Background(), context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rows, frames := read(t, dir)
	all, _ := json.Marshal([]any{rows, result})
	for _, f := range frames {
		for _, c := range f {
			all = append(all, c.Raw...)
		}
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if data, err := os.ReadFile(path); err == nil {
			all = append(all, data...)
		}
		return nil
	})
	if strings.Contains(string(all), "sk-live") {
		i := strings.Index(string(all), "sk-live")
		t.Errorf("the key is on disk: …%s…", all[max(0, i-80):i+40])
	}
	if len(rows) != 3 || !strings.Contains(string(all), "Incorrect API key provided: *****") {
		t.Error("the rest of the message is lost")
	}
}

func TestRefusedBeforeSending(t *testing.T) {
	asked := false
	url := server(t, func(w http.ResponseWriter, r *http.Request) { asked = true })
	notDir := filepath.Join(t.TempDir(), "file")
	os.WriteFile(notDir, nil, 0o644)
	for _, c := range []struct {
		name, text, dir string
		env             string
		status          int
		want            string
	}{
		{"no key", target("a", url, "key_env: KEY_A"), "", "", cli.Usage, "no API key: KEY_A is not set, from which a m takes its key"},
		{"no keys", target("a", url, "key_env: KEY_A") + ", " + target("b", url, "key_env: KEY_B"), "", "", cli.Usage, "KEY_A, KEY_B are not set"},
		{"key in plan", target("a", url, "key_env: KEY_A", "region: sk-12345678"), "", "sk-12345678", cli.Usage, "holds the value of KEY_A"},
		{"no directory", target("a", url), notDir, "", cli.IO, "file"},
		{"below a file", target("a", url), filepath.Join(notDir, "x"), "", cli.IO, "not a directory"},
	} {
		dir := c.dir
		if dir == "" {
			dir = filepath.Join(t.TempDir(), "traces")
		}
		_, err := New(Options{Plan: parse(t, "targets: ["+c.text+"]\n"+hello), Dir: dir, Getenv: func(string) string { return c.env }})
		if cli.Status(err) != c.status || err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(fmt.Sprint(err), "sk-1234") {
			t.Errorf("%s: %v (status %d)", c.name, err, cli.Status(err))
		}
		if _, err := os.Stat(dir); c.dir == "" && err == nil {
			t.Errorf("%s: left a directory behind", c.name)
		}
	}
	if asked {
		t.Error("something was sent")
	}
}

// A run stops before the request that could exceed its budget.
func TestBudget(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, 0) })
	plan := func(usd string) string {
		return "trials: 50\nwarmup: 0\nbudget: {usd: " + usd + "}\ntargets: [{provider: openai, model: gpt-4o-mini, base_url: " + url + "}]\n" + hello
	}
	// 10 and 20 tokens at $0.15 and $0.60 a million are $0.0000135 each; at most
	// 201 and 50 tokens are $0.0000602. So twelve requests fit in $0.0002.
	result, rows, _ := record(t, plan("0.0002"))
	if len(rows) != 11 || !result.OverBudget || result.Interrupted || result.Status.SpentNano != 11*13500 || len(result.Run.Notes) != 1 {
		t.Errorf("%d rows, %+v", len(rows), result)
	}
	result, rows, _ = record(t, plan("5"))
	if len(rows) != 50 || result.OverBudget || result.Status.SpentNano != 50*13500 {
		t.Errorf("%d rows, %+v", len(rows), result)
	}
	own, err := prices.Load(strings.NewReader("- {id: nobody, models: [{id: gpt-4o-mini, prices: {input_mtok: 1, output_mtok: 1}}]}"), "own.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := New(Options{Plan: parse(t, strings.Replace(plan("5"), "provider: openai", "provider: nobody", 1)), Dir: t.TempDir(), Prices: own}); err != nil {
		t.Errorf("at one's own prices: %v", err)
	} else {
		r.journal.Abort()
	}
	for text, want := range map[string]string{
		plan("0.00006"): "does not cover the first request",
		strings.Replace(plan("5"), "provider: openai", "provider: nobody", 1): "not in the price table",
		strings.Replace(plan("5"), "max_tokens: 50", "top_p: 1", 1):           "nothing bounds the answers",
	} {
		_, err := New(Options{Plan: parse(t, text), Dir: t.TempDir()})
		if cli.Status(err) != cli.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A run whose folder goes away ends, soon, with an error.
func TestDiskFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	var served atomic.Int32
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1) == 1 {
			os.RemoveAll(dir)
		}
		answer(w, 100*time.Millisecond)
	})
	r, err := New(Options{Plan: parse(t, "trials: 1000\nwarmup: 0\ntargets: ["+target("a", url)+"]\n"+hello), Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if result, err := r.Run(context.Background(), context.Background()); err == nil {
		t.Errorf("no error: %+v", result)
	}
	if served.Load() > 900 {
		t.Errorf("%d requests were sent though none could be kept", served.Load())
	}
}

// A run that was interrupted goes on under its name, and asks for nothing that it
// has; one that was cut off is asked again.
func TestResume(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	hard, cutOff := context.WithCancel(context.Background())
	var served atomic.Int32
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1) == 7 {
			interrupt()
			cutOff()
		}
		answer(w, 5*time.Millisecond)
	})
	text := "trials: 4\nwarmup: 1\nwindows: {count: 2, every: 50ms}\ntargets: [" + target("a", url) + ", " + target("b", url) + "]\n" + hello
	r, dir := newRecorder(t, text)
	id := r.RunID()
	if _, err := r.Run(ctx, hard); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	if recovered, err := journal.Recover(dir, nil); err != nil || len(recovered) != 1 {
		t.Fatalf("%+v, %v", recovered, err)
	}
	for want, o := range map[string]Options{
		"was made with another plan": {Plan: parse(t, strings.Replace(text, "trials: 4", "trials: 5", 1)), Resume: id},
		"has no sealed run":          {Plan: parse(t, text), Resume: "other"},
	} {
		o.Dir = dir
		if _, err := New(o); cli.Status(err) != cli.Usage || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	again, err := New(Options{Plan: parse(t, text), Dir: dir, Resume: id})
	if err != nil {
		t.Fatal(err)
	}
	result, err := again.Run(context.Background(), context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := read(t, dir)
	if result.Run.RunID != id || result.Run.Interrupted || result.Run.State != "" || len(result.Run.Files) != 4 || len(result.Run.Clock) != 2 {
		t.Errorf("%+v", result.Run)
	}
	asked, cut, order := map[string]int{}, 0, map[int32]bool{}
	for _, row := range rows {
		if order[row.OrderIndex] {
			t.Errorf("order_index %d twice", row.OrderIndex)
		}
		order[row.OrderIndex] = true
		if *row.EndReason == "cancelled" {
			cut++
			continue
		}
		asked[fmt.Sprint(row.Provider, *row.Window, row.Phase, *row.Trial)]++
	}
	if len(asked) != 20 || cut != 1 || served.Load() != 21 {
		t.Errorf("%d kinds of request, %d cut off, %d served", len(asked), cut, served.Load())
	}
	for k, n := range asked {
		if n != 1 {
			t.Errorf("%s was recorded %d times", k, n)
		}
	}
	if _, err := New(Options{Plan: parse(t, text), Dir: dir, Resume: id}); err == nil || !strings.Contains(err.Error(), "nothing is missing") {
		t.Errorf("complete, and resumed: %v", err)
	}
}

// Windows that take longer than planned are said once, and counted.
func TestLateWindows(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, 5*time.Millisecond) })
	result, _, _ := record(t, "trials: 1\nwarmup: 0\nwindows: {count: 5, every: 1ms}\ntargets: ["+target("a", url)+"]\n"+hello)
	notes := strings.Join(result.Run.Notes, "\n")
	if len(result.Run.Notes) != 2 || !strings.HasPrefix(notes, "window 2 began ") || !strings.HasSuffix(notes, "4 windows began late") {
		t.Errorf("notes %q", notes)
	}
}

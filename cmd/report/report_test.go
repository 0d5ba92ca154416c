package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/kit/cli"
	"aircheck/schema"
)

// dataset writes a small recording: two providers, two models, two windows of
// requests. alpha is fast on m1 and slow on m2. Order says in which order the
// requests of the run are written.
func dataset(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	w, err := schema.Create(dir, "run-1")
	if err != nil {
		t.Fatal(err)
	}
	base := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	var ids schema.IDs
	n := 0
	for window := range 2 {
		for range 8 {
			for _, target := range []struct {
				provider, model string
				ms              int64
			}{{"alpha", "m1", 100}, {"beta", "m1", 300}, {"alpha", "m2", 400}, {"beta", "m2", 200}} {
				start := base.Add(time.Duration(window)*time.Hour + time.Duration(n)*time.Second)
				n++
				r := &schema.Request{
					RequestID: ids.Next(start), OrderIndex: int32(n), Attempt: 1, Provider: target.provider, Model: target.model, ModelID: new("id"),
					API: new("openai-chat"), Scenario: new("s"), Concurrency: new(int32(1)), Phase: "measure", Window: new(fmt.Sprint(window)),
					StartedAtNs: new(start.UnixNano()), SentNs: new(int64(1e6)), HeadersNs: new(int64(50e6)), Streamed: new(true), HTTPStatus: new(int32(200)),
					Host: new("planted-host.example"), RequestBody: new(`{"messages":[{"role":"user","content":"planted-prompt"}]}`),
					ResponseHeaders: new(`{"Content-Type":["text/event-stream"]}`), EndReason: new("eof"), Origin: "recorded", Detail: "chunks",
				}
				var chunks []schema.Chunk
				at := (target.ms + int64(n%5)) * 1e6
				for i, data := range []string{
					`{"id":"c","choices":[{"index":0,"delta":{"content":"planted-answer"},"finish_reason":null}]}`,
					`{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, "[DONE]",
				} {
					chunks = append(chunks, schema.Chunk{ReadSeq: int32(i), TNs: new(at), TReadNs: new(at), Clock: "read", Complete: true, Raw: []byte("data: " + data + "\n\n")})
					at += 1e6
				}
				r.EndNs = new(at)
				w.Begin(r.RequestID)
				if err := w.Write(r, chunks); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := w.Seal(&schema.Run{Name: "small", Origin: "recorded", Tool: "test", Host: "test", Plan: "base_url: https://planted-host.example\nkey_env: PLANTED_KEY\n", Notes: []string{"planted-note"}, StartedAtNs: base.UnixNano(), EndedAtNs: base.UnixNano()}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs the program and gives its exit status and what it printed.
func run(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err, Getenv: func(string) string { return "" }}
	status = cli.Run(context.Background(), program(), env, args)
	return status, out.String(), err.String()
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		all[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// From a recording to a site, by the real views; twice the same bytes, with and
// without what the first run cached.
func TestReport(t *testing.T) {
	dir, out := dataset(t), t.TempDir()
	site, single := filepath.Join(out, "site"), filepath.Join(out, "one.html")
	status, stdout, stderr := run(t, dir, "--to", site, "--single", single)
	if status != cli.OK || !strings.Contains(stdout, "index.html") || stderr != "" {
		t.Fatalf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	first := files(t, site)
	for _, name := range []string{"index.html", "model/m1.html", "model/m2.html", "data/latency.csv", "data/flips.csv"} {
		if first[name] == "" {
			t.Errorf("no %s among %d files", name, len(first))
		}
	}
	for _, want := range []string{"small, 1 March 2026", "64 requests", "alpha", "beta", "sha256:", "faster than"} {
		if !strings.Contains(first["index.html"], want) {
			t.Errorf("index.html does not say %q", want)
		}
	}
	if data, err := os.ReadFile(single); err != nil || !strings.Contains(string(data), `id="p-m2"`) {
		t.Errorf("the single file does not hold the page of m2: %v", err)
	}
	if status, _, stderr := run(t, dir, "--to", site, "--title", "Spring"); status != cli.OK {
		t.Fatalf("status %d over an old report: %s", status, stderr)
	}
	if again := files(t, site); !strings.Contains(again["index.html"], "<title>Spring</title>") {
		t.Error("the title is not the one asked for")
	}
	if err := os.RemoveAll(filepath.Join(dir, "derived")); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(t, dir, "--to", site); status != cli.OK {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for name, data := range files(t, site) {
		if data != first[name] {
			t.Errorf("%s: made again, it differs", name)
		}
	}
}

// Each way of being wrong: one clear line, its status, nothing written.
func TestRefused(t *testing.T) {
	dir := dataset(t)
	mine := t.TempDir()
	if err := os.WriteFile(filepath.Join(mine, "notes.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{cli.Usage, "want one dataset", nil},
		{cli.Usage, "unknown flag", []string{dir, "--too", "x"}},
		{cli.Usage, "no dataset here", []string{mine}},
		{cli.Usage, "none: no such directory", []string{filepath.Join(mine, "none")}},
		{cli.Usage, "not empty, and no report", []string{dir, "--to", mine}},
		{cli.Usage, "notes.txt: a file; a site is a directory", []string{dir, "--to", filepath.Join(mine, "notes.txt")}},
		{cli.Usage, "a directory; a single report is a file", []string{dir, "--single", mine}},
		{cli.IO, "", []string{dir, "--to", filepath.Join(mine, "notes.txt", "site")}},
		{cli.IO, "", []string{dir, "--single", filepath.Join(mine, "notes.txt", "one.html")}},
	} {
		t.Chdir(t.TempDir())
		status, stdout, stderr := run(t, c.args...)
		if status != c.status || !strings.Contains(stderr, c.says) || stdout != "" {
			t.Errorf("%v: status %d, want %d; stdout %q, stderr %q", c.args, status, c.status, stdout, stderr)
		}
		if !strings.HasPrefix(stderr, "report: ") || strings.Count(strings.Split(stderr, "hint:")[0], "\n") != 1 {
			t.Errorf("%v: not one line: %q", c.args, stderr)
		}
		if left := files(t, "."); len(left) != 0 {
			t.Errorf("%v: written: %v", c.args, left)
		}
		if entries, err := os.ReadDir(mine); err != nil || len(entries) != 1 {
			t.Errorf("%v: left behind: %v %v", c.args, entries, err)
		}
	}
}

// What was recorded of phases that no statistic counts gives no report.
func TestNothingMeasured(t *testing.T) {
	dir := t.TempDir()
	w, err := schema.Create(dir, "run-1")
	if err != nil {
		t.Fatal(err)
	}
	var ids schema.IDs
	start := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	r := &schema.Request{RequestID: ids.Next(start), Attempt: 1, Provider: "alpha", Model: "m1", Phase: "warmup", StartedAtNs: new(start.UnixNano()),
		EndReason: new("refused"), Origin: "recorded", Detail: "chunks"}
	w.Begin(r.RequestID)
	if err := w.Write(r, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Seal(&schema.Run{Name: "cold", Origin: "recorded", Tool: "test", Host: "test"}); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := run(t, dir, "--to", filepath.Join(t.TempDir(), "site"))
	if status != cli.Faults || !strings.Contains(stderr, "nothing to report") || !strings.Contains(stderr, "hint:") {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

// A site is equal to what its data give; a digit that someone changed is named,
// with the page, the place, and what the data say.
func TestCheck(t *testing.T) {
	dir, site := dataset(t), filepath.Join(t.TempDir(), "site")
	if status, _, stderr := run(t, dir, "--to", site, "--title", "Small & “quoted”"); status != cli.OK {
		t.Fatal(stderr)
	}
	status, stdout, stderr := run(t, "check", site)
	if status != cli.OK || !strings.Contains(stdout, "equal: ") || !strings.Contains(stdout, "tools.html: not computed again") {
		t.Fatalf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	change := func(name, old, new string) {
		t.Helper()
		file := filepath.Join(site, filepath.FromSlash(name))
		data, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(data), old) {
			t.Fatalf("%s does not hold %q: %v", name, old, err)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(data), old, new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	change("model/m1.html", ">100 ms<", ">90 ms<")
	change("data/latency.csv", "alpha", "gamma")
	if err := os.WriteFile(filepath.Join(site, "extra.html"), []byte("<p>1"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr = run(t, "check", site)
	if status != cli.Faults || !strings.Contains(stderr, "2 of its places differ") {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
	for _, want := range []string{`model/m1.html#`, `the page says "90 ms", its data give "100 ms"`, "data/latency.csv#line ", "extra.html: not of this report"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	if err := os.Remove(filepath.Join(site, "data", "report.json")); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr = run(t, "check", site); status != cli.Usage || !strings.Contains(stderr, "without its data") {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

package runner

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"aircheck/internal/kit/cli"
)

// A plan that needs more files or memory than the process has is refused before anything is sent.
func TestCapacity(t *testing.T) {
	plan := func(streams int) string {
		return "trials: 1\nwarmup: 0\ntargets: [" + target("a", "http://127.0.0.1:9") + "]\n" +
			fmt.Sprintf("scenarios: [{name: s, messages: [{role: user, content: hi}], concurrency: %d}]\n", streams)
	}
	_, err := New(Options{Plan: parse(t, plan(6000)), Dir: t.TempDir()})
	if cli.Status(err) != cli.Usage || !strings.Contains(err.Error(), "up to 6000 streams open") {
		t.Errorf("memory: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	limitFiles(t, 64)
	dir := t.TempDir()
	_, err = New(Options{Plan: parse(t, plan(100)), Dir: dir})
	if cli.Status(err) != cli.Usage || !strings.Contains(err.Error(), "up to 100 connections open, and this process may have 64 open files") {
		t.Errorf("descriptors: %v", err)
	}
}

func limitFiles(t *testing.T, n uint64) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Skip(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: n, Max: old.Max}); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old) })
}

// What goes beyond the recorder's own limits ends as its limit, and the other
// target's rows are whole: a body without end, tiny frames without end, a frame
// without end.
func TestOwnLimitsAreOurs(t *testing.T) {
	long := strings.Repeat("x", 64<<10)
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		kind := strings.Split(r.URL.Path, "/")[1]
		if kind == "fine" {
			answer(w, 0)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			text := "data: " + long + "\n\n"
			switch kind {
			case "tiny":
				text = strings.Repeat(":\n\n", 4000)
			case "frame":
				text = long
			}
			if _, err := w.Write([]byte(text)); err != nil {
				return
			}
		}
	})
	text := "trials: 2\nwarmup: 0\nparallel: 4\ntargets: ["
	for _, kind := range []string{"fine", "body", "tiny", "frame"} {
		text += target(kind, url+"/"+kind) + ", "
	}
	dir := t.TempDir()
	r, err := New(Options{Plan: parse(t, text+"]\n"+hello), Dir: dir, Memory: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(t.Context(), t.Context()); err != nil {
		t.Fatal(err)
	}
	rows, _ := read(t, dir)
	for _, row := range rows {
		want := map[string]string{"fine": "eof"}[row.Provider]
		if want == "" {
			want = "limit"
		}
		if *row.EndReason != want {
			t.Errorf("%s: %s %v", row.Provider, *row.EndReason, row.ErrorText)
		}
	}
	if len(rows) != 8 {
		t.Errorf("%d rows", len(rows))
	}
}

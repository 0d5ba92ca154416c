package runner

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"aircheck/schema"
)

// A run of hashes goes on under the same key, or not at all.
func TestResumeHashes(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, 0) })
	for env, wants := range map[string]map[string]string{
		"hash_key_env: H\n": {"0123456789abcdef": "", "fedcba9876543210": "is not the one that run"},
		"":                  {"0123456789abcdef": "drawn for it and is forgotten"},
	} {
		text := "trials: 4\nwarmup: 0\ncontent: hash\n" + env + "targets: [" + target("a", url) + "]\n" + hello
		dir := t.TempDir()
		o := Options{Plan: parse(t, text), Dir: dir, Getenv: func(string) string { return "0123456789abcdef" }}
		r, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Run(context.Background(), context.Background()); err != nil {
			t.Fatal(err)
		}
		run, err := schema.ReadRun(dir, r.RunID())
		if err != nil {
			t.Fatal(err)
		}
		run.Interrupted = true
		if err := run.Write(dir); err != nil {
			t.Fatal(err)
		}
		for key, want := range wants {
			o.Resume, o.Getenv = r.RunID(), func(string) string { return key }
			_, err := New(o)
			// It lacks nothing, but for the word on its hashes.
			if got := err.Error(); want != "" && !strings.Contains(got, want) || want == "" && !strings.Contains(got, "nothing is missing") {
				t.Errorf("%q, key %q: %s", env, key, got)
			}
		}
	}
}

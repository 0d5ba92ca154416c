package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A page that is not what the program says fails the build.
func TestPagesAreCurrent(t *testing.T) {
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	var stale strings.Builder
	if err := checkPages(t.Context(), root, &stale); err != nil {
		t.Fatalf("%v: run 'make docs'\n%s", err, stale.String())
	}
}

// Every generated page is named in the table, and only those are.
func TestGeneratedPagesAreListed(t *testing.T) {
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, p := range pages {
		listed[filepath.Join(root, filepath.FromSlash(p.path))] = true
	}
	found, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if is := strings.HasPrefix(string(text), generated); is != listed[path] {
			t.Errorf("%s: says that it is generated: %v; docgen writes it: %v", filepath.Base(path), is, listed[path])
		}
	}
}

func TestMacrosWithTheirComments(t *testing.T) {
	got := macros("-- _x: header\n-- stored: no\n\n-- Twice.\nCREATE OR REPLACE MACRO _a(x) AS\n    2 * x;\nCREATE OR REPLACE MACRO _b(x) AS x;\n\nCOMMENT ON MACRO _a IS 'a';\n-- Half.\nCREATE OR REPLACE MACRO _c(x) AS x / 2;\n")
	if len(got) != 2 || got[0].comment != "Twice." || !strings.HasSuffix(got[0].sql, "_b(x) AS x;") || got[1].comment != "Half." {
		t.Errorf("got %+v", got)
	}
}

func TestFirstDifference(t *testing.T) {
	if got := firstDifference("a\nb\n", "a\nc\n"); got != `line 2 is "b", not "c"` {
		t.Error(got)
	}
	if got := firstDifference("", "a\nc\n"); !strings.Contains(got, "line 1") {
		t.Error(got)
	}
}

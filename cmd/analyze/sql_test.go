package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
)

// No public column has to be quoted.
func TestNoColumnIsReserved(t *testing.T) {
	s, err := build.LoadSchema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(t.Context(), duck.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	words, err := duck.Query(t.Context(), db, "words", "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Public() {
		for _, c := range s.Columns(f.Name) {
			for _, row := range words.Rows {
				if row[0] == c.Name {
					t.Errorf("%s.%s is a word of SQL: every query would have to quote it", f.Name, c.Name)
				}
			}
		}
	}
}

// What list and show say of the views fits 100 columns.
func TestCatalogueFits(t *testing.T) {
	s, err := build.LoadSchema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	catalogue(&out, s.Public())
	for _, f := range s.Public() {
		describe(&out, s, f.Name)
	}
	for line := range strings.Lines(out.String()) {
		if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > exampleWidth {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
}

package main

import (
	"slices"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
)

// Every column that has to be quoted is known, so that a query without quotes
// gets a hint.
func TestReservedColumns(t *testing.T) {
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
	var want []string
	for _, f := range s.Public() {
		for _, c := range s.Columns(f.Name) {
			for _, row := range words.Rows {
				if row[0] == c.Name && c.Name != "limit" && !slices.Contains(want, c.Name) {
					want = append(want, c.Name)
				}
			}
		}
	}
	if slices.Sort(want); !slices.Equal(want, reserved) {
		t.Errorf("columns that are words of SQL: %v, known %v", want, reserved)
	}
}

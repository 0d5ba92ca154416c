package queries_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aircheck/queries"
)

// casesElsewhere are views that no text test needs to read: rows as recorded or
// decoded, which tests of those packages compare, and lists of constants.
var casesElsewhere = []string{"requests", "chunks", "events", "answers", "runs", "checks", "metrics", "audit_rules", "fit_metrics", "workloads"}

// Every public view has a case small enough to check by hand, or is read by one
// that has.
func TestEveryViewHasACase(t *testing.T) {
	var all strings.Builder
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".test" {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	needs := map[string][]string{}
	for _, f := range files {
		needs[f.Name] = f.Needs
	}
	read := map[string]bool{}
	var reads func(name string)
	reads = func(name string) {
		if !read[name] {
			read[name] = true
			for _, need := range needs[name] {
				reads(need)
			}
		}
	}
	for _, m := range regexp.MustCompile(`\b(?:FROM|JOIN) (\w+)`).FindAllStringSubmatch(all.String(), -1) {
		reads(m[1])
	}
	for _, f := range s.Public() {
		if !read[f.Name] && !slices.Contains(casesElsewhere, f.Name) {
			t.Errorf("no case below testdata reads %s", f.Name)
		}
	}
}

// Keys name columns, and no public name is private's.
func TestKeysNameColumns(t *testing.T) {
	s, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for _, key := range f.Key {
			found := false
			for _, c := range s.Columns(f.Name) {
				found = found || c.Name == key
			}
			if !found {
				t.Errorf("queries/%s: the key names %s, which is no column", f.Path, key)
			}
		}
	}
}

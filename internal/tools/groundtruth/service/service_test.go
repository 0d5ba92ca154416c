package service

import (
	"flag"
	"strings"
	"testing"

	"aircheck/internal/tools/groundtruth"
)

var seeds = flag.Int("seeds", 30, "worlds to make")

// Each view finds what was planted for it, and nothing in what was not. Thirty
// worlds here; `make soak` counts two hundred.
func TestViewsFindWhatWasPlanted(t *testing.T) {
	findings, err := Count(t.Context(), *seeds)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if wrong := f.Wrong(); wrong != "" {
			t.Errorf("%s: %d of %d: %s", f.What, f.Found, f.Of, wrong)
		}
	}
	var b strings.Builder
	if err := groundtruth.Print(&b, findings); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + b.String())
}

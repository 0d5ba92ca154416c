package groundtruth

import (
	"strings"
	"testing"
)

// Each view finds what was planted for it, and nothing in what was not. Few
// worlds here; `make soak` counts two hundred.
func TestViewsFindWhatWasPlanted(t *testing.T) {
	t.Parallel()
	findings, faults, err := Count(t.Context(), t.TempDir(), 24)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
	for _, f := range findings {
		if wrong := f.Wrong(); wrong != "" {
			t.Errorf("%s: %d of %d: %s", f.What, f.Found, f.Of, wrong)
		}
	}
	var b strings.Builder
	if err := Print(&b, findings); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + b.String())
}

func TestLeverageInterval(t *testing.T) {
	t.Parallel()
	f, err := Leverage(t.Context(), 12)
	if err != nil {
		t.Fatal(err)
	}
	if wrong := f.Wrong(); wrong != "" {
		t.Errorf("%s: %d of %d: %s", f.What, f.Found, f.Of, wrong)
	}
}

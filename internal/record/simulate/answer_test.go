package simulate

import (
	"regexp"
	"slices"
	"testing"
)

// What tokenize does by hand, as a pattern.
var tokenPattern = regexp.MustCompile(` ?\pL+| ?\pN{1,3}| ?[^\s\pL\pN]+|\s+`)

func FuzzTokenize(f *testing.F) {
	for _, text := range []string{"", " ", "a b  c", "The sky, at 12345 m.", " 1 22 333 4444", "\t\n x\v\f", "é ü – … “quoted”", "١٢٣٤٥ Ⅷ ½", "a\xffb \xff", "!? ...\r\n", "  a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want := tokenPattern.FindAllString(text, -1)
		if got := tokenize(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if got := countTokens(text); got != len(want) {
			t.Errorf("%q: %d tokens, want %d", text, got, len(want))
		}
	})
}

package decode

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// texts are pieces that the splitter of o200k treats in different ways.
var texts = []string{
	"The", "sky", "isn't", "blue.", "(because", "x=1;", "1,234", "12345678", "été", "naïve", "北京", "。", "\u00a0", "\u2003", "\n", "\n\n", "\t", " ", "  ", "   ",
	"```go\n", "//", "\r\n", "'LL", "HTTPServer", "e\u0301", "👍🏽", ")", "]]", "\"quoted\"", "-", "--", "/", ".\n", "!\r", "_", "a_b",
}

// Words counted one by one are the text counted whole.
func TestCountByWords(t *testing.T) {
	count, err := O200k()
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(texts[r.IntN(len(texts))])
			if r.IntN(2) == 0 {
				b.WriteByte(' ')
			}
		}
		if got, want := count.Count(b.String()), int64(count.tokens(b.String())); got != want {
			t.Fatalf("%q: %d tokens word by word, %d whole", b.String(), got, want)
		}
	}
}

func FuzzCountByWords(f *testing.F) {
	for _, s := range texts {
		f.Add(s + " " + s)
	}
	count, err := O200k()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s = strings.ToValidUTF8(s, ""); count.Count(s) != int64(count.tokens(s)) {
			t.Errorf("%q: %d tokens word by word, %d whole", s, count.Count(s), count.tokens(s))
		}
	})
}

func BenchmarkCount(b *testing.B) {
	count, err := O200k()
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("The sky is blue because air scatters short waves of light more than long ones, as Rayleigh showed in 1871. ", 40)
	b.SetBytes(int64(len(text)))
	b.Run("words", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			count.Count(text)
		}
	})
	b.Run("whole", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			count.tokens(text)
		}
	})
}

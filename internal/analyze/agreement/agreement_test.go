package agreement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/analyze/stats"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		" The  sky,\nblue. ":    "The|sky|,|blue|.",
		"x+1=2":                 "x|+|1|=|2",
		"naïve cafe\u0301":      "naïve|cafe\u0301",
		"incomprehensibilities": "incompre|hensibil|ities", // long runs are cut
		"日本語":                   "日本語",
		"\xff":                  "\ufffd",
	} {
		if got := strings.Join(slices.Collect(words(text)), "|"); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// What an answer says: calls before numbers before JSON before words.
func TestEssence(t *testing.T) {
	for _, c := range []struct {
		text, calls     string
		number          bool
		basis, compared string
	}{
		{"Hi there", "", false, "text", "Hi there"},
		{`{"b": 1.50, "a": [1,  2]}`, "", false, "json", `{"a":[1,2],"b":1.50}`},
		{`{"a": 1} and more`, "", false, "text", `{"a": 1} and more`},
		{"12 + 30 is 42.", "", true, "number", "42"},
		{"forty-two", "", true, "number", ""},
		{"x", `[{"name":"f","arguments":"{\"b\": 1, \"a\": 2}"}]`, true, "tool", `f {"a":2,"b":1} `},
	} {
		if basis, compared := essence(c.text, c.calls, c.number); basis != c.basis || compared != c.compared {
			t.Errorf("%+v: got %s, %q", c, basis, compared)
		}
	}
}

// Of four places one differs; of five, when one side has a word more, two.
func TestDistance(t *testing.T) {
	l := newLexicon()
	a := l.add("one two three four", "", false)
	for text, want := range map[string]int64{
		"one  two\nthree four": 0,
		"one two tree four":    2500,
		"one two tree four x":  4000,
		"":                     10000,
		"[1]":                  10000, // JSON, not text
	} {
		b := l.add(text, "", false)
		if got := l.distance(a, b); got != want || l.distance(b, a) != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	if e := l.add("", "", false); l.distance(e, l.add(" ", "", false)) != 0 {
		t.Error("two empty answers differ")
	}
}

// Eight windows, one prompt answered twice in each: b always says something
// else, c says what a says but for every fourth answer, as a does itself.
func TestPairs(t *testing.T) {
	var s Answers
	id := int64(0)
	say := func(provider string, window int, text string) {
		id++
		s.Add(Party{Provider: provider}, Answer{Request: id, Prompt: "p", Window: fmt.Sprint(window), Text: text})
	}
	for w := range 8 {
		for k := range 2 {
			usual := "The sky is blue."
			if (2*w+k)%4 == 0 {
				usual = "A sky of blue."
			}
			say("a", w, usual)
			say("b", w, "It is grey now.")
			say("c", w, usual)
		}
	}
	pairs := s.Pairs()
	Adjust(pairs)
	if len(pairs) != 3 {
		t.Fatalf("%d pairs, want 3", len(pairs))
	}
	for _, p := range pairs {
		name := p.A.Provider + p.B.Provider
		differ := strings.Contains(name, "b")
		if p.Windows != 8 || p.N != [2]int{16, 16} || p.Evidence != stats.EvidenceWindows || p.Basis != "text" || len(p.Prompts) != 1 {
			t.Errorf("%s: %+v", name, p.Comparison)
		}
		if (*p.Q <= 0.05) != differ || (*p.Prompts[0].P <= 0.05) != differ {
			t.Errorf("%s: q %v, p %v; want a difference: %v", name, *p.Q, *p.Prompts[0].P, differ)
		}
		if name == "ab" && (*p.P != 1.0/128 || *p.Within[1] != 0 || p.Example[0] == 0) {
			t.Errorf("%s: p %v, variation of b %v, example %v", name, *p.P, *p.Within[1], p.Example)
		}
	}
}

// Without a window in common there is still something to be said, of these
// answers alone; with one answer a side there is not.
func TestPairsWithoutCommonWindows(t *testing.T) {
	var s Answers
	for i := range 6 {
		s.Add(Party{Provider: "a"}, Answer{Request: int64(i + 1), Prompt: "p", Window: "x", Text: "yes"})
		s.Add(Party{Provider: "b"}, Answer{Request: int64(i + 11), Prompt: "p", Window: "y", Text: "no"})
	}
	s.Add(Party{Provider: "c"}, Answer{Request: 21, Prompt: "p", Window: "z", Text: "no"})
	pairs := s.Pairs()
	Adjust(pairs)
	if p := pairs[0]; p.Windows != 0 || p.Evidence != stats.EvidenceWithin || *p.P > 0.01 || p.Prompts[0].Windows != 0 {
		t.Errorf("a, b: %+v", p.Comparison)
	}
	if p := pairs[1]; p.P != nil || p.Q != nil || p.Evidence != stats.EvidenceNone {
		t.Errorf("a, c: %+v", p.Comparison)
	}
}

func TestSameProviderIsNoPair(t *testing.T) {
	var s Answers
	for i, params := range []string{`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`} {
		s.Add(Party{"a", params}, Answer{Request: int64(i + 1), Prompt: "p", Text: params})
	}
	if pairs := s.Pairs(); len(pairs) != 0 {
		t.Errorf("got %d pairs", len(pairs))
	}
}

// Many answers are thinned out, so that comparing them ends.
func TestManyAnswers(t *testing.T) {
	var s Answers
	for i := range 2000 {
		s.Add(Party{Provider: "ab"[i%2 : i%2+1]}, Answer{Request: int64(i + 1), Prompt: "p", Window: fmt.Sprint(i / 2 % 20), Text: fmt.Sprint(i%7, " of them")})
	}
	p := s.Pairs()[0]
	if p.N != [2]int{Most, Most} || p.P == nil {
		t.Errorf("%+v", p.Comparison)
	}
}

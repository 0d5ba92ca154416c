package agreement

import (
	"encoding/json"
	"strings"
	"unicode"

	"aircheck/internal/rules/checks"
)

// Answers are compared by what they say: their tool calls, else the number that
// a check asks for, else their JSON in one spelling, else their words. White
// space says nothing.

// wordsMost is how many words of an answer are compared, charsMost how long a
// word may be: writing without blanks is cut into pieces.
const (
	wordsMost = 256
	charsMost = 8
)

// phrase is what an answer says, as numbers of words, and on what basis.
type phrase struct {
	words []int32
	basis string
}

// lexicon numbers words; texts that say the same share one phrase.
type lexicon struct {
	words   map[string]int32
	phrases []phrase
	known   map[string]int32 // by basis and words
	far     map[uint64]int32 // distances known, by two phrases
}

func newLexicon() *lexicon {
	return &lexicon{words: map[string]int32{}, known: map[string]int32{}, far: map[uint64]int32{}}
}

// add reads an answer and gives the number of its phrase.
func (l *lexicon) add(text, calls string, number bool) int32 {
	basis, compared := essence(text, calls, number)
	var p phrase
	var key strings.Builder
	key.WriteString(basis)
	for w := range words(compared) {
		n, ok := l.words[w]
		if !ok {
			n = int32(len(l.words))
			l.words[strings.Clone(w)] = n
		}
		p.words = append(p.words, n)
		key.WriteByte(0)
		key.WriteString(w)
		if len(p.words) == wordsMost {
			break
		}
	}
	id, ok := l.known[key.String()]
	if !ok {
		id = int32(len(l.phrases))
		p.basis = basis
		l.known[key.String()] = id
		l.phrases = append(l.phrases, p)
	}
	return id
}

// essence is what of an answer is compared.
func essence(text, calls string, number bool) (basis, compared string) {
	if calls != "" {
		var list []checks.Call
		if json.Unmarshal([]byte(calls), &list) == nil {
			var b strings.Builder
			for _, c := range list {
				arguments, _ := oneSpelling(c.Arguments)
				b.WriteString(c.Name + " " + arguments + " ")
			}
			return "tool", b.String()
		}
	}
	if number {
		n, _ := checks.LastNumber(text)
		return "number", n
	}
	if s, ok := oneSpelling(text); ok {
		return "json", s
	}
	return "text", text
}

// oneSpelling writes a JSON object or array with sorted keys and no blanks.
func oneSpelling(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '{' && s[0] != '[' {
		return s, false
	}
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return s, false
	}
	out, err := json.Marshal(v)
	return string(out), err == nil
}

// words cuts a text into runs of letters and digits, and single other signs.
func words(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start, chars := -1, 0
		for i, r := range s {
			inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
			if start >= 0 && (!inside || chars == charsMost) {
				if !yield(s[start:i]) {
					return
				}
				start = -1
			}
			switch {
			case inside && start < 0:
				start, chars = i, 1
			case inside:
				chars++
			case !unicode.IsSpace(r):
				if !yield(string(r)) {
					return
				}
			}
		}
		if start >= 0 {
			yield(s[start:])
		}
	}
}

// farthest is the distance of two phrases with nothing in common.
const farthest = 10000

// distance is the share of places at which two phrases differ, of the places of
// the longer one, in ten thousandths: the Hamming distance of their words. It is
// coarse, in that a word put in at the front moves all that follows, and
// therefore simple; what matters is that it treats both sides alike.
func (l *lexicon) distance(a, b int32) int64 {
	if a == b {
		return 0
	}
	key := uint64(min(a, b))<<32 | uint64(max(a, b))
	d, ok := l.far[key]
	if !ok {
		if len(l.far) >= farMost {
			clear(l.far)
		}
		d = between(l.phrases[a], l.phrases[b])
		l.far[key] = d
	}
	return int64(d)
}

// farMost bounds the distances that are kept, to about 100 MB.
const farMost = 4 << 20

func between(a, b phrase) int32 {
	if a.basis != b.basis {
		return farthest
	}
	n, m := len(a.words), len(b.words)
	if n > m {
		a, b, n, m = b, a, m, n
	}
	differ := m - n
	for i, w := range a.words {
		if w != b.words[i] {
			differ++
		}
	}
	return int32(differ * farthest / m)
}

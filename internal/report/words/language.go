package words

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"aircheck/internal/kit/human"
)

//go:embed languages/*.txt
var languageFiles embed.FS

// Language says the report's sentences. Code states each as a whole English
// sentence with verbs of package fmt; a language file holds the same sentence in
// another language, whose verbs may be indexed ("%[2]s") where its order differs.
// The nil Language is English for a terminal; the others mark names (see Name).
type Language struct {
	Tag   string // BCP 47: the lang attribute of a page
	texts map[string]string
	words map[string]bool // that come from tables: below the line "## words"
}

// languages are English and one for each file in languages/, by the file's name.
var languages = func() map[string]*Language {
	all := map[string]*Language{"en": {Tag: "en"}}
	entries, err := languageFiles.ReadDir("languages")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		data, _ := languageFiles.ReadFile("languages/" + e.Name())
		name := strings.TrimSuffix(e.Name(), ".txt")
		sentences, terms, _ := strings.Cut(string(data), "\n## words\n")
		texts, err := parseLanguage(sentences)
		if err != nil {
			panic(fmt.Errorf("%s: %w", e.Name(), err))
		}
		l := &Language{Tag: texts["BCP 47"], texts: texts, words: map[string]bool{}}
		vocabulary, err := parseLanguage(terms)
		if err != nil {
			panic(fmt.Errorf("%s, words: %w", e.Name(), err))
		}
		for english, text := range vocabulary {
			if _, ok := l.texts[english]; !ok {
				l.texts[english], l.words[english] = text, true
			}
		}
		all[name] = l
	}
	return all
}()

// LanguageNames lists what LanguageFor takes: "en", "zh".
func LanguageNames() []string { return slices.Sorted(maps.Keys(languages)) }

// LanguageFor is the language of that name.
func LanguageFor(name string) (*Language, error) {
	if l := languages[name]; l != nil {
		return l, nil
	}
	return nil, fmt.Errorf("language %q: want one of %s", name, strings.Join(LanguageNames(), ", "))
}

// parseLanguage reads a language file: the English text on a line, its
// translation on the next, indented. Lines that begin with # are comments. Of a
// text that is there twice the later counts; a test names it.
func parseLanguage(text string) (map[string]string, error) {
	texts := map[string]string{}
	english := ""
	for i, line := range strings.Split(text, "\n") {
		switch indented := strings.HasPrefix(line, "\t"); {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case !indented && english != "":
			return nil, fmt.Errorf("line %d: %q has no translation", i, english)
		case !indented:
			english = line
		case english == "":
			return nil, fmt.Errorf("line %d: a translation of nothing", i+1)
		default:
			texts[english], english = line[1:], ""
		}
	}
	return texts, nil
}

// Say states a sentence. The English text is the key of its translation.
func (l *Language) Say(english string, args ...any) string {
	if l == nil || l.texts == nil {
		return fmt.Sprintf(english, args...)
	}
	if translated, ok := l.texts[english]; ok {
		return fmt.Sprintf(translated, args...)
	}
	return fmt.Sprintf(english, args...)
}

// SayAs is Say where one English sentence needs several translations: the entry
// of a language file is the sentence, " ¦ " and the case.
func (l *Language) SayAs(kind, english string, args ...any) string {
	if translated := l.Term(english + " ¦ " + kind); translated != english+" ¦ "+kind {
		return fmt.Sprintf(translated, args...)
	}
	return fmt.Sprintf(english, args...)
}

// Term translates a word or a sentence without verbs that comes from a table:
// the heading of a column, an outcome, a verdict. What no file holds stays as
// it is.
func (l *Language) Term(english string) string {
	if l != nil {
		if translated, ok := l.texts[english]; ok {
			return translated
		}
	}
	return english
}

// isolates are the marks around a name in a page: they keep its direction of
// writing from the sentence around it. The page turns them into <bdi>.
const firstIsolate, popIsolate = "\u2068", "\u2069"

// Name writes a name that came from a recording: as it is on a terminal, with
// marks around it in a page.
func (l *Language) Name(s string) string {
	if l == nil {
		return s
	}
	return firstIsolate + Visible(s) + popIsolate
}

// Visible shows the characters that would act in a page or a terminal instead
// of being seen, as their pictures or, where there is none, as U+FFFD.
func Visible(s string) string {
	s = short(s)
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		case r >= 0x80 && r < 0xa0, r == 0x200e, r == 0x200f, r == 0x061c, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0xfeff, r == 0x2028, r == 0x2029:
			return 0xfffd
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// Names lists names: "A", "A and B", "A, B and C".
func (l *Language) Names(names []string) string {
	marked := make([]string, len(names))
	for i, n := range names {
		marked[i] = l.Name(n)
	}
	return l.List(marked)
}

// List joins parts of a sentence: "A", "A and B", "A, B and C".
func (l *Language) List(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return l.Say("%s and %s", l.Commas(parts[:len(parts)-1]), parts[len(parts)-1])
}

// Commas joins parts without a word between the last two: "A, B, C".
func (l *Language) Commas(parts []string) string { return l.joined("%s, %s", parts) }

// Clauses joins clauses to one sentence with its full stop: "a; b; c.".
func (l *Language) Clauses(parts []string) string {
	return l.Sentence(l.joined("%s; %s", parts))
}

// Sentences joins whole sentences to a paragraph.
func (l *Language) Sentences(parts []string) string { return l.joined("%s %s", parts) }

// Sentence ends a sentence.
func (l *Language) Sentence(s string) string { return l.Say("%s.", s) }

func (l *Language) joined(pair string, parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	s := parts[0]
	for _, p := range parts[1:] {
		s = fmt.Sprintf(l.Term(pair), s, p)
	}
	return s
}

// Count writes "1 window", "12 windows". The noun's entry in a language file is
// "%s window".
func (l *Language) Count(n int64, noun string) string {
	if l == nil || l.texts == nil {
		return Count(n, noun)
	}
	return fmt.Sprintf(l.Term("%s "+noun), human.Count(n))
}

// Millis writes a duration: "240 ms", "1.4 s", "2.5 min".
func (l *Language) Millis(ms float64) string {
	number, unit, _ := strings.Cut(human.Millis(ms), " ")
	return fmt.Sprintf(l.Term("%s "+unit), number)
}

// Ratio writes how many times: "3.0×".
func (l *Language) Ratio(v float64) string {
	return fmt.Sprintf(l.Term("%s×"), strings.TrimSuffix(human.Ratio(v), "×"))
}

// Value writes a value in its unit, as the registry names it.
func (l *Language) Value(v float64, unit string) string {
	switch unit {
	case "ms":
		return l.Millis(v)
	case "USD", "usd":
		return human.USD(v)
	case "share":
		return human.Share(v)
	case "ratio":
		return l.Ratio(v)
	case "":
		return human.Number(v)
	}
	return fmt.Sprintf(l.Term("%s "+unit), human.Number(v))
}

// Date writes a time in UTC by a layout of package time; a language file holds
// its own layout for it.
func (l *Language) Date(t time.Time, layout string) string {
	return t.UTC().Format(l.Term(layout))
}

// Metric gives a metric the language's words. Its entry in a language file is
// "metric NAME": heading, does, do, within, best, better, worse, as the
// language's own sentences need them.
func (l *Language) Metric(m Metric) Metric {
	m.Language = l
	if l == nil || l.texts == nil {
		return m
	}
	if w := strings.Split(l.texts["metric "+m.Name], " | "); len(w) == 7 {
		for i := range w {
			w[i] = strings.TrimSpace(w[i])
		}
		m.Words = Words{Heading: w[0], Does: w[1], Do: w[2], Within: strings.Trim(w[3], "-"), Best: w[4], Better: w[5], Worse: w[6]}
	}
	return m
}

// Later marks a text that is translated where it is shown, with Term.
func Later(english string) string { return english }

// longest is how many bytes of a name a page shows at most.
const longest = 240

// short cuts a name that nobody can read: its beginning stands, and how long it is.
func short(s string) string {
	if len(s) <= longest {
		return s
	}
	cut := longest
	for cut > longest-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… [%s B]", s[:cut], human.Count(int64(len(s))))
}

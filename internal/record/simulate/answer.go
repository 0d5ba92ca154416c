package simulate

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// composer writes the answers of one model at one provider.
type composer struct {
	seed  uint64
	model string
	b     *Behaviour
	place place
}

// composed is an answer as tokens, or a tool call.
type composed struct {
	pieces []string
	call   *call
}

// call is a tool call; its arguments come as tokens.
type call struct {
	id, name string
	args     []string
}

// compose writes answer number choice (from 0) to a. What it says depends on
// the prompt, the model and its build alone, unless the request is one of those
// that vary without reason.
func (c composer) compose(a *ask, choice int) composed {
	key := []string{"answer", c.model, a.prompt, strconv.Itoa(choice)}
	r := random(c.seed, key...)
	target := c.b.Answer.Tokens.draw(r)
	departs := c.b.Answer.Build != "" &&
		random(c.seed, "departs", c.model, c.b.Answer.Build, a.prompt).Float64() < c.b.Answer.Differs
	varies := c.b.Answer.Variety > 0 && c.place.random("varies") < c.b.Answer.Variety
	if departs {
		key = append(key, c.b.Answer.Build)
	}
	if varies {
		key = append(key, c.place.provider, strconv.Itoa(c.place.ordinal))
	}
	r = random(c.seed, append(key, "text")...)

	switch {
	case len(a.tools) > 0 && !a.noTools:
		t := a.tools[0]
		return composed{call: &call{
			id:   fmt.Sprintf("call_%08x", r.Uint32()),
			name: t.name,
			args: tokenize(string(sampleJSON(t.schema, r))),
		}}
	case a.json:
		return composed{pieces: tokenize(string(sampleJSON(a.schema, r)))}
	case mentionsJSON.MatchString(a.prompt):
		// Nothing but the prompt asks for JSON: it comes as chat does.
		return composed{pieces: tokenize("Here is the JSON:\n```json\n" + string(sampleJSON(nil, r)) + "\n```")}
	}
	known, length := c.known(a.prompt, departs)
	if length.Median > 0 {
		target = length.draw(random(c.seed, key...))
	}
	pieces := tokenize(known)
	if known == "" {
		return composed{pieces: prose(r, target)}
	}
	if rest := target - len(pieces); rest > 0 || departs || varies {
		filler := prose(r, max(rest, 8))
		filler[0] = " " + filler[0]
		pieces = append(pieces, filler...)
	}
	return composed{pieces: pieces}
}

var (
	mentionsJSON = regexp.MustCompile(`\bJSON\b`)
	arithmetic   = regexp.MustCompile(`(\d{1,9})\s*([-+*×])\s*(\d{1,9})`)
)

// known is the part of the answer that is right or wrong: a text of the fleet's
// file (with a length of its own, if it has one), or a sum worked out. A build that departs says the other text, or
// miscounts by one.
func (c composer) known(prompt string, departs bool) (string, Dist[int]) {
	for _, t := range c.b.Answer.Texts {
		if t.When.Regexp != nil && t.When.MatchString(prompt) {
			if departs && t.Other != "" {
				return t.Other, t.Tokens
			}
			return t.Text, t.Tokens
		}
	}
	m := arithmetic.FindStringSubmatch(prompt)
	if m == nil {
		return "", Dist[int]{}
	}
	x, _ := strconv.ParseInt(m[1], 10, 64)
	y, _ := strconv.ParseInt(m[3], 10, 64)
	var z int64
	switch m[2] {
	case "+":
		z = x + y
	case "-":
		z = x - y
	default:
		z = x * y
	}
	if departs {
		z++
	}
	return fmt.Sprintf("%d %s %d = %d.", x, m[2], y, z), Dist[int]{}
}

// The vocabulary: each word, with the blank before it, is one token of the
// o200k encoding, so that counts reported and counts by tokenizer agree.
var (
	adjectives = strings.Fields("small quiet old bright slow open warm deep early plain long green clear dark strong simple")
	nouns      = strings.Fields("river house market garden train letter window teacher road city ship winter forest bridge table storm")
	verbs      = strings.Fields("follows meets holds leaves finds keeps moves reaches needs shows takes brings")
	links      = strings.Fields("near under behind before after beside above through")
)

// prose writes n tokens of plain sentences; the last is a full stop. It starts
// without a blank.
func prose(r *rand.Rand, n int) []string {
	if n <= 0 {
		return nil
	}
	pick := func(from []string) string { return " " + from[r.IntN(len(from))] }
	var out []string
	for len(out) < n {
		first := " The"
		if len(out) == 0 {
			first = "The"
		}
		out = append(out, first, pick(adjectives), pick(nouns), pick(verbs), " the", pick(nouns),
			pick(links), " the", pick(adjectives), pick(nouns), ".")
	}
	out = out[:n]
	if n > 1 && out[n-2] == "." {
		out[n-2] = " again"
	}
	out[n-1] = "."
	return out
}

// tokenize cuts text into pieces about as a tokenizer does: a word with the
// blank before it, up to three digits, a run of other signs, white space.
func tokenize(text string) []string {
	var out []string
	for len(text) > 0 {
		n := tokenLen(text)
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

// countTokens is len(tokenize(text)).
func countTokens(text string) (n int) {
	for len(text) > 0 {
		text = text[tokenLen(text):]
		n++
	}
	return n
}

// tokenLen is the length of the first piece of a text that is not empty.
func tokenLen(text string) int {
	at := 0
	if text[0] == ' ' {
		at = 1
	}
	if kind := kindAt(text[at:]); kind != space {
		return at + runLen(text[at:], kind)
	}
	return runLen(text, space)
}

// runLen is how many bytes of one kind a text begins with.
func runLen(text string, kind signKind) (n int) {
	for signs := 0; n < len(text) && kindAt(text[n:]) == kind && (kind != digit || signs < 3); signs++ {
		_, size := utf8.DecodeRuneInString(text[n:])
		n += size
	}
	return n
}

type signKind int

const (
	space signKind = iota
	letter
	digit
	other
)

// kindAt is the kind of the first sign; a text that is over counts as space.
func kindAt(text string) signKind {
	if text == "" {
		return space
	}
	r, _ := utf8.DecodeRuneInString(text)
	switch {
	case r == ' ', r >= '\t' && r <= '\r' && r != '\v':
		return space
	case r < utf8.RuneSelf && (r|0x20 >= 'a' && r|0x20 <= 'z'), r >= utf8.RuneSelf && unicode.IsLetter(r):
		return letter
	case r >= '0' && r <= '9', r >= utf8.RuneSelf && unicode.IsNumber(r):
		return digit
	}
	return other
}

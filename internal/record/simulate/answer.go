package simulate

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
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

var tokenPattern = regexp.MustCompile(` ?\pL+| ?\pN{1,3}| ?[^\s\pL\pN]+|\s+`)

// tokenize cuts text into pieces about as a tokenizer does: a word with the
// blank before it, up to three digits, a run of other signs.
func tokenize(text string) []string { return tokenPattern.FindAllString(text, -1) }

package plan

import (
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"

	"aircheck/internal/wire/dialect"
)

// o200k is the tokenizer that lengths are counted with. Making it costs some
// tenths of a second, so it waits until it is needed.
var o200k = sync.OnceValue(codec.NewO200kBase)

// CountTokens counts o200k tokens.
func CountTokens(text string) int {
	n, err := o200k().Count(text)
	if err != nil {
		return 0 // only in a mode that refuses invalid UTF-8, which is not this one
	}
	return n
}

// tokens counts the contents of the messages. What a provider wraps around
// them is its own, and differs.
func (p *Prompt) tokens() int {
	p.counted.Do(func() { p.count = countMessages(p.Messages) })
	return p.count
}

func countMessages(messages []dialect.Message) int {
	n := 0
	for _, m := range messages {
		n += CountTokens(m.Content)
	}
	return n
}

// fill gives the messages brought to a length of that many tokens by text
// in front of the user's last message. 0 leaves them as they are.
func (p *Prompt) fill(size int) []dialect.Message {
	if size == 0 {
		return p.Messages
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if m := p.filled[size]; m != nil {
		return m
	}
	out := append([]dialect.Message(nil), p.Messages...)
	last := len(out) - 1
	for out[last].Role != "user" {
		last--
	}
	question := out[last].Content
	rest := size - countMessages(out) + CountTokens(question)
	rng := rand.New(rand.NewPCG(uint64(p.Index), uint64(size)))
	out[last].Content = fillTo(rest, question, rng)
	if p.filled == nil {
		p.filled = map[int][]dialect.Message{}
	}
	p.filled[size] = out
	return out
}

// fillTo puts filler in front of a question until there are want tokens. A
// word of the list is one token with the space before it, so a few rounds of
// adding what is missing suffice.
func fillTo(want int, question string, rng *rand.Rand) string {
	var words []string
	text := func() string {
		if len(words) == 0 {
			return question
		}
		return "Notes:" + strings.Join(words, "") + "\n\n" + question
	}
	for range 20 {
		missing := want - CountTokens(text())
		switch {
		case missing == 0:
			return text()
		case missing > 0:
			for range missing {
				words = append(words, " "+fillerWords[rng.IntN(len(fillerWords))])
			}
		case -missing >= len(words):
			return question // no room for a single word
		default:
			words = words[:len(words)+missing]
		}
	}
	return text()
}

// fillerWords are plain words that say nothing together.
var fillerWords = strings.Fields(`
	water light stone house garden river mountain paper window letter music table
	winter summer morning evening road bridge field forest island city village market
	teacher doctor farmer sailor writer painter child friend brother sister
	small large open quiet early late near far long short warm cold clear dark
	walks reads writes finds keeps brings turns holds opens moves stands waits
	under over behind between before after along across toward within
	the and with from into that this these every other some many`)

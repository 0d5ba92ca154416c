package decode

import (
	"cmp"
	"encoding/json"
	"strings"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Counter counts o200k tokens, the common measure across models and the
// fallback where a provider reports no usage. It may be used by several
// goroutines.
type Counter struct {
	codec tokenizer.Codec

	mu   sync.Mutex
	free []map[string]int32 // tokens of words met before: one map for each goroutine that counts
}

// O200k is the counter, made when it is first asked for.
var O200k = sync.OnceValues(func() (*Counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	return &Counter{codec: codec}, err
})

const (
	mostKnown = 1 << 16 // words that are remembered: some five megabytes
	longWord  = 40      // bytes; longer ones hardly come again
)

// Count is the number of tokens of valid UTF-8 text.
//
// The splitter of o200k never joins what stands before a single space with what
// follows it, so text is counted word by word, and the words, which recur, are
// looked up.
func (t *Counter) Count(s string) (n int64) {
	known := t.take()
	for s != "" {
		word := s[:wordEnd(s)]
		s = s[len(word):]
		tokens, ok := known[word]
		if !ok {
			tokens = t.tokens(word)
			if len(word) <= longWord {
				if len(known) >= mostKnown {
					clear(known)
				}
				known[strings.Clone(word)] = tokens
			}
		}
		n += int64(tokens)
	}
	t.give(known)
	return n
}

func (t *Counter) take() map[string]int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.free) == 0 {
		return map[string]int32{}
	}
	last := t.free[len(t.free)-1]
	t.free = t.free[:len(t.free)-1]
	return last
}

func (t *Counter) give(known map[string]int32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.free = append(t.free, known)
}

// wordEnd is where the next space stands alone between two bytes that are none.
func wordEnd(s string) int {
	for i := 1; i+1 < len(s); i++ {
		if s[i] == ' ' && !mayBeSpace(s[i-1]) && !mayBeSpace(s[i+1]) {
			return i
		}
	}
	return len(s)
}

// mayBeSpace reports whether a byte is white space, or part of a character that
// may be.
func mayBeSpace(b byte) bool { return b <= ' ' || b >= 0x7f }

func (t *Counter) tokens(s string) int32 {
	n, err := t.codec.Count(s)
	if err != nil {
		return 0 // the codec's only errors are a time-out, which is off, and strict mode, which is too
	}
	return int32(n)
}

// tokenCounter makes the counter when it is first needed: its vocabulary takes
// a fifth of a second to load.
type tokenCounter func() (*Counter, error)

// countTokens counts what the response at hand shows: its answer always, its
// thinking where the counts may have to stand for a usage.
func (a *assembler) countTokens(st *stream, counter tokenCounter) error {
	count, err := counter()
	if err != nil {
		return err
	}
	var ans, think int64
	doubtful := a.at.doubtful(st)
	for i := range a.choices {
		c := &a.choices[i]
		ans += count.Count(string(c.text)) + count.Count(string(c.refusal))
		if doubtful {
			think += count.Count(string(c.reasoning))
		}
	}
	for i := range a.calls {
		ans += count.Count(a.calls[i].Name) + count.Count(string(a.calls[i].args))
	}
	st.ShownO200k = &ans
	if doubtful {
		st.AnswerO200k, st.ReasoningO200k = &ans, &think
	}
	if doubtful || a.at.thought > a.at.output {
		a.asked = append(a.asked, st.RequestID)
	}
	return nil
}

// MostOutput is the output that a request allows, in the spelling of any dialect;
// nil where it sets no limit.
func MostOutput(body string) *int64 {
	var b struct {
		MaxTokens           *int64 `json:"max_tokens"`
		MaxCompletionTokens *int64 `json:"max_completion_tokens"`
		MaxOutputTokens     *int64 `json:"max_output_tokens"`
		GenerationConfig    struct {
			MaxOutputTokens *int64 `json:"maxOutputTokens"`
		} `json:"generationConfig"`
		InferenceConfig struct {
			MaxTokens *int64 `json:"maxTokens"`
		} `json:"inferenceConfig"`
		Options struct {
			NumPredict *int64 `json:"num_predict"`
		} `json:"options"`
	}
	if json.Unmarshal([]byte(body), &b) != nil {
		return nil // cannot be read: it says nothing
	}
	return cmp.Or(b.MaxTokens, b.MaxCompletionTokens, b.MaxOutputTokens, b.GenerationConfig.MaxOutputTokens, b.InferenceConfig.MaxTokens, b.Options.NumPredict)
}

// RequestTokens counts the texts of a request body: every string under the keys
// that dialects keep text in. It leaves out what a provider's chat template adds.
func (t *Counter) RequestTokens(body string) *int64 {
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return nil
	}
	var n int64
	var walk func(v any, text bool)
	walk = func(v any, text bool) {
		switch v := v.(type) {
		case string:
			if text {
				n += t.Count(v)
			}
		case []any:
			for _, e := range v {
				walk(e, text)
			}
		case map[string]any:
			for k, e := range v {
				switch k {
				case "content", "text", "prompt", "input", "instructions", "system", "message", "preamble":
					walk(e, true)
				case "messages", "contents", "parts", "systemInstruction", "system_instruction", "inputs":
					walk(e, false)
				}
			}
		}
	}
	walk(v, false)
	if n == 0 {
		return nil
	}
	return &n
}

package build

import (
	"encoding/json"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// tokens counts o200k tokens, the common measure across models and the
// fallback where a provider reports no usage.
type tokens struct{ codec tokenizer.Codec }

var o200k = sync.OnceValues(func() (*tokens, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	return &tokens{codec}, err
})

// count is the number of tokens of valid UTF-8 text.
func (t *tokens) count(s string) int64 {
	n, err := t.codec.Count(s)
	if err != nil {
		return 0 // the codec's only errors are a time-out, which is off, and strict mode, which is too
	}
	return int64(n)
}

// tokenCounter makes the counter when it is first needed: its vocabulary takes
// a fifth of a second to load.
type tokenCounter func() (*tokens, error)

// countTokens counts what the response at hand says. Without a reported usage
// these counts stand for it.
func (a *assembler) countTokens(st *stream, counter tokenCounter) error {
	count, err := counter()
	if err != nil {
		return err
	}
	var ans, think int64
	for i := range a.choices {
		c := &a.choices[i]
		ans += count.count(string(c.text)) + count.count(string(c.refusal))
		think += count.count(string(c.reasoning))
	}
	for i := range a.calls {
		ans += count.count(a.calls[i].Name) + count.count(string(a.calls[i].args))
	}
	st.AnswerO200k, st.ReasoningO200k = &ans, &think
	a.counted = append(a.counted, st.RequestID)
	return nil
}

// requestTokens counts the texts of a request body: every string under the keys
// that dialects keep text in. It leaves out what a provider's chat template adds.
func (t *tokens) requestTokens(body string) *int64 {
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
				n += t.count(v)
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

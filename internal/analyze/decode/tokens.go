package decode

import (
	"encoding/json"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

// Counter counts o200k tokens, the common measure across models and the
// fallback where a provider reports no usage.
type Counter struct{ codec tokenizer.Codec }

// O200k is the counter, made when it is first asked for.
var O200k = sync.OnceValues(func() (*Counter, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	return &Counter{codec}, err
})

// Count is the number of tokens of valid UTF-8 text.
func (t *Counter) Count(s string) int64 {
	n, err := t.codec.Count(s)
	if err != nil {
		return 0 // the codec's only errors are a time-out, which is off, and strict mode, which is too
	}
	return int64(n)
}

// tokenCounter makes the counter when it is first needed: its vocabulary takes
// a fifth of a second to load.
type tokenCounter func() (*Counter, error)

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
		ans += count.Count(string(c.text)) + count.Count(string(c.refusal))
		think += count.Count(string(c.reasoning))
	}
	for i := range a.calls {
		ans += count.Count(a.calls[i].Name) + count.Count(string(a.calls[i].args))
	}
	st.AnswerO200k, st.ReasoningO200k = &ans, &think
	a.counted = append(a.counted, st.RequestID)
	return nil
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

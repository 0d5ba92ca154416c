package simulate

import (
	"fmt"
	"slices"

	"aircheck/internal/kit/nearest"
)

// Show is how thinking appears in a stream.
type Show string

// When says in which cases usage is reported.
type When string

// Side says whether reasoning tokens are inside the output count or beside it.
type Side string

// Param is a request parameter as conformance probes name it.
type Param string

// The words that fleet files use.
const (
	ShowReasoningContent Show = "reasoning_content"
	ShowReasoning        Show = "reasoning"
	ShowInline           Show = "inline"
	ShowHidden           Show = "hidden"

	UsageAsked      When = "asked"
	UsageAlways     When = "always"
	UsageNever      When = "never"
	UsageCumulative When = "cumulative"

	ReasoningInside Side = "inside"
	ReasoningBeside Side = "beside"
)

// Params are the parameters that a fleet can ignore or reject.
var Params = []Param{"reasoning_off", "max_tokens", "stop", "json_mode", "usage", "tools", "n", "logprobs"}

// UnmarshalText accepts the words above only.
func (s *Show) UnmarshalText(b []byte) error {
	return oneOf(s, b, ShowReasoningContent, ShowReasoning, ShowInline, ShowHidden)
}

// UnmarshalText accepts the words above only.
func (w *When) UnmarshalText(b []byte) error {
	return oneOf(w, b, UsageAsked, UsageAlways, UsageNever, UsageCumulative)
}

// UnmarshalText accepts the words above only.
func (s *Side) UnmarshalText(b []byte) error {
	return oneOf(s, b, ReasoningInside, ReasoningBeside)
}

// UnmarshalText accepts the words of Params only.
func (p *Param) UnmarshalText(b []byte) error { return oneOf(p, b, Params...) }

// oneOf sets *to to the word in b, or says which word was probably meant.
func oneOf[S ~string](to *S, b []byte, words ...S) error {
	if w := S(b); slices.Contains(words, w) {
		*to = w
		return nil
	}
	known := make([]string, len(words))
	for i, w := range words {
		known[i] = string(w)
	}
	return fmt.Errorf("unknown word %q; %s", b, nearest.Or("one", string(b), known))
}

func contains[S ~[]E, E comparable](s S, e E) bool { return slices.Contains(s, e) }

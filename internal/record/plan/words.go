package plan

import (
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/kit/nearest"
)

// Values that are one of a few words.
type (
	// Order is how the targets take turns.
	Order string
	// Content is how much of prompts and answers reaches the disk.
	Content string
	// HTTP is the version that a target is asked in.
	HTTP string
	// Connections says whether requests share connections.
	Connections string
	// Ends says whether an answer cut by length is truncated, or as planned.
	Ends string
	// Arrivals is how the requests of an open loop arrive.
	Arrivals string
	// DeadTarget says what becomes of a target that refuses everything.
	DeadTarget string
	// api is a dialect's name.
	api string
	// role of a message.
	role string
	// probeName is one of the probes below.
	probeName string
)

const (
	Interleaved Order = "interleaved" // targets alternate, shuffled in each round
	Sequential  Order = "sequential"  // one target after the other

	ContentFull Content = "full"
	ContentHash Content = "hash"
	ContentNone Content = "none"

	Keep  Connections = "keep"  // a warm pool per target
	Fresh Connections = "fresh" // one connection a request

	HTTP1 HTTP = "1.1"
	HTTP2 HTTP = "2" // its frames are timed by the read clock

	EndsNatural Ends = "natural"
	EndsLength  Ends = "length"

	Pause    DeadTarget = "pause"    // it is left alone, but for one request a window
	Stop     DeadTarget = "stop"     // the run ends
	Continue DeadTarget = "continue" // it is asked all the same

	Poisson  Arrivals = "poisson"
	Constant Arrivals = "constant"
	Trace    Arrivals = "trace"
)

func (v *Order) UnmarshalText(b []byte) error { return oneOf(v, b, Interleaved, Sequential) }
func (v *Content) UnmarshalText(b []byte) error {
	return oneOf(v, b, ContentFull, ContentHash, ContentNone)
}
func (v *Connections) UnmarshalText(b []byte) error { return oneOf(v, b, Keep, Fresh) }
func (v *HTTP) UnmarshalText(b []byte) error        { return oneOf(v, b, HTTP1, HTTP2) }
func (v *Ends) UnmarshalText(b []byte) error        { return oneOf(v, b, EndsNatural, EndsLength) }
func (v *DeadTarget) UnmarshalText(b []byte) error  { return oneOf(v, b, Pause, Stop, Continue) }
func (v *Arrivals) UnmarshalText(b []byte) error    { return oneOf(v, b, Poisson, Constant, Trace) }
func (v *role) UnmarshalText(b []byte) error {
	return oneOf(v, b, "system", "user", "assistant", "developer")
}

// oneOf sets a word, which must be one of those known.
func oneOf[T ~string](v *T, b []byte, known ...T) error {
	*v = T(b)
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	return oneOfWords(string(b), words)
}

func oneOfWords(word string, known []string) error {
	if slices.Contains(known, word) {
		return nil
	}
	if len(known) > 4 {
		return fmt.Errorf("unknown word %q; %s", word, nearest.Or("one", word, known))
	}
	return fmt.Errorf("unknown word %q; known are %s", word, strings.Join(known, ", "))
}

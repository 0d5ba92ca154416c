// Package dialect knows what each provider API says: it builds its requests
// (Build) and decodes its response frames into events (New). One file a
// dialect; adding one costs that file and a line in the table (table.go).
//
// A decoder knows no metric. It says what kind of thing arrived, how large it
// was and what the provider reported with it; what that means for a request is
// decided above, in SQL.
package dialect

// Version names the meaning of the events. It rises whenever a decoder gives
// another answer for the same bytes, so that caches built from events are
// built again.
const Version = 6

// Kind says what an event is.
type Kind uint8

const (
	// KindStart is framing without any payload: a role-only frame, the start or
	// stop of a block, an empty or null delta.
	KindStart Kind = iota
	// KindText is visible answer text.
	KindText
	// KindReasoning is thinking, in whatever spelling: reasoning fields,
	// thinking blocks, thought parts, summaries, inline <think> text with its tags.
	KindReasoning
	// KindTool is a fragment of a tool call that the model wrote: its name or
	// its arguments (Tool.Field says which).
	KindTool
	// KindRefusal is text of a refusal that has its own field.
	KindRefusal
	// KindFinish carries FinishReason and Finish.
	KindFinish
	// KindUsage carries Usage. Values are cumulative: set, never add.
	KindUsage
	// KindError carries Error: an error body, or an error inside a stream.
	KindError
	// KindDone is the stream's own end marker ([DONE], message_stop,
	// response.completed, "done":true).
	KindDone
	// KindPing is a keep-alive event.
	KindPing
	// KindComment is an SSE comment, or a blank frame.
	KindComment
	// KindMeta is something known that is no token: served model, fingerprint,
	// timings, logprobs, citations, results of tools that the server ran.
	KindMeta
	// KindUndecoded is a non-empty field or a frame that the decoder does not
	// know; Path says where.
	KindUndecoded
	kindCount
)

var kindNames = [kindCount]string{
	"start", "text", "reasoning", "tool", "refusal", "finish", "usage",
	"error", "done", "ping", "comment", "meta", "undecoded",
}

// String gives the kind's name as the events table has it.
func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return "undecoded"
}

// Content reports whether an event of this kind is generated content: a token
// of any sort. Such events always have a non-empty Text.
func (k Kind) Content() bool {
	return k == KindText || k == KindReasoning || k == KindTool || k == KindRefusal
}

// Finish is a finish reason in one spelling for all dialects.
type Finish uint8

const (
	FinishNone   Finish = iota // the event carries no finish reason
	FinishStop                 // natural end or stop sequence
	FinishLength               // a token limit, of the request or of the context
	FinishTool                 // the model called a tool
	FinishFilter               // refused, blocked or filtered
	FinishError                // the provider ended it by a fault
	FinishPause                // the turn is not over: it goes on with another request
	FinishOther                // a reason that is not in the table
	finishCount
)

var finishNames = [finishCount]string{"", "stop", "length", "tool", "filter", "error", "pause", "other"}

// String gives the reason's common name, "" for FinishNone.
func (f Finish) String() string {
	if f < finishCount {
		return finishNames[f]
	}
	return "other"
}

// Event is one thing that one frame says. A frame gives one or more; they are
// numbered by Part. The event and everything that it points to are valid until
// the next call of the decoder: copy what is kept.
type Event struct {
	Part   int32 // 0, 1, … within the frame
	Kind   Kind
	Choice int32 // index of the choice (candidate) it belongs to

	// Text is the decoded text of content kinds, always valid UTF-8 and never
	// empty for them; nil for all others.
	Text  []byte
	Bytes int32 // len(Text)
	Chars int32 // Unicode characters in Text
	// ListedTokens is how many tokens this frame lists one by one for this
	// choice (logprobs, token ids); set on the meta event that stands for them.
	ListedTokens int32

	Tool *Tool // KindTool only

	FinishReason string // as the provider spells it
	Finish       Finish // the same in one spelling

	Usage *Usage
	Error *StreamError

	// What the response says about its server. Set on a meta event, and only
	// when first seen or changed within the stream.
	ServedModel    string
	ServedProvider string
	Fingerprint    string
	ServiceTier    string
	ResponseID     string

	// Timings is the provider's own timing report as JSON (llama.cpp timings,
	// Groq queue and completion times, Ollama durations, Cerebras time_info).
	Timings []byte

	// Path is the JSON path of an undecoded field ("choices[].delta.new_field"),
	// with a reason in brackets where a whole frame could not be read
	// ("$ (truncated json)"); for meta events, the path of the field that they
	// stand for, or Unopened.
	Path string

	// Media is "image", "audio" or "video" on the meta event that stands for a
	// piece of generated output that is no text.
	Media string
	// Hidden: on a meta event, thinking that is sent redacted, encrypted or empty.
	Hidden bool
	// Unmarked: on a meta event, the dialect has neither end marker nor finish
	// reason of its own: the body's clean end is the answer's.
	Unmarked bool
	// Geo is where the provider says that it computed, where it bills by that.
	Geo string
}

// ToolField says which part of a tool call a fragment belongs to.
type ToolField uint8

const (
	ToolArguments ToolField = iota // Text continues the arguments (JSON, or free text for custom tools)
	ToolName                       // Text is the tool's name
)

// String gives "arguments" or "name".
func (f ToolField) String() string {
	if f == ToolName {
		return "name"
	}
	return "arguments"
}

// Tool places a tool-call fragment. Fragments belong together when choice,
// Index and ID are equal: a fragment sent without an id carries the id of the
// call that it continues.
type Tool struct {
	Index int32  // position of the call in its choice
	ID    string // "" where the provider gives none
	Name  string // the call's name, once known
	Field ToolField
	// Inferred: the provider sent no index; it was taken from the id, or from
	// the only call that was open.
	Inferred bool
	// Ambiguous: neither index nor id say which of several open calls the
	// fragment continues; it was put to the latest one.
	Ambiguous bool
}

// Usage is what the provider reports, nil where it says nothing. Null in a
// later report means "no new value".
type Usage struct {
	InputTokens      *int64
	OutputTokens     *int64
	TotalTokens      *int64
	ReasoningTokens  *int64 // inside or beside OutputTokens: total − input − output tells
	CachedTokens     *int64 // input read from a cache
	CacheWriteTokens *int64 // input written to a cache
	CacheWrite1h     *int64 // of CacheWriteTokens, kept for an hour
	ToolInputTokens  *int64 // input from tools that the server ran, beside InputTokens (Gemini)
	AudioInputTokens *int64
	ImageInputTokens *int64
	AudioTokens      *int64 // audio output, inside OutputTokens
	ImageTokens      *int64 // image output, inside OutputTokens
	AcceptedTokens   *int64 // of a sent prediction
	RejectedTokens   *int64 // of a sent prediction; billed
	Searches         *int64 // web searches or queries that are billed apart
	CodeExecutions   *int64 // runs of code on the server, billed apart
	FileSearches     *int64 // searches in stored files, billed apart

	// Metered counts are a host's own (Bedrock's invocation metrics), beside what
	// the model reports.
	MeteredInput, MeteredOutput *int64

	// SearchContext is the size of the search that sets a request's fee: low,
	// medium or high; "" where it is not stated.
	SearchContext string

	// CachedDisjoint: cached and cache-write tokens stand beside InputTokens
	// (Anthropic), not inside it.
	CachedDisjoint bool

	// ReportedCostUSD is the cost that the provider states, in US dollars, as a
	// decimal number exactly as sent ("" where it states none).
	ReportedCostUSD string
	// OutputCostUSD and RequestCostUSD are the parts of it for output and for the
	// request as such, where they are itemised.
	OutputCostUSD, RequestCostUSD string

	// Raw is the usage object as sent.
	Raw []byte
}

// Take takes over what a later report states: values are cumulative, and null
// is no new value.
func (u *Usage) Take(later *Usage) {
	for _, c := range []struct{ to, from **int64 }{
		{&u.InputTokens, &later.InputTokens}, {&u.OutputTokens, &later.OutputTokens}, {&u.TotalTokens, &later.TotalTokens},
		{&u.ReasoningTokens, &later.ReasoningTokens}, {&u.CachedTokens, &later.CachedTokens}, {&u.CacheWriteTokens, &later.CacheWriteTokens},
		{&u.CacheWrite1h, &later.CacheWrite1h}, {&u.MeteredInput, &later.MeteredInput}, {&u.MeteredOutput, &later.MeteredOutput},
	} {
		if *c.from != nil {
			*c.to = new(**c.from)
		}
	}
	u.CachedDisjoint = u.CachedDisjoint || later.CachedDisjoint
}

// StreamError is an error as the body words it.
type StreamError struct {
	Type    string
	Code    string
	Message string
}

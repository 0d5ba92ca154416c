package runner

import (
	"cmp"

	"aircheck/internal/record/journal"
	"aircheck/internal/rules/prices"
	"aircheck/internal/wire/dialect"
	"aircheck/schema"
)

// reader reads what one answer says of itself while it arrives: the tokens that it
// reports, and its error.
type reader struct {
	row     *schema.Request
	decoder dialect.Decoder // nil: not to be read, or no longer
	usage   dialect.Usage
	text    string // of the first error
	open    []byte // pieces of a frame that goes on
	take    func(*dialect.Event)
}

// readBytes is how much of one frame is held to be read. Answers beyond that
// are images, and their usage is left to analysis.
const readBytes = 1 << 20

// newReader begins with an answer that has not come yet.
func newReader(row *schema.Request) *reader {
	r := &reader{row: row}
	r.take = r.event
	return r
}

// head makes ready for the body. One that is compressed is not read: identity was
// asked for, and a few bytes can become gigabytes.
func (r *reader) head() {
	if r.row.ContentEncoding == nil {
		r.decoder = dialect.New(*r.row.API, dialect.Meta{Status: int(*r.row.HTTPStatus), Streamed: *r.row.Streamed})
	}
}

// frame reads a frame.
func (r *reader) frame(f *journal.Frame) {
	switch {
	case r.decoder == nil:
	case len(r.open)+len(f.Raw) > readBytes:
		r.decoder, r.open = nil, nil
	case f.More:
		r.open = append(r.open, f.Raw...)
	case len(r.open) > 0:
		r.decoder.Frame(append(r.open, f.Raw...), r.take)
		r.open = r.open[:0]
	default:
		r.decoder.Frame(f.Raw, r.take)
	}
}

// close gives what was reported, the last value of each count, and the error.
func (r *reader) close() (prices.Usage, string) {
	if r.decoder != nil {
		r.decoder.Close(r.take)
	}
	d := &r.usage
	u := prices.Usage{Input: d.InputTokens, Output: d.OutputTokens, Cached: d.CachedTokens, CacheWrite: d.CacheWriteTokens, Reasoning: d.ReasoningTokens, CachedBeside: d.CachedDisjoint}
	if u.Input == nil && u.Output == nil { // a host's own count, where its model reports none
		u.Input, u.Output = d.MeteredInput, d.MeteredOutput
	}
	// Thinking stands beside the output where only then the total is right.
	if d.TotalTokens != nil && u.Input != nil && u.Output != nil && u.Reasoning != nil {
		u.ReasoningBeside = *d.TotalTokens == *u.Input+*u.Output+*u.Reasoning && *u.Reasoning > 0
	}
	return u, r.text
}

func (r *reader) event(e *dialect.Event) {
	if e.Error != nil && r.text == "" {
		r.text = cmp.Or(e.Error.Message, e.Error.Code)
	}
	if e.Usage != nil {
		r.usage.Take(e.Usage)
	}
}

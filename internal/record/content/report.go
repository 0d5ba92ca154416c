package content

import (
	"slices"

	"aircheck/internal/record/journal"
	"aircheck/internal/wire/dialect"
	"aircheck/schema"
)

// Report reads an answer whose bytes are not kept, with the decoder that
// analysis uses: when its first and last tokens came, the gaps between them,
// usage and ending. A row takes it as what a source reports without frames that
// back it.
type Report struct {
	decoder dialect.Decoder // nil: not to be read, or no longer
	open    []byte          // pieces of a frame that goes on
	bytes   int             // read so far
	take    func(*dialect.Event)

	at          int64 // of the frame being read
	first, last *int64
	gaps        []int64
	usage       dialect.Usage
	finish      string
	done        bool
	failure     *dialect.StreamError
}

// reportBytes is how much of a body is read, and of a compressed one how much of
// it as received: a few bytes can become gigabytes.
const (
	reportBytes     = 64 << 20
	compressedBytes = 1 << 20
)

// NewReport begins with a response whose head is in the row.
func NewReport(row *schema.Request) *Report {
	meta := dialect.Meta{Status: int(*row.HTTPStatus), Streamed: row.Streamed != nil && *row.Streamed}
	if row.ContentEncoding != nil {
		meta.ContentEncoding = *row.ContentEncoding
	}
	api := ""
	if row.API != nil {
		api = *row.API
	}
	r := &Report{decoder: dialect.New(api, meta)}
	if meta.ContentEncoding != "" {
		r.bytes = reportBytes - compressedBytes
	}
	r.take = r.event
	return r
}

// Frame reads a frame, or a piece of one.
func (r *Report) Frame(f *journal.Frame) {
	if r.bytes += len(f.Raw); r.bytes > reportBytes || len(r.open)+len(f.Raw) > openBytes {
		r.decoder, r.open = nil, nil
	}
	if r.decoder == nil {
		return
	}
	r.at = f.At
	switch {
	case f.More:
		r.open = append(r.open, f.Raw...)
	case len(r.open) > 0:
		r.decoder.Frame(append(r.open, f.Raw...), r.take)
		r.open = r.open[:0]
	default:
		r.decoder.Frame(f.Raw, r.take)
	}
}

func (r *Report) event(e *dialect.Event) {
	switch {
	case e.Kind.Content():
		if r.first == nil {
			r.first = new(r.at)
		} else if r.at > *r.last {
			r.gaps = append(r.gaps, r.at-*r.last)
		}
		r.last = new(r.at)
	case e.Usage != nil:
		r.usage.Take(e.Usage)
	case e.Kind == dialect.KindFinish:
		r.finish = e.FinishReason
	case e.Kind == dialect.KindDone:
		r.done = true
	case e.Error != nil && r.failure == nil:
		r.failure = new(*e.Error)
	}
}

// Fill states in a row that is over what the answer said. Nothing backs it, so
// the row says so, too.
func (r *Report) Fill(row *schema.Request) {
	if r.decoder != nil {
		r.decoder.Close(r.take)
	}
	row.Detail = "requests"
	if row.Streamed == nil || *row.Streamed {
		row.ReportedTTFTNs, row.ReportedLastTokenNs, row.ReportedGapsNs = r.first, r.last, slices.Clip(r.gaps)
	}
	u := &r.usage
	row.ReportedInputTokens, row.ReportedOutputTokens, row.ReportedReasoningTokens = u.InputTokens, u.OutputTokens, u.ReasoningTokens
	if u.CachedDisjoint && u.InputTokens != nil {
		sum := *u.InputTokens
		for _, n := range []*int64{u.CachedTokens, u.CacheWriteTokens} {
			if n != nil {
				sum += *n
			}
		}
		row.ReportedInputTokens = &sum
	}
	if r.finish != "" {
		row.ReportedFinishReason = new(r.finish)
	}
	status := int32(0)
	if row.HTTPStatus != nil {
		status = *row.HTTPStatus
	}
	switch {
	case status >= 300 || status == 0:
		if f := r.failure; f != nil { // in the provider's own words for it; its sentences may quote the prompt
			row.ReportedError = words(f)
		}
	case r.failure != nil:
		row.ReportedError = words(r.failure)
	case r.finish == "" && !r.done && r.decoder != nil && (row.Streamed == nil || *row.Streamed):
		row.ReportedError = new("cut: the stream has no ending")
	}
}

// words are type and code of an error.
func words(e *dialect.StreamError) *string {
	text := "error"
	for _, w := range []string{e.Type, e.Code} {
		if w != "" && protocol([]byte(w)) {
			text += " " + w
		}
	}
	return &text
}

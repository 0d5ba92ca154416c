package decode

import "aircheck/internal/wire/dialect"

// ending is the first finish reason of a choice.
type ending struct {
	choice, seq int32
	finish      string
	reason      *string // the first that is spelled
}

// report takes what an event says beside its text. Values are cumulative.
func (r *response) report(e *dialect.Event) {
	st := &r.stream
	if st.CachedDisjoint == nil {
		st.CachedDisjoint = new(false)
	}
	if u := e.Usage; u != nil {
		number(&st.InputTokens, u.InputTokens)
		number(&st.OutputTokens, u.OutputTokens)
		number(&st.TotalTokens, u.TotalTokens)
		number(&st.ReasoningTokens, u.ReasoningTokens)
		number(&st.CachedTokens, u.CachedTokens)
		number(&st.CacheWriteTokens, u.CacheWriteTokens)
		number(&st.ToolInputTokens, u.ToolInputTokens)
		number(&st.AudioInputTokens, u.AudioInputTokens)
		number(&st.AudioTokens, u.AudioTokens)
		number(&st.AcceptedTokens, u.AcceptedTokens)
		number(&st.RejectedTokens, u.RejectedTokens)
		number(&st.Searches, u.Searches)
		words(&st.ReportedCostUSD, u.ReportedCostUSD)
		*st.CachedDisjoint = *st.CachedDisjoint || u.CachedDisjoint
	}
	if e.Error != nil {
		firstWords(&st.ErrorType, e.Error.Type)
		firstWords(&st.ErrorCode, e.Error.Code)
		firstWords(&st.ErrorMessage, e.Error.Message)
	}
	words(&st.ServedModel, e.ServedModel)
	words(&st.ServedProvider, e.ServedProvider)
	words(&st.Fingerprint, e.Fingerprint)
	words(&st.ServedTier, e.ServiceTier)
	words(&st.ResponseID, e.ResponseID)
	if len(e.Timings) > 0 {
		st.Timings = text(e.Timings)
	}
	if e.ListedTokens > 0 {
		if st.ListedTokens == nil {
			st.ListedTokens = new(int64(0))
		}
		*st.ListedTokens += int64(e.ListedTokens)
	}
	if e.Finish != dialect.FinishNone {
		r.ending(e)
	}
}

func (r *response) ending(e *dialect.Event) {
	for i := range r.endings {
		if end := &r.endings[i]; end.choice == e.Choice {
			firstWords(&end.reason, e.FinishReason)
			return
		}
	}
	r.endings = append(r.endings, ending{e.Choice, r.frames.Seq[r.i], e.Finish.String(), word(e.FinishReason)})
}

// endReport completes the report.
func (r *response) endReport() {
	if r.CachedDisjoint == nil {
		return // nothing was reported
	}
	r.FinishedChoices = new(int64(len(r.endings)))
	for _, end := range r.endings {
		r.FinishSeq, r.Finish = new(end.seq), new(end.finish)
		if end.reason != nil {
			r.FinishReason = end.reason
		}
	}
}

func number(to **int64, v *int64) {
	switch {
	case v == nil:
	case *to == nil:
		*to = new(*v)
	default:
		**to = *v
	}
}

func words(to **string, s string) {
	if s != "" && (*to == nil || **to != s) {
		*to = word(s)
	}
}

func firstWords(to **string, s string) {
	if *to == nil {
		*to = word(s)
	}
}

package decode

import (
	"slices"

	"aircheck/internal/wire/dialect"
)

// ending is the last finish reason of a choice.
type ending struct {
	choice, seq int32
	finish      dialect.Finish
	reason      *string // nil where it is not spelled
}

// worse are finishes from the best to the worst: what a response of several
// choices comes to is the worst of theirs.
var worse = []dialect.Finish{
	dialect.FinishStop, dialect.FinishTool, dialect.FinishOther, dialect.FinishPause, dialect.FinishLength, dialect.FinishFilter, dialect.FinishError,
}

// report takes what an event says beside its text. Values are cumulative.
func (r *response) report(e *dialect.Event) {
	st := &r.stream
	if st.CachedDisjoint == nil {
		st.CachedDisjoint = new(false)
	}
	st.take(e)
	words(&st.Media, e.Media)
	st.HiddenThinking = st.HiddenThinking || e.Hidden
	st.Unmarked = st.Unmarked || e.Unmarked
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
	last := ending{e.Choice, r.frames.Seq[r.i], e.Finish, word(e.FinishReason)}
	for i := range r.endings {
		if r.endings[i].choice == e.Choice {
			r.endings[i] = last
			return
		}
	}
	r.endings = append(r.endings, last)
}

// endReport completes the report.
func (r *response) endReport() {
	if r.CachedDisjoint == nil {
		return // nothing was reported
	}
	r.FinishedChoices = new(int64(len(r.endings)))
	var worst *ending
	for i := range r.endings {
		end := &r.endings[i]
		if r.FinishSeq == nil || end.seq > *r.FinishSeq {
			r.FinishSeq = new(end.seq)
		}
		if worst == nil {
			worst = end
			continue
		}
		if d := slices.Index(worse, end.finish) - slices.Index(worse, worst.finish); d > 0 || d == 0 && end.choice < worst.choice {
			worst = end
		}
	}
	if worst != nil {
		r.Finish, r.FinishReason = new(worst.finish.String()), worst.reason
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

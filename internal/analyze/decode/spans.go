package decode

import (
	"slices"

	"aircheck/internal/wire/dialect"
)

// span is what a response has of one kind of content in one choice.
type span struct {
	choice            int32
	kind              dialect.Kind
	timed             bool // whether first and last are there
	first, last       int64
	firstRead         int32
	lastSeq           int32
	reads             int32 // reads whose first content it is
	chars, firstChars int64 // all, and those of firstRead
}

// spans are those of one response, in order of first appearance, and the gaps
// between its reads with content.
type spans struct {
	list []span
	at   int // the one found last

	led            bool
	last           int64 // time of the last read with content
	longest, after int64
	gaps           []int64
	undecoded      int32 // the last frame that was not understood
}

func (s *spans) begin() {
	*s = spans{list: s.list[:0], gaps: s.gaps[:0], longest: -1, undecoded: -1}
}

func (s *spans) of(choice int32, kind dialect.Kind, read int32) *span {
	if s.at < len(s.list) && s.list[s.at].choice == choice && s.list[s.at].kind == kind {
		return &s.list[s.at]
	}
	s.at = slices.IndexFunc(s.list, func(p span) bool { return p.choice == choice && p.kind == kind })
	if s.at < 0 {
		s.at = len(s.list)
		s.list = append(s.list, span{choice: choice, kind: kind, firstRead: read})
	}
	return &s.list[s.at]
}

// gap takes the time of the next read with content, and gives the time since the
// one before, noGap for the first. A stamp that lies before an earlier one leaves
// a gap of 0.
func (s *spans) gap(t int64) int64 {
	gap := noGap
	if s.led {
		gap = max(t-s.last, 0)
		s.gaps = append(s.gaps, gap)
		if gap > s.longest {
			s.longest, s.after = gap, s.last
		}
		t = max(t, s.last)
	}
	s.led, s.last = true, t
	return gap
}

// unopened makes a choice's text its thinking.
func (s *spans) unopened(choice int32) {
	for i := range s.list {
		if p := &s.list[i]; p.choice == choice && p.kind == dialect.KindText {
			p.kind = dialect.KindReasoning
		}
	}
}

// answered is how the answer begins, and whether the frame seq holds any of it.
func (s *spans) answered(seq int32) (f firsts, now bool) {
	for i := range s.list {
		p := &s.list[i]
		if p.kind == dialect.KindReasoning {
			continue
		}
		now = now || p.lastSeq == seq
		switch {
		case !f.seen:
			f.seen, f.read, f.chars = true, p.firstRead, p.firstChars
		case p.firstRead == f.read:
			f.chars += p.firstChars
		}
	}
	return f, now
}

// span counts content of the frame at hand, and gives the gap that it ends.
func (r *response) span(e *dialect.Event, lead int32) (gap int64) {
	i, f := r.i, r.frames
	t, timed := f.TNs[i], f.Timed[i]
	p := r.spans.of(e.Choice, e.Kind, r.read)
	switch {
	case !timed:
	case !p.timed:
		p.timed, p.first, p.last = true, t, t
	default:
		p.first, p.last = min(p.first, t), max(p.last, t)
	}
	p.lastSeq = f.Seq[i]
	p.chars += int64(e.Chars)
	if p.firstRead == r.read {
		p.firstChars += int64(e.Chars)
	}
	if lead >= 2 {
		r.ContentFrames++
	}
	if lead < 3 {
		return noGap
	}
	r.ContentReads++
	p.reads++
	if !timed {
		return noGap
	}
	return r.spans.gap(t)
}

// mark notes the frame of an end marker, an error, a field that is not known.
func (r *response) mark(k dialect.Kind) {
	seq := r.frames.Seq[r.i]
	switch {
	case k == dialect.KindDone && r.DoneSeq == nil:
		r.DoneSeq = new(seq)
	case k == dialect.KindError && r.ErrorSeq == nil:
		r.ErrorSeq = new(seq)
	case k == dialect.KindUndecoded && seq != r.spans.undecoded:
		r.spans.undecoded = seq
		r.Undecoded++
	}
}

// frameAt takes the time of the frame at hand.
func (r *response) frameAt(t int64) {
	earlier(&r.FirstFrameNs, t)
	later(&r.LastFrameNs, t)
	if r.meant {
		earlier(&r.FirstEventNs, t)
	}
}

func earlier(at **int64, t int64) {
	if *at == nil {
		*at = new(t)
	} else if t < **at {
		**at = t
	}
}

func later(at **int64, t int64) {
	if *at == nil {
		*at = new(t)
	} else if t > **at {
		**at = t
	}
}

// endSpans adds the spans up. Kinds stay apart: what counts as content, and what
// as answer, is said in queries/core.
func (r *response) endSpans() {
	for i := range r.spans.list {
		p := &r.spans.list[i]
		var chars *int64
		var first, last **int64
		switch p.kind {
		case dialect.KindReasoning:
			chars, first, last = &r.ReasoningChars, &r.FirstReasoningNs, &r.LastReasoningNs
		case dialect.KindTool:
			chars, first, last = &r.ToolChars, &r.FirstToolNs, &r.LastToolNs
		case dialect.KindRefusal:
			chars, first, last = &r.RefusalChars, &r.FirstRefusalNs, &r.LastRefusalNs
		default:
			chars, first, last = &r.TextChars, &r.FirstTextNs, &r.LastTextNs
		}
		*chars += p.chars
		if p.timed {
			earlier(first, p.first)
			later(last, p.last)
		}
		if p.kind != dialect.KindReasoning {
			r.AnswerReads += p.reads
		}
	}
	if gaps := r.spans.gaps; len(gaps) > 0 {
		r.LongestNs, r.LongestAfterNs = new(r.spans.longest), new(r.spans.after)
		p50, p99 := percentiles(gaps)
		r.GapP50Ns, r.GapP99Ns = &p50, &p99
	}
}

package decode

import (
	"bytes"
	"encoding/json"
	"slices"

	"aircheck/internal/rules/prices"
	"aircheck/internal/wire/dialect"
	"aircheck/schema"
)

// assembler decodes one response at a time into rows of the decoded tables.
// Its rows belong to the caller.
type assembler struct {
	keepEvents bool // events and details are wanted, and nothing else
	hashed     bool // texts are hashes, which have no tokens
	events     eventColumns
	details    []detail
	streams    []stream
	answers    []answer
	asked      []int64 // requests whose own text helps to tell their tokens

	at      response
	take    func(*dialect.Event)
	choices []choice // of the response at hand, in order of first appearance
	calls   []call
}

func newAssembler() *assembler {
	a := &assembler{}
	a.take = a.event
	return a
}

type choice struct {
	index                    int32
	text, reasoning, refusal []byte
}

type call struct {
	Choice    int32  `json:"choice"`
	Index     int32  `json:"index"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Ambiguous bool   `json:"ambiguous,omitempty"`

	args []byte
}

// firsts follows the first read that brought content of some sort.
type firsts struct {
	read   int32
	seen   bool
	chars  int64
	tokens int64
	known  bool
}

func (f *firsts) content(read int32, chars int32) {
	if !f.seen {
		f.seen, f.read = true, read
	}
	if f.read == read {
		f.chars += int64(chars)
	}
}

// response is the one being decoded.
type response struct {
	stream
	decoder  dialect.Decoder
	frames   *schema.Frames
	i        int // the frame at hand
	all, ans firsts
	spans    spans
	endings  []ending
	reported bool  // output tokens were, more than 0
	final    bool  // and no content came since
	output   int64 // as last reported
	thought  int64 // of these, thinking
	size     int64 // bytes of content

	impossible bool    // input was reported that no model can read
	seen       []int32 // choices that brought content or an ending
	first      int     // row of its first event

	read            int32 // of the frame at hand
	part            int32
	readLed         bool // that read has brought content
	meant           bool // the frame at hand is more than a comment or a ping
	content, answer bool // it has brought content
	listed, counted int64
}

// begin starts the response whose frames are from to end.
func (a *assembler) begin(t target, frames *schema.Frames, from, end int) {
	a.choices, a.calls = a.choices[:0], a.calls[:0]
	a.at = response{
		stream:  stream{RequestID: frames.RequestID[from], Frames: int32(end - from)},
		decoder: Decoders.Of(t.api, t.meta), frames: frames, seen: a.at.seen[:0], endings: a.at.endings[:0], spans: a.at.spans,
		first: a.events.n, read: -1,
	}
	a.at.spans.begin()
	a.at.reads(frames, from, end)
}

// frame decodes the next frame.
func (a *assembler) frame(i int, raw []byte, last bool) {
	r := &a.at
	r.i = i
	if read := r.frames.ReadSeq[i]; read != r.read {
		r.read, r.readLed = read, false
	}
	r.part, r.meant, r.content, r.answer, r.listed, r.counted = 0, false, false, false, 0, 0
	r.decoder.Frame(raw, a.take)
	if last {
		r.decoder.Close(a.take)
	}
	if r.part > 0 && r.frames.Timed[i] {
		r.frameAt(r.frames.TNs[i])
	}
	if r.content {
		r.all.count(r.read, r.listed, r.counted)
	}
	if r.answer {
		r.ans.count(r.read, r.listed, r.counted)
	}
}

// event takes one event of the frame at hand.
func (a *assembler) event(e *dialect.Event) {
	r := &a.at
	lead, gap := int32(0), noGap
	r.meant = r.meant || e.Kind != dialect.KindComment && e.Kind != dialect.KindPing
	if e.Kind.Content() {
		switch {
		case !r.readLed:
			lead = 3
		case !r.content:
			lead = 2
		default:
			lead = 1
		}
		r.readLed, r.content, r.final = true, true, false
		r.size += int64(e.Bytes)
		r.all.content(r.read, e.Chars)
		if e.Kind != dialect.KindReasoning {
			r.answer = true
			r.ans.content(r.read, e.Chars)
		}
		gap = r.span(e, lead)
		a.content(e)
	}
	r.mark(e.Kind)
	if (e.Kind.Content() || e.Kind == dialect.KindFinish) && !slices.Contains(r.seen, e.Choice) {
		r.seen = append(r.seen, e.Choice)
	}
	if e.Usage != nil {
		r.usage(e.Usage)
	}
	if e.Kind == dialect.KindMeta && e.Path == dialect.Unopened {
		a.unopened(e.Choice)
	}
	r.listed += int64(e.ListedTokens)
	said := hasDetail(e)
	if said {
		r.report(e)
	}
	if a.keepEvents {
		a.events.add(e, lead, r.part, r.frames, r.i, gap)
		if said {
			d := detailOf(e)
			d.RequestID, d.Seq, d.Part, d.Choice = r.RequestID, r.frames.Seq[r.i], r.part, e.Choice
			a.details = append(a.details, d)
		}
	}
	r.part++
}

// end completes the rows of the response.
func (a *assembler) end(count tokenCounter) error {
	st := &a.at.stream
	st.Choices = int32(len(a.at.seen))
	a.at.endSpans()
	a.at.endReport()
	st.FirstChars, st.FirstTokens = a.at.all.result()
	st.FirstAnsChars, st.FirstAnsTokens = a.at.ans.result()
	a.answer(st)
	if a.at.reported {
		st.UsageFinal = new(a.at.final)
	}
	if !a.hashed && (len(a.choices) > 0 || len(a.calls) > 0) {
		if err := a.countTokens(st, count); err != nil {
			return err
		}
	}
	a.streams = append(a.streams, *st)
	return nil
}

// usage notes what is reported of the output.
func (r *response) usage(u *dialect.Usage) {
	for _, n := range []*int64{u.OutputTokens, u.MeteredOutput} {
		if n != nil {
			r.counted, r.output = *n, *n
			r.reported = r.reported || *n > 0 // 0 may come ahead of all content
			r.final = true
			break
		}
	}
	if u.InputTokens != nil && *u.InputTokens > prices.MostTokens {
		r.impossible = true
	}
	if u.ReasoningTokens != nil {
		r.thought = *u.ReasoningTokens
	}
}

// doubtful reports whether the response's tokens are to be counted here, too:
// none were reported, none after the last content of a stream that was cut, or
// more than the content can take.
func (r *response) doubtful(st *stream) bool {
	const least, few = 3, 16 // bytes a token takes in dense text, and tokens that no text shows
	if r.impossible || !r.reported || !r.final && st.DoneSeq == nil {
		return true
	}
	billed := r.output
	if st.ReasoningChars == 0 && r.thought <= billed {
		billed -= r.thought
	}
	return billed > r.size/least+few
}

// count adds what one frame of the first read says of its tokens: listed one
// by one, else a usage that it carries beside its content (cumulative).
func (f *firsts) count(read int32, listed, counted int64) {
	switch {
	case read != f.read:
	case listed > 0:
		f.tokens, f.known = f.tokens+listed, true
	case counted > 0:
		f.tokens, f.known = counted, true
	}
}

func (f *firsts) result() (chars, tokens *int64) {
	if f.seen {
		chars = new(f.chars)
	}
	if f.known {
		tokens = new(f.tokens)
	}
	return chars, tokens
}

func (a *assembler) content(e *dialect.Event) {
	if e.Kind == dialect.KindTool {
		a.tool(e)
		return
	}
	i := 0 // mostly the first, which is mostly the only one
	if len(a.choices) == 0 || a.choices[0].index != e.Choice {
		i = slices.IndexFunc(a.choices, func(c choice) bool { return c.index == e.Choice })
	}
	if i < 0 {
		i = len(a.choices)
		if i < cap(a.choices) { // keep the buffers of earlier responses
			a.choices = a.choices[:i+1]
			c := &a.choices[i]
			c.text, c.reasoning, c.refusal = c.text[:0], c.reasoning[:0], c.refusal[:0]
		} else {
			a.choices = append(a.choices, choice{})
		}
		a.choices[i].index = e.Choice
	}
	c := &a.choices[i]
	switch e.Kind {
	case dialect.KindReasoning:
		c.reasoning = append(c.reasoning, e.Text...)
	case dialect.KindRefusal:
		c.refusal = append(c.refusal, e.Text...)
	default:
		c.text = append(c.text, e.Text...)
	}
}

func (a *assembler) tool(e *dialect.Event) {
	t := e.Tool
	if t == nil {
		t = &dialect.Tool{}
	}
	i := slices.IndexFunc(a.calls, func(c call) bool {
		return c.Choice == e.Choice && c.Index == t.Index && c.ID == t.ID
	})
	if i < 0 {
		i = len(a.calls)
		a.calls = append(a.calls, call{Choice: e.Choice, Index: t.Index, ID: t.ID})
	}
	c := &a.calls[i]
	c.Ambiguous = c.Ambiguous || t.Ambiguous
	if t.Name != "" {
		c.Name = t.Name
	}
	if t.Field == dialect.ToolArguments {
		c.args = append(c.args, e.Text...)
	}
}

// answer makes the answer of the response at hand, if it has one.
func (a *assembler) answer(st *stream) {
	st.AnswerBlank = true
	for i := range a.choices {
		if len(bytes.TrimSpace(a.choices[i].text)) > 0 {
			st.AnswerBlank = false
		}
	}
	if len(a.choices) == 0 && len(a.calls) == 0 {
		return
	}
	out := answer{RequestID: st.RequestID}
	slices.SortStableFunc(a.choices, func(x, y choice) int { return int(x.index) - int(y.index) })
	var others []string
	for i := range a.choices {
		c := &a.choices[i]
		if i == 0 {
			out.Text, out.Reasoning, out.Refusal = text(c.text), text(c.reasoning), text(c.refusal)
		} else {
			others = append(others, string(c.text))
		}
	}
	if len(others) > 0 {
		out.Others = jsonText(others)
	}
	for i := range a.calls {
		a.calls[i].Arguments = string(a.calls[i].args)
	}
	if len(a.calls) > 0 {
		out.ToolCalls = jsonText(a.calls)
	}
	a.answers = append(a.answers, out)
}

func text(b []byte) *string {
	if len(b) == 0 {
		return nil
	}
	return new(string(b))
}

func jsonText(v any) *string {
	b, err := json.Marshal(v)
	if err != nil {
		return nil // strings and numbers only: cannot fail
	}
	return new(string(b))
}

func word(s string) *string {
	if s == "" {
		return nil
	}
	return new(string([]byte(s))) // events are valid only for a moment
}

// hasDetail reports whether an event says more than its text.
func hasDetail(e *dialect.Event) bool {
	if e.Kind.Content() {
		return false
	}
	return e.Usage != nil || e.Error != nil || e.Finish != dialect.FinishNone || e.FinishReason != "" || e.ServedModel != "" ||
		e.Media != "" || e.Hidden || e.Unmarked || e.Geo != "" || e.ServedProvider != "" || e.Fingerprint != "" || e.ServiceTier != "" || e.ResponseID != "" ||
		len(e.Timings) > 0 || e.ListedTokens > 0 || e.Path != "" && e.Kind == dialect.KindUndecoded
}

// detailOf is the sparse part of an event.
func detailOf(e *dialect.Event) (d detail) {
	d.FinishReason, d.Finish = word(e.FinishReason), word(e.Finish.String())
	d.take(e)
	d.Path, d.Media = word(e.Path), word(e.Media)
	if e.Hidden {
		d.HiddenThinking = new(true)
	}
	if e.Unmarked {
		d.Unmarked = new(true)
	}
	if e.ListedTokens > 0 {
		d.ListedTokens = new(int64(e.ListedTokens))
	}
	return d
}

package decode

import (
	"testing"

	"aircheck/schema"
)

// said is one frame: its read and time, and the chunk's JSON or a comment.
type said struct {
	read int32
	t    int64 // -1 for none
	text string
}

// decoded is the row of one response of OpenAI's dialect.
func decoded(t *testing.T, rows ...said) stream {
	t.Helper()
	f := &schema.Frames{}
	for i, r := range rows {
		f.RequestID, f.Seq, f.ReadSeq = append(f.RequestID, 1), append(f.Seq, int32(i)), append(f.ReadSeq, r.read)
		f.TNs, f.Timed = append(f.TNs, r.t), append(f.Timed, r.t >= 0)
		f.TReadNs, f.ReadTimed, f.Complete = append(f.TReadNs, r.t), append(f.ReadTimed, r.t >= 0), append(f.Complete, true)
	}
	a := newAssembler()
	tgt := target{api: "openai-chat"}
	tgt.meta.Streamed, tgt.meta.Status = true, 200
	a.begin(tgt, f, 0, len(rows))
	for i, r := range rows {
		raw := r.text + "\n\n"
		if r.text[0] != ':' {
			raw = "data: " + raw
		}
		a.frame(i, []byte(raw), i == len(rows)-1)
	}
	if err := a.end(O200k); err != nil {
		t.Fatal(err)
	}
	return a.streams[0]
}

func delta(fields string) string { return `{"choices":[{"index":0,"delta":{` + fields + `}}]}` }

// A role-only frame, an empty one, a comment and a usage frame are no token.
// Frames of one read share its time, and no gap is invented between them.
func TestSpansOfResponse(t *testing.T) {
	s := decoded(t,
		said{0, 100, ": ping"},
		said{1, 200, delta(`"role":"assistant","content":""`)},
		said{2, 300, delta(`"reasoning_content":"hmm,"`)},
		said{3, 400, delta(`"content":"one, "`)},
		said{3, 400, delta(`"content":"two, "`)},
		said{4, 900, delta(`"content":"three"`)},
		said{5, 950, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`},
		said{6, 990, `{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":9}}`},
		said{6, 990, "[DONE]"})
	for _, c := range []struct {
		what      string
		got, want any
	}{
		{"first frame", *s.FirstFrameNs, int64(100)},
		{"first event", *s.FirstEventNs, int64(200)},
		{"first thinking", *s.FirstReasoningNs, int64(300)},
		{"first text", *s.FirstTextNs, int64(400)},
		{"last text", *s.LastTextNs, int64(900)},
		{"last frame", *s.LastFrameNs, int64(990)},
		{"tool", s.FirstToolNs == nil && s.LastToolNs == nil, true},
		{"frames with content", s.ContentFrames, int32(4)},
		{"reads with content", s.ContentReads, int32(3)},
		{"longest gap", *s.LongestNs, int64(500)},
		{"after", *s.LongestAfterNs, int64(400)},
		{"p50", *s.GapP50Ns, 300.0},
		{"p99", *s.GapP99Ns, 496.0},
		{"end marker", *s.DoneSeq, int32(8)},
		{"ending", *s.FinishSeq, int32(6)},
		{"output", *s.OutputTokens, int64(9)},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}

// Usage is cumulative: the last value of each field wins, and NULL says nothing
// new. The last finish reason of a choice is its own, and the worst of all
// choices' is the response's.
func TestReportOfResponse(t *testing.T) {
	usage := func(in, out string) string {
		return `{"choices":[],"usage":{"prompt_tokens":` + in + `,"completion_tokens":` + out + `}}`
	}
	finish := func(choice, reason string) string {
		return `{"choices":[{"index":` + choice + `,"delta":{},"finish_reason":"` + reason + `"}]}`
	}
	s := decoded(t, said{0, 100, usage("25", "1")}, said{1, 200, delta(`"content":"a"`)}, said{2, 300, usage("null", "15")},
		said{3, 400, finish("1", "stop")}, said{4, 500, finish("0", "length")}, said{5, 600, finish("1", "content_filter")})
	if *s.InputTokens != 25 || *s.OutputTokens != 15 || s.CachedTokens != nil {
		t.Errorf("usage: %v, %v, %v", *s.InputTokens, *s.OutputTokens, s.CachedTokens)
	}
	if *s.FinishSeq != 5 || *s.FinishReason != "content_filter" || *s.Finish != "filter" || *s.FinishedChoices != 2 {
		t.Errorf("ending: frame %d, %s, %s, %d choices", *s.FinishSeq, *s.FinishReason, *s.Finish, *s.FinishedChoices)
	}
	if s = decoded(t, said{0, -1, delta(`"content":"a"`)}, said{1, -1, delta(`"content":"b"`)}); s.FirstTextNs != nil || s.LongestNs != nil || s.TextChars != 2 || s.ContentReads != 2 {
		t.Errorf("without times: %+v", s)
	}
}

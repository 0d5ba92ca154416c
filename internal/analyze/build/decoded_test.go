package build

import (
	"testing"

	"aircheck/schema"
)

// What the decoder's loop counts in passing: frames and reads with content, its
// characters, gaps between its reads, frames that were not understood.
func TestResponsesAreCounted(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	const head = `{"id":"c","model":"m","choices":[{"index":0,`
	f.request(nil,
		at{100, ": keep-alive"},
		at{200, head + `"delta":{"role":"assistant","content":""}}]}`},
		at{300, head + `"delta":{"reasoning_content":"hmm, "}}]}`},
		at{400, head + `"delta":{"content":"äö"}}]}`},
		at{400, head + `"delta":{"content":"ü"}}]}`}, // in the same read
		at{900, head + `"delta":{"content":"."}}]}`},
		at{950, head + `"delta":{"mood":"fine"},"finish_reason":"stop"}]}`},
		at{960, "[DONE]"},
		at{970, ": late"})
	f.seal()
	r := open(t, dir)
	for q, want := range map[string]string{
		"SELECT frames, reads, content_frames, answer_chars, reasoning_chars, undecoded_frames, terminator, coalesced_share FROM results": "9 8 4 4 5 1 done 0.2222222222222222",
		"SELECT max_stall_ms, stall_after_ms, gap_p50_ms FROM results":                                                                    "500 400 300",
		"SELECT seq, gap_ns FROM events WHERE gap_ns IS NOT NULL ORDER BY seq":                                                            "3 100000000\n5 500000000",
		"SELECT string_agg(kind, ' ' ORDER BY seq, part) FROM events WHERE seq BETWEEN 2 AND 5":                                           "reasoning text text text",
		"SELECT sum(text_bytes), sum(text_chars), sum(reasoning_chars) FROM events":                                                       "7 4 5",
		"SELECT path FROM events WHERE kind = 'undecoded'":                                                                                "choices[].delta.mood",
		"SELECT text || '|' || reasoning FROM answers":                                                                                    "äöü.|hmm, ",
	} {
		if got := text1(mustSelect(t, r, q)); got != want {
			t.Errorf("%s: got %q, want %q", q, got, want)
		}
	}
}

// Of equal gaps the first is the stall that is told; a stamp of nonsense spoils
// no other row, and a read below 0 has no number.
func TestOddStampsAreCounted(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	token := `{"id":"c","model":"m","choices":[{"index":0,"delta":{"content":"x"}}]}`
	f.request(nil, at{100, token}, at{300, token}, at{500, token}, at{450, token}, at{600, token}, at{610, "[DONE]"})
	f.put(nil, []schema.Chunk{
		{ReadSeq: -1, TNs: new(int64(-5e6)), TReadNs: new(int64(0)), Clock: "read", Complete: true, Raw: []byte("data: " + token + "\n\n")},
		{ReadSeq: 0, TNs: new(int64(10e6)), TReadNs: new(int64(0)), Clock: "read", Complete: true, Raw: []byte("data: " + token + "\n\n")},
	})
	f.seal()
	r := open(t, dir)
	for q, want := range map[string]string{
		"SELECT max_stall_ms, stall_after_ms FROM results ORDER BY request_id LIMIT 1":           "200 100",
		"SELECT gap_ns // 1000000 FROM events WHERE gap_ns IS NOT NULL ORDER BY request_id, seq": "200\n200\n0\n100\n15",
		"SELECT DISTINCT seq, read_seq FROM events WHERE t_ns < 0":                               "0 ",
	} {
		if got := text1(mustSelect(t, r, q)); got != want {
			t.Errorf("%s: got %q, want %q", q, got, want)
		}
	}
}

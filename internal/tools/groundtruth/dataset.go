// Package groundtruth writes recordings whose truth is known, byte by byte as a
// provider would have streamed them, and counts how often the views of cost and
// usefulness find what was planted in them, and how often they find what was
// not.
package groundtruth

import (
	"encoding/json"
	"fmt"
	"time"

	"aircheck/schema"
)

// Day is when recordings begin.
var Day = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)

// Answer is one request and what came of it. Zero values are the usual case.
type Answer struct {
	Provider, Model, Scenario, Workload string
	Prompt                              string
	Params, Body, Checks                string // JSON; a chat request's body where empty
	Window, Trial                       int
	At                                  time.Time
	FirstToken                          time.Duration // 200 ms
	Tier                                string        // as the response states it

	Text, Thinking string
	Calls          string // JSON list of tool calls, as a delta of chat streams has it
	Finish         string // stop
	Input, Cached  int64
	Output         int64  // as reported, thinking included
	Reasoning      *int64 // as reported
	Cost           string // as reported, a number
	NoUsage        bool   // the provider reports no tokens

	Status int  // an error status, without a body
	Cut    bool // the stream breaks after the text, before any ending
	Silent bool // nothing comes at all, until the recorder gives up
}

// Dataset is a run being written.
type Dataset struct {
	w   *schema.Writer
	ids schema.IDs
	n   int32
}

// Create starts a run in the dataset at dir.
func Create(dir, runID string) (*Dataset, error) {
	w, err := schema.Create(dir, runID)
	return &Dataset{w: w}, err
}

// Add writes an answer. It gives the request's id.
func (d *Dataset) Add(a Answer) (int64, error) {
	r, chunks := a.rows()
	r.RequestID = d.ids.Next(a.At)
	r.OrderIndex = d.n
	d.n++
	d.w.Begin(r.RequestID)
	return r.RequestID, d.w.Write(r, chunks)
}

// Seal ends the run.
func (d *Dataset) Seal() error {
	return d.w.Seal(&schema.Run{Name: "planted", Origin: "simulated", Tool: "planted", Host: "planted", StartedAtNs: Day.UnixNano(), EndedAtNs: Day.UnixNano()})
}

// rows are what the recorder would have written.
func (a *Answer) rows() (*schema.Request, []schema.Chunk) {
	body := a.Body
	if body == "" {
		data, _ := json.Marshal(map[string]any{"model": a.Model, "stream": true, "temperature": 0, "messages": []any{map[string]any{"role": "user", "content": a.Prompt}}})
		body = string(data)
	}
	r := &schema.Request{
		Attempt: 1, Provider: a.Provider, Model: a.Model, ModelID: &a.Model, API: new("openai-chat"),
		Scenario: &a.Scenario, Workload: text(a.Workload), Concurrency: new(int32(1)), Phase: "measure",
		Window: new(fmt.Sprintf("w%02d", a.Window)), Trial: new(int32(a.Trial)),
		RequestBody: &body, Params: text(a.Params), Checks: text(a.Checks), PromptHash: text(a.Prompt),
		StartedAtNs: new(a.At.UnixNano()), SentNs: new(int64(1e6)), ConnReused: new(true), Streamed: new(true),
		EndReason: new("eof"), Origin: "simulated", Detail: "chunks",
	}
	first := a.FirstToken
	if first == 0 {
		first = 200 * time.Millisecond
	}
	switch {
	case a.Silent:
		r.EndReason, r.EndNs = new("timeout_first_byte"), new(int64(60e9))
		return r, nil
	case a.Status != 0:
		r.HTTPStatus, r.HeadersNs, r.EndNs = new(int32(a.Status)), new(first.Nanoseconds()), new(first.Nanoseconds())
		return r, nil
	}
	r.HTTPStatus, r.HeadersNs = new(int32(200)), new(first.Nanoseconds())
	r.ResponseHeaders = new(`{"Content-Type":["text/event-stream"]}`)
	chunks := a.chunks(first)
	r.EndNs = new(*chunks[len(chunks)-1].TNs + 1e6)
	if a.Cut {
		r.EndReason = new("unexpected_eof")
	}
	return r, chunks
}

// chunks are the frames of a chat stream: thinking and text in a few pieces
// each, 50 ms apart.
func (a *Answer) chunks(first time.Duration) []schema.Chunk {
	var out []schema.Chunk
	at := first.Nanoseconds()
	frame := func(payload any) {
		raw := []byte("data: [DONE]\n\n")
		if payload != nil {
			data, _ := json.Marshal(payload)
			raw = fmt.Appendf(nil, "data: %s\n\n", data)
		}
		out = append(out, schema.Chunk{ReadSeq: int32(len(out)), TNs: new(at), TReadNs: new(at), Clock: "read", Complete: true, Raw: raw})
		at += 50e6
	}
	type m = map[string]any
	choice := func(delta m, finish any) m {
		f := m{"id": "x", "model": a.Model, "choices": []any{m{"index": 0, "delta": delta, "finish_reason": finish}}}
		if a.Tier != "" {
			f["service_tier"] = a.Tier
		}
		return f
	}
	for _, p := range pieces(a.Thinking) {
		frame(choice(m{"reasoning_content": p}, nil))
	}
	for _, p := range pieces(a.Text) {
		frame(choice(m{"content": p}, nil))
	}
	if a.Calls != "" {
		frame(choice(m{"tool_calls": json.RawMessage(a.Calls)}, nil))
	}
	if len(out) == 0 {
		frame(choice(m{"role": "assistant", "content": ""}, nil))
	}
	if a.Cut {
		return out
	}
	finish := a.Finish
	if finish == "" {
		finish = "stop"
	}
	frame(choice(m{}, finish))
	if !a.NoUsage {
		usage := m{"prompt_tokens": a.Input, "completion_tokens": a.Output, "total_tokens": a.Input + a.Output}
		if a.Cached > 0 {
			usage["prompt_tokens_details"] = m{"cached_tokens": a.Cached}
		}
		if a.Reasoning != nil {
			usage["completion_tokens_details"] = m{"reasoning_tokens": *a.Reasoning}
		}
		if a.Cost != "" {
			usage["cost"] = json.RawMessage(a.Cost)
		}
		frame(m{"id": "x", "model": a.Model, "choices": []any{}, "usage": usage})
	}
	frame(nil)
	return out
}

// pieces cuts a text into three at most.
func pieces(s string) []string {
	if s == "" {
		return nil
	}
	r := []rune(s)
	n := max(1, (len(r)+2)/3)
	var out []string
	for len(r) > 0 {
		n = min(n, len(r))
		out, r = append(out, string(r[:n])), r[n:]
	}
	return out
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

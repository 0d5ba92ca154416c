package simulate

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const plainFleet = `
seed: 7
behaviour:
  first_token: {median: 30ms, sigma: 0.2}
  gap: {median: 3ms, sigma: 0.3}
  answer: {tokens: 12}
providers:
  - name: aurora
    models:
      - name: small
      - {name: thinker, thinking: {tokens: 6}, first_byte: 5ms}
  - name: borealis
    models:
      - {name: small, id: vendor/small, burst: 4}
`

// What the truth says was sent is what arrived, and when.
func TestTruthIsWhatArrives(t *testing.T) {
	r := start(t, plainFleet)
	type call struct{ provider, id string }
	calls := []call{{"aurora", "small"}, {"aurora", "thinker"}, {"borealis", "vendor/small"}}
	var mu sync.Mutex
	var all []*got
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for j := range 9 {
				c := calls[(i+j)%3]
				g := r.chat(c.provider, c.id, fmt.Sprintf("prompt %d", j), `"stream_options":{"include_usage":true}`)
				mu.Lock()
				all = append(all, g)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	truth := r.stop()
	if len(truth) != len(all) {
		t.Fatalf("%d requests, %d lines of truth", len(all), len(truth))
	}
	var firstOff, lastOff []float64
	for _, g := range all {
		tr := truth[g.id]
		if tr.Outcome != "ok" || tr.Status != 200 {
			t.Errorf("%s: outcome %q, status %d", g.id, tr.Outcome, tr.Status)
		}
		if g.err != nil || g.sha() != tr.SHA256 || int64(len(g.body)) != tr.Bytes {
			t.Errorf("%s: body of %d bytes (%v) is not the %d sent", g.id, len(g.body), g.err, tr.Bytes)
		}
		h := g.heard(t)
		if h.usage == nil || h.usage.Completion != tr.Tokens.Answer+tr.Tokens.Thinking || h.usage.Prompt != tr.Tokens.Input {
			t.Errorf("%s: usage %+v, truth %+v", g.id, h.usage, tr.Tokens)
		}
		if n := len(tokenize(h.text)); n != tr.Tokens.Answer {
			t.Errorf("%s: %d tokens arrived, %d in truth: %q", g.id, n, tr.Tokens.Answer, h.text)
		}
		if tr.Model == "thinker" && (len(tokenize(h.thinking)) != 6 || tr.Tokens.Thinking != 6) {
			t.Errorf("%s: thinking %q, truth %+v", g.id, h.thinking, tr.Tokens)
		}
		if h.finish != "stop" || !h.done {
			t.Errorf("%s: finish %q, done %v", g.id, h.finish, h.done)
		}
		firstOff = append(firstOff, float64(h.first.UnixNano()-*tr.FirstTokenNs)/1e6)
		lastOff = append(lastOff, float64(g.lines[len(g.lines)-1].at.UnixNano()-tr.Writes[len(tr.Writes)-1].SentNs)/1e6)
		for i, w := range tr.Writes {
			if w.SentNs < w.BeginNs || i > 0 && w.BeginNs < tr.Writes[i-1].SentNs {
				t.Errorf("%s: write %d is out of order: %+v", g.id, i, w)
			}
			if late := w.BeginNs - tr.ReceivedNs - w.PlanNs; late < 0 {
				t.Errorf("%s: write %d went out %d ns early", g.id, i, -late)
			}
		}
	}
	for name, off := range map[string][]float64{"first token": firstOff, "last line": lastOff} {
		slices.Sort(off)
		if m := off[len(off)/2]; m > 2 || m < -2 {
			t.Errorf("%s: read %.3f ms after it was sent (median)", name, m)
		} else {
			t.Logf("%s: read %.3f ms after it was sent (median), worst %.3f", name, m, off[len(off)-1])
		}
	}
}

func TestBurstsShareAWrite(t *testing.T) {
	r := start(t, plainFleet)
	g := r.chat("borealis", "vendor/small", "x", "")
	tr := r.stop()[g.id]
	var texts []string
	for _, w := range tr.Writes {
		if strings.Contains(w.Holds, "text") {
			texts = append(texts, w.Holds)
		}
	}
	want := []string{"start, 4 text", "4 text", "4 text"}
	if !slices.Equal(texts, want) {
		t.Errorf("writes with text hold %q, want %q", texts, want)
	}
}

func TestFragmentsCutFramesAnywhere(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 5ms, gap: 8ms, fragments: 5, answer: {tokens: 4}}
providers: [{name: p, models: [{name: m}]}]
`)
	g := r.chat("p", "m", "x", "")
	tr := r.stop()[g.id]
	if g.sha() != tr.SHA256 || g.heard(t).finish != "stop" {
		t.Error("fragments do not add up to the body")
	}
	if len(tr.Writes) != 25 { // start and first token, three more, the end
		t.Errorf("%d writes, want 5 × 5", len(tr.Writes))
	}
	if w := tr.Writes[4]; !strings.Contains(w.Holds, "text") || w.SentNs != *tr.FirstTokenNs {
		t.Errorf("the first token is complete with write 4, not %+v", w)
	}
}

// Each fault shows on the socket as its kind says.
func TestFaultsHappenOnTheSocket(t *testing.T) {
	fleet := "behaviour: {first_token: 5ms, gap: 1ms, answer: {tokens: 20}, thinking: {tokens: 3}, keep_alive: {every: 10ms}}\nproviders:\n  - name: p\n    models:\n"
	for _, k := range kinds {
		fleet += fmt.Sprintf("      - {name: %s, faults: [{kind: %s, every: 1}]}\n", k.kind, k.kind)
	}
	r := start(t, fleet)
	client := &http.Client{Timeout: 250 * time.Millisecond}
	seen := map[Kind]*got{}
	for _, k := range kinds {
		g := post(t, client, r.URL("p")+"/chat/completions", chatBody(string(k.kind), "x", `"max_tokens":200`))
		if k.status >= 400 && g.status != k.status {
			t.Errorf("%s: status %d, want %d", k.kind, g.status, k.status)
		}
		seen[k.kind] = g
	}
	truth := r.stop()
	if len(truth) != len(kinds) {
		t.Errorf("%d lines of truth for %d requests", len(truth), len(kinds))
	}
	byModel := map[Kind]Truth{}
	for _, tr := range truth {
		byModel[Kind(tr.Model)] = tr
	}
	isReset := func(err error) bool { return errors.Is(err, syscall.ECONNRESET) }
	isTimeout := func(err error) bool { return err != nil && strings.Contains(err.Error(), "Timeout") }
	for _, c := range []struct {
		kind    Kind
		outcome string
		want    func(g *got, h heard) bool
	}{
		{RateLimited, "rate_limited", func(g *got, h heard) bool { return strings.Contains(string(g.body), "rate_limit_exceeded") }},
		{ServerError, "server_error", func(g *got, h heard) bool { return strings.Contains(string(g.body), `"server_error"`) }},
		{Overloaded, "server_error", func(g *got, h heard) bool { return strings.Contains(string(g.body), "overloaded") }},
		{BadGateway, "server_error", func(g *got, h heard) bool { return strings.HasPrefix(string(g.body), "<html>") }},
		{Unavailable, "unavailable", func(g *got, h heard) bool { return strings.Contains(string(g.body), "does not exist") }},
		{Account, "account", func(g *got, h heard) bool { return strings.Contains(string(g.body), "invalid_api_key") }},
		{Quota, "account", func(g *got, h heard) bool { return strings.Contains(string(g.body), "insufficient_quota") }},
		{Rejected, "rejected", func(g *got, h heard) bool { return strings.Contains(string(g.body), "invalid_request_error") }},
		{Refuse, "connect_error", func(g *got, h heard) bool { return g.status == 0 && (isReset(g.err) || errors.Is(g.err, io.EOF)) }},
		{Hang, "timeout", func(g *got, h heard) bool { return g.status == 0 && isTimeout(g.err) }},
		{StreamError, "stream_error", func(g *got, h heard) bool {
			return g.err == nil && h.finish == "" && !h.done && strings.Contains(string(g.body), `data: {"error":`)
		}},
		{Reset, "cut", func(g *got, h heard) bool { return isReset(g.err) && h.text != "" && h.finish == "" }},
		{Abort, "cut", func(g *got, h heard) bool { return errors.Is(g.err, io.ErrUnexpectedEOF) && h.text != "" }},
		{Cut, "cut", func(g *got, h heard) bool { return g.err == nil && h.text != "" && h.finish == "" && !h.done }},
		{Stall, "stalled", func(g *got, h heard) bool {
			return isTimeout(g.err) && h.text != "" && strings.Count(string(g.body), ": keep-alive") > 5
		}},
		{Junk, "ok", func(g *got, h heard) bool {
			return h.finish == "stop" && h.done && len(tokenize(h.text)) == 20 && strings.Contains(string(g.body), "{\"content\n")
		}},
		{Truncated, "truncated", func(g *got, h heard) bool { return h.finish == "length" && len(tokenize(h.text)) == 10 }},
		{SilentTruncated, "ok", func(g *got, h heard) bool {
			return h.finish == "stop" && len(tokenize(h.text)) == 10 && !strings.HasSuffix(h.text, ".")
		}},
		{Starved, "starved", func(g *got, h heard) bool {
			return h.finish == "length" && h.text == "" && len(tokenize(h.thinking)) == 200
		}},
		{Empty, "empty", func(g *got, h heard) bool { return h.finish == "stop" && h.text+h.thinking == "" && h.done }},
		{Filtered, "filtered", func(g *got, h heard) bool { return h.finish == "content_filter" }},
		{NoDone, "ok", func(g *got, h heard) bool { return h.finish == "stop" && !h.done && g.err == nil }},
		{NoFinish, "ok", func(g *got, h heard) bool { return h.finish == "" && h.done }},
	} {
		g, tr := seen[c.kind], byModel[c.kind]
		if !c.want(g, g.heard(t)) {
			t.Errorf("%s: not as planned: status %d, error %v, body:\n%s", c.kind, g.status, g.err, g.body)
		}
		if tr.Outcome != c.outcome || tr.Fault != c.kind {
			t.Errorf("%s: truth has outcome %q and fault %q, want %q", c.kind, tr.Outcome, tr.Fault, c.outcome)
		}
		// What was sent to a client that was just leaving is in the truth, and
		// did not arrive.
		left := isTimeout(g.err) && int64(len(g.body)) < tr.Bytes
		if g.status != 0 && !left && (g.sha() != tr.SHA256 || int64(len(g.body)) != tr.Bytes) {
			t.Errorf("%s: %d bytes arrived, %d in truth", c.kind, len(g.body), tr.Bytes)
		}
		delete(seen, c.kind)
	}
	if len(seen) > 0 {
		t.Errorf("kinds without a test: %v", seen)
	}
}

func TestPauseGoesOn(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 5ms, gap: 1ms, answer: {tokens: 10}, keep_alive: {every: 20ms, comment: wait}}
providers: [{name: p, models: [{name: m, faults: [{kind: stall, every: 1, for: 90ms}]}]}]
`)
	g := r.chat("p", "m", "x", "")
	h := g.heard(t)
	if h.finish != "stop" || strings.Count(string(g.body), ": wait") != 4 {
		t.Errorf("finish %q, body:\n%s", h.finish, g.body)
	}
	tr := r.stop()[g.id]
	if tr.Outcome != "ok" || *tr.LastTokenNs-*tr.FirstTokenNs < 90e6 {
		t.Errorf("truth: %+v", tr)
	}
}

func TestRequestsThatNoModelAnswers(t *testing.T) {
	r := start(t, plainFleet)
	unknown := r.chat("aurora", "nothing", "x", "")
	broken := post(t, http.DefaultClient, r.URL("aurora")+"/chat/completions", "{")
	nobody := post(t, http.DefaultClient, r.URL("nobody")+"/chat/completions", chatBody("small", "x", ""))
	nowhere := post(t, http.DefaultClient, r.URL("aurora")+"/else", "{}")
	if unknown.status != 404 || broken.status != 400 || nobody.status != 404 || nowhere.status != 404 {
		t.Errorf("statuses %d %d %d %d", unknown.status, broken.status, nobody.status, nowhere.status)
	}
	truth := r.stop()
	if len(truth) != 2 || truth[unknown.id].Outcome != "unavailable" || truth[broken.id].Outcome != "rejected" {
		t.Errorf("truth: %+v", truth)
	}
}

func TestCloseEndsOpenStreams(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 1ms, faults: [{kind: stall, every: 1}]}
providers: [{name: p, models: [{name: m}]}]
`)
	ended := make(chan *got)
	go func() { ended <- r.chat("p", "m", "x", "") }()
	time.Sleep(50 * time.Millisecond)
	truth := r.stop()
	g := <-ended
	if g.err == nil {
		t.Error("a stalled stream ended well")
	}
	if len(truth) != 1 || !truth[g.id].ClientGone {
		t.Errorf("truth: %+v", truth)
	}
}

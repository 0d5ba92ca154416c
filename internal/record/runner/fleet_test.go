package runner

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"aircheck/internal/record/simulate"
	"aircheck/schema"
)

const fleet = `
fleet: test
seed: 5
behaviour:
  first_token: {median: 25ms, sigma: 0.3}
  gap: {median: 2ms, sigma: 0.3}
  answer: {tokens: 30}
providers:
  - name: north
    models: [{name: m, faults: [{kind: rate_limited, on: 3}, {kind: refuse, on: 5}, {kind: hang, on: 7}]}]
  - name: south
    models: [{name: m, fragments: 3, burst: 2, faults: [{kind: reset, on: 2}, {kind: abort, on: 4}, {kind: stall, on: 6}, {kind: cut, on: 8}]}]
`

// What a fleet knows that it sent is what the recording holds: the bytes, the
// times, the ends.
func TestFleet(t *testing.T) {
	f, err := simulate.Parse([]byte(fleet), "fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s, err := simulate.Start(f, "127.0.0.1:0", &log)
	if err != nil {
		t.Fatal(err)
	}
	text := "trials: 10\nwarmup: 0\nparallel: 2\ntimeouts: {first_byte: 400ms, idle: 300ms}\ntargets: ["
	for _, p := range []string{"north", "south"} {
		text += fmt.Sprintf("{provider: %s, model: m, base_url: %s}, ", p, s.URL(p))
	}
	result, rows, frames := record(t, text+"]\n"+hello)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	truths, err := simulate.ReadTruth(&log)
	if err != nil || len(rows) != 20 || len(truths) != 20 {
		t.Fatalf("%d rows, %d truths, %v", len(rows), len(truths), err)
	}
	if result.Run.Origin != "simulated" {
		t.Errorf("origin %s", result.Run.Origin)
	}
	byID := map[string]*simulate.Truth{}
	for i := range truths {
		byID[truths[i].ID] = &truths[i]
	}
	ends := map[string]int{}
	var off []time.Duration
	for _, r := range rows {
		ends[r.Provider+" "+*r.EndReason]++
		if r.HTTPStatus == nil {
			continue
		}
		var headers map[string][]string
		json.Unmarshal([]byte(*r.ResponseHeaders), &headers)
		truth := byID[headers["X-Request-Id"][0]]
		body := raw(frames[r.RequestID])
		sum := sha256.Sum256(body)
		if r.Origin != "simulated" || int(*r.HTTPStatus) != truth.Status {
			t.Errorf("origin %s, status %d of %d", r.Origin, *r.HTTPStatus, truth.Status)
		}
		if whole := *r.EndReason == "eof"; whole && hex.EncodeToString(sum[:]) != truth.SHA256 {
			t.Errorf("%s: body differs: %d bytes of %d", truth.Fault, len(body), truth.Bytes)
		} else if !whole && int64(len(body)) > truth.Bytes {
			t.Errorf("%s: %d bytes of %d", truth.Fault, len(body), truth.Bytes)
		}
		if first := firstToken(frames[r.RequestID]); truth.FirstTokenNs != nil && first != nil {
			off = append(off, time.Duration(*r.StartedAtNs+*first-*truth.FirstTokenNs))
		}
	}
	want := map[string]int{"north eof": 8, "north reset": 1, "north timeout_first_byte": 1,
		"south eof": 7, "south reset": 1, "south unexpected_eof": 1, "south timeout_idle": 1}
	if fmt.Sprint(ends) != fmt.Sprint(want) {
		t.Errorf("ends %v, want %v", ends, want)
	}
	slices.Sort(off)
	// Fractions of a millisecond on an idle machine; this is no place to ask for one.
	if len(off) < 14 || off[len(off)/2].Abs() > 20*time.Millisecond {
		t.Errorf("first tokens are %v later than sent", off)
	}
}

func raw(frames []schema.Chunk) (body []byte) {
	for _, c := range frames {
		body = append(body, c.Raw...)
	}
	return body
}

// firstToken is the arrival of the first frame with content.
func firstToken(frames []schema.Chunk) *int64 {
	for _, c := range frames {
		if s := string(c.Raw); strings.Contains(s, `"content":"`) && !strings.Contains(s, `"content":""`) {
			return c.TNs
		}
	}
	return nil
}

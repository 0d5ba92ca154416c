package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/schema"
	"aircheck/simulate"
)

// secret is the key that the recording uses. A provider of the fleet repeats
// it in an error.
const secret = "sk-e2e-5e1f0c2d9b7a4386"

// planted is what must come of the twelve requests of each model, where it is
// not twelve times ok.
var planted = map[string]map[string]int{
	"north owl":  {"ok": 9, "starved": 3},
	"south owl":  {"ok": 7, "starved": 2, "filtered": 1, "empty": 2},
	"west lark":  {"ok": 7, "rate_limited": 4, "unavailable": 1},
	"west heron": {"ok": 1, "stream_error": 2, "cut": 3, "stalled": 1, "server_error": 3, "timeout": 1, "connect_error": 1},
	"west owl":   {"ok": 6, "truncated": 2, "account": 2, "server_error": 1, "rejected": 1},
}

// recording is a dataset and the truth about it.
type recording struct {
	t     *testing.T
	dir   string // holds traces and all else
	said  string // by the commands
	truth map[string]*simulate.Truth
	seen  []*seen
}

// seen is one request as the dataset has it.
type seen struct {
	RequestID   int64    `json:"request_id"`
	XRequestID  *string  `json:"x_request_id"`
	StartedAtNs int64    `json:"started_at_ns"`
	EndReason   string   `json:"end_reason"`
	Provider    string   `json:"provider"`
	Model       string   `json:"model"`
	Outcome     string   `json:"outcome"`
	TTFTMs      *float64 `json:"ttft_ms"`
	TTFATMs     *float64 `json:"ttfat_ms"`
	LastTokenMs *float64 `json:"last_token_ms"`
	TokenSource *string  `json:"token_source"`
	Input       *int64   `json:"input_tokens"`
	Output      *int64   `json:"output_tokens"`
	Reasoning   *int64   `json:"reasoning_tokens"`
	CostNano    *int64   `json:"cost_nanousd"`
	Undecoded   int64    `json:"undecoded_frames"`
}

func (s *seen) cell() string { return s.Provider + " " + s.Model }

// TestPath records a small fleet and compares all that can be known.
func TestPath(t *testing.T) {
	r := record(t)
	t.Run("outcomes", r.outcomes)
	t.Run("views", r.views)
	t.Run("first tokens", r.firstTokens)
	t.Run("bodies", r.bodies)
	t.Run("tokens and costs", r.tokens)
	t.Run("flip", r.flip)
	t.Run("again", r.again)
	t.Run("report", r.report)
	t.Run("leaks", r.leaks) // last: everything is written
}

// record runs fleet, recording and analysis.
func record(t *testing.T) *recording {
	r := &recording{t: t, dir: t.TempDir(), truth: map[string]*simulate.Truth{}}
	address, stop := fleet(t, r.dir, filepath.Join(root, "internal/e2e/testdata/path/fleet.yaml"), "--truth", "truth.jsonl")
	copyFile(t, "testdata/path/plan.yaml", filepath.Join(r.dir, "plan.yaml"), "FLEET", "http://"+address)
	c := run(t, r.dir, []string{"E2E_KEY=" + secret}, "record", "run", "plan.yaml", "--to", "traces")
	stop()
	if c.status != 0 || !strings.Contains(c.stdout, "168 requests") {
		t.Fatalf("record run: status %d\n%s%s", c.status, c.stdout, c.stderr)
	}
	r.said = c.stdout + c.stderr
	r.said += must(t, r.dir, nil, "record", "verify", "traces")

	f, err := os.Open(filepath.Join(r.dir, "truth.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	truth, err := simulate.ReadTruth(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range truth {
		r.truth[truth[i].ID] = &truth[i]
	}
	r.prices(truth)
	r.said += must(t, r.dir, nil, "analyze", "build", "traces", "--prices", "prices.json")
	r.seen = ask[*seen](r, `SELECT s.request_id, json_extract_string(q.response_headers, '$."X-Request-Id"[0]') AS x_request_id,
		q.started_at_ns, q.end_reason, s.provider, s.model, outcome, ttft_ms, ttfat_ms, last_token_ms, token_source,
		input_tokens, output_tokens, reasoning_tokens, cost_nanousd, undecoded_frames
		FROM results s JOIN requests q USING (request_id) ORDER BY request_id`)
	if len(r.seen) != 168 || len(r.truth) != 168 {

		t.Fatalf("%d results, %d truths", len(r.seen), len(r.truth))
	}
	return r
}

// ask is rows with the recording's prices.
func ask[T any](r *recording, query string) []T {
	r.t.Helper()
	var out []T
	text := must(r.t, r.dir, nil, "analyze", "sql", "traces", "--prices", "prices.json", "--format", "json", "--", query)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		r.t.Fatalf("%s: %v", query, err)
	}
	return out
}

// prices writes what the fleet charges as a price table.
func (r *recording) prices(truth []simulate.Truth) {
	type m = map[string]any
	models := map[string]map[string]m{}
	for _, t := range truth {
		if t.Price == nil {
			continue
		}
		if models[t.Provider] == nil {
			models[t.Provider] = map[string]m{}
		}
		models[t.Provider][t.Model] = m{"id": t.Model, "match": m{"equals": t.Model},
			"prices": m{"input_mtok": t.Price.Input, "output_mtok": t.Price.Output}}
	}
	var table []m
	for _, p := range slices.Sorted(maps.Keys(models)) {
		table = append(table, m{"id": p, "name": p, "api_pattern": "http://" + p, "provider_match": m{"equals": p},
			"models": slices.Collect(maps.Values(models[p]))})
	}
	data, err := json.Marshal(table)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.dir, "prices.json"), data, 0o644)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// outcomes holds each row against its truth, and all of them against the plan.
func (r *recording) outcomes(t *testing.T) {
	counts := map[string]map[string]int{}
	silent := map[string]int{} // rows without a response, of which the header says nothing
	for _, s := range r.seen {
		if counts[s.cell()] == nil {
			counts[s.cell()] = map[string]int{}
		}
		counts[s.cell()][s.Outcome]++
		if s.Undecoded > 0 {
			t.Errorf("%s, %s: %d frames not decoded", s.cell(), s.Outcome, s.Undecoded)
		}
		if s.XRequestID == nil {
			silent[s.cell()+" "+s.Outcome]++
			continue
		}
		truth := r.truth[*s.XRequestID]
		if truth == nil {
			t.Errorf("%s: no truth about %s", s.cell(), *s.XRequestID)
			continue
		}
		if truth.Outcome != s.Outcome || truth.Provider != s.Provider || truth.Model != s.Model {
			t.Errorf("%s, request %d: %s, in truth %s (%s)", s.cell(), truth.Ordinal, s.Outcome, truth.Outcome, truth.Fault)
		}
	}
	for cell, have := range counts {
		want := planted[cell]
		if want == nil {
			want = map[string]int{"ok": 12}
		}
		if !maps.Equal(have, want) {
			t.Errorf("%s: %v, planted %v", cell, have, want)
		}
	}
	if want := map[string]int{"west heron timeout": 1, "west heron connect_error": 1}; !maps.Equal(silent, want) {
		t.Errorf("without a response: %v, want %v", silent, want)
	}
}

// views holds the counts of the public views against what was planted.
func (r *recording) views(t *testing.T) {
	type count struct {
		Cell, Outcome string
		N             int
	}
	have := map[string]map[string]int{}
	for _, c := range ask[count](r, `SELECT provider || ' ' || model AS cell, outcome, n FROM errors`) {
		if have[c.Cell] == nil {
			have[c.Cell] = map[string]int{}
		}
		have[c.Cell][c.Outcome] = c.N
	}
	for cell, want := range planted {
		if !maps.Equal(have[cell], want) {
			t.Errorf("errors of %s: %v, planted %v", cell, have[cell], want)
		}
	}
	for _, c := range ask[count](r, `SELECT provider || ' ' || model AS cell, starved AS n FROM thinking`) {
		if c.N != planted[c.Cell]["starved"] {
			t.Errorf("thinking of %s: %d starved, planted %d", c.Cell, c.N, planted[c.Cell]["starved"])
		}
	}
	type reliable struct {
		Cell                                                   string
		Attempts, Answered, RateLimited, Unavailable, Accounts int
	}
	for _, a := range ask[reliable](r, `SELECT provider || ' ' || model AS cell, attempts, answered, rate_limited AS RateLimited, unavailable, account AS accounts FROM availability`) {
		var want reliable
		switch a.Cell {
		case "west lark":
			want = reliable{a.Cell, 11, 7, 4, 1, 0}
		case "west heron":
			want = reliable{a.Cell, 12, 1, 0, 0, 0}
		case "west owl": // refused once: not by every provider, so it counts
			want = reliable{a.Cell, 10, 8, 0, 0, 2}
		default:
			want = reliable{a.Cell, 12, 12, 0, 0, 0}
		}
		if a != want {
			t.Errorf("availability %+v, want %+v", a, want)
		}
	}
}

// firstTokens compares recorded times with those of the write that held the
// token. The bound is on the median, for a machine that others use as well.
func (r *recording) firstTokens(t *testing.T) {
	for _, c := range []struct {
		name  string
		saw   func(*seen) *float64
		truth func(*simulate.Truth) *int64
	}{
		{"first token", func(s *seen) *float64 { return s.TTFTMs }, func(t *simulate.Truth) *int64 { return t.FirstTokenNs }},
		{"first answer", func(s *seen) *float64 { return s.TTFATMs }, func(t *simulate.Truth) *int64 { return t.FirstAnswerNs }},
		{"last token", func(s *seen) *float64 { return s.LastTokenMs }, func(t *simulate.Truth) *int64 { return t.LastTokenNs }},
	} {
		var off []float64
		for _, s := range r.seen {
			truth := r.truthOf(s)
			if truth == nil {
				continue
			}
			saw, sent := c.saw(s), c.truth(truth)
			if (saw == nil) != (sent == nil) {
				t.Errorf("%s of %s, request %d (%s): recorded %v, sent %v", c.name, s.cell(), truth.Ordinal, truth.Fault, saw != nil, sent != nil)
			} else if saw != nil {
				off = append(off, math.Abs(float64(s.StartedAtNs-*sent)/1e6+*saw))
			}
		}
		slices.Sort(off)
		if len(off) < 120 {
			t.Errorf("%s: only %d to compare", c.name, len(off))
		} else if median := off[len(off)/2]; median > 2 {
			t.Errorf("%s: recorded %.2f ms off in the median of %d", c.name, median, len(off))
		} else {
			t.Logf("%s: %.3f ms off in the median of %d, %.3f at the most", c.name, median, len(off), off[len(off)-1])
		}
	}
}

func (r *recording) truthOf(s *seen) *simulate.Truth {
	if s.XRequestID == nil {
		return nil
	}
	return r.truth[*s.XRequestID]
}

// bodies puts the frames together again.
func (r *recording) bodies(t *testing.T) {
	byID := map[int64]*seen{}
	for _, s := range r.seen {
		byID[s.RequestID] = s
	}
	d, err := schema.OpenDataset(filepath.Join(r.dir, "traces"))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs()
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	whole := 0
	err = d.EachResponse(context.Background(), runs[0], func(id int64, frames []schema.Chunk) error {
		s := byID[id]
		truth := r.truthOf(s)
		if truth == nil {
			return fmt.Errorf("request %d has frames and no truth", id)
		}
		h, n := sha256.New(), int64(0)
		for _, f := range frames {
			h.Write(f.Raw)
			n += int64(len(f.Raw))
			if strings.Contains(string(f.Raw), secret) {
				t.Errorf("%s: a frame holds the key", s.cell())
			}
		}
		same := hex.EncodeToString(h.Sum(nil)) == truth.SHA256
		switch {
		case truth.Fault == simulate.Account: // its key is masked
			if same {
				t.Errorf("%s: the key in the body was kept", s.cell())
			}
		case truth.Fault == simulate.Reset: // may take with it what was not read yet
			if n > truth.Bytes {
				t.Errorf("%s, %s: %d bytes of %d", s.cell(), truth.Fault, n, truth.Bytes)
			}
		case !same:
			t.Errorf("%s, request %d (%s): body differs, %d bytes of %d", s.cell(), truth.Ordinal, truth.Fault, n, truth.Bytes)
		default:
			whole++
		}
		return nil
	})
	// All but the key, the reset, and the two without a response.
	if err != nil || whole != 164 {
		t.Errorf("%d bodies are whole, %v", whole, err)
	}
}

// tokens compares counts and money wherever the provider reports them.
func (r *recording) tokens(t *testing.T) {
	reported, priced := 0, 0
	for _, s := range r.seen {
		truth := r.truthOf(s)
		if truth == nil || s.TokenSource == nil || *s.TokenSource != "usage" {
			if s.Outcome == "ok" {
				t.Errorf("%s: an answer without usage", s.cell())
			}
			continue
		}
		reported++
		want := truth.Tokens
		if *s.Input != int64(want.Input) || *s.Output != int64(want.Answer+want.Thinking) {
			t.Errorf("%s, request %d: %d in, %d out; in truth %+v", s.cell(), truth.Ordinal, *s.Input, *s.Output, want)
		}
		// Some APIs do not tell thinking apart.
		if s.Reasoning != nil && *s.Reasoning != int64(want.Thinking) {
			t.Errorf("%s, request %d: %d of thinking, in truth %d", s.cell(), truth.Ordinal, *s.Reasoning, want.Thinking)
		}
		if (s.CostNano == nil) != (truth.CostNano == nil) || s.CostNano != nil && *s.CostNano != *truth.CostNano {
			t.Errorf("%s, request %d: costs %v, in truth %v", s.cell(), truth.Ordinal, s.CostNano, truth.CostNano)
		}
		if s.CostNano != nil {
			priced++
		}
	}
	if reported < 140 || priced != 72 {
		t.Errorf("%d rows report tokens, %d of them are priced", reported, priced)
	}
}

// flip looks for the one that was planted.
func (r *recording) flip(t *testing.T) {
	type flip struct {
		At1 string  `json:"at_1"`
		At2 string  `json:"at_2"`
		L1  string  `json:"leader_1"`
		L2  string  `json:"leader_2"`
		R1  float64 `json:"ratio_1"`
		R2  float64 `json:"ratio_2"`
	}
	found := ask[flip](r, `SELECT at_1, at_2, leader_1, leader_2, ratio_1, ratio_2 FROM flips
		WHERE axis = 'model' AND metric = 'ttft_net_ms' AND provider_a = 'north' AND provider_b = 'south'
		AND least(at_1, at_2) = 'heron' AND greatest(at_1, at_2) = 'lark'`)
	if len(found) != 1 {
		t.Fatalf("%d flips: %+v", len(found), found)
	}
	f := found[0]
	if f.L1 != map[string]string{"lark": "north", "heron": "south"}[f.At1] || f.L2 == f.L1 || f.R1 < 2 || f.R2 < 2 {
		t.Errorf("planted: north leads on lark and south on heron, 5 times and more; found %+v", f)
	}
}

// again builds what is built.
func (r *recording) again(t *testing.T) {
	out := must(t, r.dir, nil, "analyze", "build", "traces", "--prices", "prices.json")
	if !strings.Contains(out, "nothing new") {
		t.Errorf("a second build: %s", out)
	}
}

// report renders the recording.
func (r *recording) report(t *testing.T) {
	r.said += must(t, r.dir, nil, "report", "traces", "--prices", "prices.json", "--to", "site")
	page, err := os.ReadFile(filepath.Join(r.dir, "site", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"north", "south", "lark", "heron"} {
		if !strings.Contains(string(page), word) {
			t.Errorf("the report does not name %s", word)
		}
	}
}

// leaks looks for the key in every file and, since those are compressed, in
// the views that hold texts; bodies looks into the frames.
func (r *recording) leaks(t *testing.T) {
	if strings.Contains(r.said, secret) {
		t.Error("a command printed the key")
	}
	files := 0
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s holds the key", path)
		}
		files++
		return err
	})
	if err != nil || files < 20 {
		t.Errorf("%d files, %v", files, err)
	}
	for _, view := range []string{"runs", "requests", "events", "answers", "errors"} {
		out := must(t, r.dir, nil, "analyze", "sql", "traces", "--prices", "prices.json", "--format", "json", "--", "SELECT * FROM "+view)
		if strings.Contains(out, secret) {
			t.Errorf("view %s holds the key", view)
		}
	}
}

package e2e

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/record/simulate"
	"aircheck/schema"
)

// recording is a dataset, in dir/traces, and the fleet's truth about it.
type recording struct {
	t      *testing.T
	dir    string
	prices string // file
	truth  map[string]*simulate.Truth
	seen   []*seen
}

// seen is one request as the dataset has it.
type seen struct {
	RequestID   int64    `json:"request_id"`
	XRequestID  *string  `json:"x_request_id"`
	StartedAtNs int64    `json:"started_at_ns"`
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

// load reads what the dataset in dir/traces says, and what dir/truth.jsonl does.
func load(t *testing.T, dir, prices string) *recording {
	t.Helper()
	r := &recording{t: t, dir: dir, prices: prices, truth: map[string]*simulate.Truth{}}
	truth := readTruth(t, filepath.Join(dir, "truth.jsonl"))
	for i := range truth {
		r.truth[truth[i].ID] = &truth[i]
	}
	r.seen = ask[*seen](r, `SELECT s.request_id, json_extract_string(q.response_headers, '$."X-Request-Id"[0]') AS x_request_id,
		q.started_at_ns, s.provider, s.model, outcome, ttft_ms, ttfat_ms, last_token_ms, token_source,
		input_tokens, output_tokens, reasoning_tokens, cost_nanousd, undecoded_frames
		FROM results s JOIN requests q USING (request_id) ORDER BY request_id`)
	return r
}

func readTruth(t *testing.T, path string) []simulate.Truth {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	truth, err := simulate.ReadTruth(f)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// ask runs a query and reads its rows into structs.
func ask[T any](r *recording, query string) []T {
	r.t.Helper()
	var out []T
	text := must(r.t, r.dir, nil, "analyze", "sql", "traces", "--prices", r.prices, "--format", "json", "--", query)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		r.t.Fatalf("%s: %v", query, err)
	}
	return out
}

// of is the truth about a request, nil where no response names it.
func (r *recording) of(s *seen) *simulate.Truth {
	if s.XRequestID == nil {
		return nil
	}
	return r.truth[*s.XRequestID]
}

// outcomes holds each row against its truth, and the counts of all of them
// against the truth's, provider by model. It counts the rows that got no
// response, of which no header tells the truth.
func (r *recording) outcomes(t *testing.T) (silent map[string]int) {
	silent = map[string]int{}
	counts, want := map[string]int{}, map[string]int{}
	for _, s := range r.seen {
		counts[s.cell()+" "+s.Outcome]++
		if s.Undecoded > 0 {
			t.Errorf("%s, %s: %d frames not decoded", s.cell(), s.Outcome, s.Undecoded)
		}
		if s.XRequestID == nil {
			silent[s.cell()+" "+s.Outcome]++
			continue
		}
		truth := r.of(s)
		if truth == nil {
			t.Errorf("%s: no truth about %s", s.cell(), *s.XRequestID)
			continue
		}
		if truth.Outcome != s.Outcome || truth.Provider != s.Provider || truth.Model != s.Model {
			t.Errorf("%s, request %d: %s, in truth %s (%s)", s.cell(), truth.Ordinal, s.Outcome, truth.Outcome, truth.Fault)
		}
	}
	for _, truth := range r.truth {
		want[truth.Provider+" "+truth.Model+" "+truth.Outcome]++
	}
	for key, n := range want {
		if counts[key] != n {
			t.Errorf("%s: %d, in truth %d", key, counts[key], n)
		}
	}
	return silent
}

// times compares recorded times with those of the write that held the token.
// The bound is on the median, for a machine that others use as well: there an
// answer may be read at once, too, and then has no times of its own.
func (r *recording) times(t *testing.T) {
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
		atOnce := 0
		for _, s := range r.seen {
			truth := r.of(s)
			if truth == nil {
				continue
			}
			saw, sent := c.saw(s), c.truth(truth)
			if saw == nil && sent != nil && atOnce < len(r.seen)/10 {
				atOnce++
			} else if (saw == nil) != (sent == nil) {
				t.Errorf("%s of %s, request %d (%s): recorded %v, sent %v", c.name, s.cell(), truth.Ordinal, truth.Fault, saw != nil, sent != nil)
			} else if saw != nil {
				off = append(off, math.Abs(float64(s.StartedAtNs-*sent)/1e6+*saw))
			}
		}
		slices.Sort(off)
		if len(off) < len(r.seen)*3/4 {
			t.Errorf("%s: only %d to compare", c.name, len(off))
		} else if median := off[len(off)/2]; median > 2 {
			t.Errorf("%s: recorded %.2f ms off in the median of %d", c.name, median, len(off))
		} else {
			t.Logf("%s: %.3f ms off in the median of %d, %.3f at the most", c.name, median, len(off), off[len(off)-1])
		}
	}
}

// bodies puts the frames together again, and counts the bodies that are what
// was sent, byte for byte.
func (r *recording) bodies(t *testing.T) (whole int) {
	byID := map[int64]*seen{}
	for _, s := range r.seen {
		byID[s.RequestID] = s
	}
	d, err := schema.OpenDataset(filepath.Join(r.dir, "traces"))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs()
	if err != nil || len(runs) == 0 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	each := func(id int64, frames []schema.Chunk) error {
		s := byID[id]
		truth := r.of(s)
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
		// A reset may take with it what was not read yet; a client that leaves
		// does not read what was sent at that moment.
		case !same && (truth.Fault == simulate.Reset || truth.ClientGone):
			if n > truth.Bytes {
				t.Errorf("%s, %s: %d bytes of %d", s.cell(), truth.Fault, n, truth.Bytes)
			}
		case !same:
			t.Errorf("%s, request %d (%s): body differs, %d bytes of %d", s.cell(), truth.Ordinal, truth.Fault, n, truth.Bytes)
		default:
			whole++
		}
		return nil
	}
	for _, run := range runs {
		if err := d.EachResponse(context.Background(), run, each); err != nil {
			t.Fatal(err)
		}
	}
	return whole
}

// tokens compares counts and money wherever the provider reports them, and
// counts the rows that have a price.
func (r *recording) tokens(t *testing.T) (priced int) {
	reported := 0
	for _, s := range r.seen {
		truth := r.of(s)
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
			t.Errorf("%s, request %d: costs %v, in truth %v", s.cell(), truth.Ordinal, show(s.CostNano), show(truth.CostNano))
		}
		if s.CostNano != nil {
			priced++
		}
	}
	if reported < len(r.seen)*3/4 {
		t.Errorf("%d rows report tokens", reported)
	}
	return priced
}

func show(v *int64) string {
	if v == nil {
		return "nothing known"
	}
	return fmt.Sprintf("%d nano-dollars", *v)
}

// flip looks for one that was planted: a leads on the model one, b on the
// other, at all that is the same on both.
func (r *recording) flip(t *testing.T, verdict, a, b, one, other string) {
	type flip struct {
		Model1  string  `json:"model_1"`
		Model2  string  `json:"model_2"`
		L1      string  `json:"leader_1"`
		L2      string  `json:"leader_2"`
		R1      float64 `json:"ratio_1"`
		R2      float64 `json:"ratio_2"`
		Verdict string  `json:"verdict"`
	}
	found := ask[flip](r, fmt.Sprintf(`SELECT model_1, model_2, leader_1, leader_2, ratio_1, ratio_2, verdict FROM flips
		WHERE axis = 'model' AND metric = 'ttft_net_ms' AND provider_a = '%s' AND provider_b = '%s'
		AND least(model_1, model_2) = least('%[3]s', '%[4]s') AND greatest(model_1, model_2) = greatest('%[3]s', '%[4]s')`, a, b, one, other))
	if len(found) == 0 {
		t.Errorf("the flip of %s and %s between %s and %s is not found", a, b, one, other)
	}
	for _, f := range found {
		leader := map[string]string{one: a, other: b}
		if f.L1 != leader[f.Model1] || f.L2 != leader[f.Model2] || f.R1 < 2 || f.R2 < 2 || f.Verdict != verdict {
			t.Errorf("planted: %s leads on %s and %s on %s, at least twice as fast, %s; found %+v", a, one, b, other, verdict, f)
		}
	}
}

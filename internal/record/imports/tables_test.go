package imports

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/tools/corpus"
	"aircheck/schema"
)

// load reads all requests of a dataset.
func load(t testing.TB, dir string) (out []schema.Request, runs []*schema.Run) {
	t.Helper()
	d, err := schema.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	if runs, err = d.Runs(); err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if err := d.EachRequest(run, func(q *schema.Request) error { out = append(out, *q); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return out, runs
}

// importFiles imports and checks that what was written is whole.
func importFiles(t testing.TB, opt Options) *Result {
	t.Helper()
	res, err := Import(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	faults, err := schema.Verify(context.Background(), opt.To)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Errorf("verify: %s", f)
	}
	return res
}

func glob(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	return files
}

// quantile is type 7, written here once more so that nothing is tested by itself.
func quantile(x []float64, p float64) float64 {
	s := slices.Clone(x)
	sort.Float64s(s)
	h := float64(len(s)-1) * p
	i := int(h)
	if i+1 == len(s) {
		return s[i]
	}
	return s[i] + (h-float64(i))*(s[i+1]-s[i])
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(1, math.Abs(b)) } // ms; stored to the nanosecond

func TestTheFastest(t *testing.T) {
	files := glob(t, filepath.Join(corpus.Dir(t), "history", "thefastest.ai", "*.json"))
	// A reader of its own: every distinct (time, region, model) of the files that are JSON.
	type row struct {
		Model            string
		TTFT, Total, TPS float64
		Tokens           int64
	}
	type key struct{ time, region, model string }
	want := map[key]row{}
	var notJSON []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var runs []struct {
			Time, Region string
			Results      []struct {
				Model  string
				TTFT   float64 `json:"ttft"`
				Total  float64 `json:"total_time"`
				TPS    float64 `json:"tps"`
				Tokens int64   `json:"num_tokens"`
			}
		}
		if json.Unmarshal(data, &runs) != nil {
			notJSON = append(notJSON, filepath.Base(f))
			continue
		}
		for _, r := range runs {
			for _, x := range r.Results {
				want[key{r.Time, r.Region, x.Model}] = row{x.Model, x.TTFT, x.Total, x.TPS, x.Tokens}
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "traces")
	res := importFiles(t, Options{Format: "thefastest", Files: files, To: dir})
	got, runs := load(t, dir)
	if len(got) != len(want) || res.Rows() != len(want) || len(want) != 4924 {
		t.Errorf("%d requests, result says %d, the files hold %d distinct (time, region, model)", len(got), res.Rows(), len(want))
	}
	if faults := res.Faults(); len(faults) != 1 || !slices.Equal(notJSON, []string{faults[0].File}) || faults[0].Line != 1 || !strings.Contains(faults[0].Reason, "not JSON") {
		t.Errorf("faults %v, want one for each of %v", res.Faults(), notJSON)
	}
	if res.Repeats() != 5110-4924 {
		t.Errorf("%d repeats, want %d", res.Repeats(), 5110-4924)
	}
	if len(runs) != 1 || runs[0].Origin != "imported:thefastest" || len(runs[0].Sources) != len(files)-1 {
		t.Errorf("runs %+v", runs)
	}
	ttft, wantTTFT := map[[2]string][]float64{}, map[[2]string][]float64{}
	for k, r := range want {
		if r.TTFT > 0 {
			wantTTFT[[2]string{k.model, k.region}] = append(wantTTFT[[2]string{k.model, k.region}], r.TTFT*1000)
		}
	}
	failed, speeds, capped := 0, 0, 0
	for _, q := range got {
		k := key{*q.Window, *q.Vantage, *q.ModelID}
		w, ok := want[k]
		if !ok {
			t.Fatalf("row %v is in no file", k)
		}
		if q.ReportedError != nil {
			failed++
			if q.ReportedTTFTNs != nil || q.EndNs != nil || q.ReportedOutputTokens != nil {
				t.Errorf("%v failed and has times or tokens", k)
			}
			continue
		}
		ttft[[2]string{k.model, k.region}] = append(ttft[[2]string{k.model, k.region}], float64(*q.ReportedTTFTNs)/1e6)
		if *q.ReportedOutputTokens != w.Tokens {
			t.Errorf("%v: %d tokens, want %d", k, *q.ReportedOutputTokens, w.Tokens)
		}
		if (q.Ends != nil) != (q.Params != nil) || q.Ends != nil && (*q.Ends != "length" || *q.Params != `{"max_tokens":20}`) {
			t.Errorf("%v: ends %v under %v", k, q.Ends, q.Params)
		}
		if q.Ends == nil {
			capped++
		}
		switch {
		case w.Total-w.TTFT < 0.2:
			if q.ReportedTokensPerS != nil {
				t.Errorf("%v: speed %v over %v s", k, *q.ReportedTokensPerS, w.Total-w.TTFT)
			}
		case q.ReportedTokensPerS == nil || *q.ReportedTokensPerS != w.TPS:
			t.Errorf("%v: speed %v, want %v", k, q.ReportedTokensPerS, w.TPS)
		default:
			speeds++
		}
		if q.ReportedLastTokenNs != nil {
			t.Errorf("%v: the source states no last token", k)
		}
	}
	if failed != 1 || speeds == 0 || capped != 1 {
		t.Errorf("%d failed (want the one row of zeros), %d speeds, %d rows without a cap (want 1)", failed, speeds, capped)
	}
	if len(ttft) != len(wantTTFT) {
		t.Errorf("%d model × region, want %d", len(ttft), len(wantTTFT))
	}
	for k, w := range wantTTFT {
		if g := ttft[k]; len(g) != len(w) || !near(quantile(g, .5), quantile(w, .5)) {
			t.Errorf("%v: n %d, p50 %v; want %d, %v", k, len(g), quantile(g, .5), len(w), quantile(w, .5))
		}
	}
	// Many spellings are few providers and models.
	providers, models := map[string]int{}, map[string]int{}
	for _, q := range got {
		providers[q.Provider]++
		models[q.Model]++
	}
	t.Logf("providers %v", providers)
	t.Logf("models %v", models)
	for _, p := range []string{"groq", "fireworks", "together", "octoai", "anthropic", "openai", "cohere", "cloudflare"} {
		if providers[p] == 0 {
			t.Errorf("no provider %s", p)
		}
	}
	for p := range providers {
		if strings.ContainsAny(p, "/@") || strings.HasSuffix(p, ".ai") || strings.HasSuffix(p, ".com") || strings.Contains(p, "fixie") {
			t.Errorf("provider %q was left as the source spells it", p)
		}
	}
	// 69 rows each of fireworks, groq, perplexity and together, 66 of anyscale, 36 of databricks and of octoai.
	if n := models["llama-3-70b-instruct"]; n != 4*69+66+2*36 {
		t.Errorf("llama-3-70b-instruct: %d rows", n)
	}

	again := importFiles(t, Options{Format: "thefastest", Files: files, To: dir})
	if again.Rows() != 0 || again.Runs[0].RunID != "" || len(again.Known) != len(files)-1 || len(again.Faults()) != 1 {
		t.Errorf("a second import: %+v", again)
	}
}

func TestLLMPerf(t *testing.T) {
	files := glob(t, filepath.Join(corpus.Dir(t), "history", "llmperf", "*.json"))
	type record struct {
		Code   *int    `json:"error_code"`
		TTFT   float64 `json:"ttft_s"`
		E2E    float64 `json:"end_to_end_latency_s"`
		Tokens int64   `json:"number_output_tokens"`
	}
	type key struct{ provider, model string }
	type stat struct {
		n, errors int
		ttft      []float64
	}
	want := map[key]*stat{}
	summaries := 0
	for _, f := range files {
		data, _ := os.ReadFile(f)
		var list []record
		if json.Unmarshal(data, &list) != nil {
			summaries++
			continue
		}
		name := strings.TrimSuffix(f[strings.LastIndex(f, "~")+1:], ".json")
		provider, size, _ := strings.Cut(name, "_")
		s := &stat{}
		want[key{provider, "llama-2-" + size + "-chat"}] = s
		for _, r := range list {
			s.n++
			if r.Code != nil {
				s.errors++
				continue
			}
			s.ttft = append(s.ttft, r.TTFT*1000)
		}
	}
	dir := filepath.Join(t.TempDir(), "traces")
	res := importFiles(t, Options{Format: "llmperf", Files: files, To: dir})
	rows, _ := load(t, dir)
	got := map[key]*stat{}
	status := map[int32]int{}
	for _, q := range rows {
		k := key{q.Provider, q.Model}
		s := got[k]
		if s == nil {
			s = &stat{}
			got[k] = s
		}
		s.n++
		if q.HTTPStatus != nil {
			status[*q.HTTPStatus]++
		}
		if q.ReportedError != nil {
			s.errors++
			if q.ReportedTTFTNs != nil {
				t.Errorf("%v: a row with an error has a first token", k)
			}
			continue
		}
		s.ttft = append(s.ttft, float64(*q.ReportedTTFTNs)/1e6)
		if *q.Ends != "length" {
			t.Errorf("%v: ends %q", k, *q.Ends)
		}
	}
	if len(got) != len(want) || len(want) != 17 {
		t.Errorf("%d provider × model, want %d", len(got), len(want))
	}
	for k, w := range want {
		g := got[k]
		if g == nil || g.n != w.n || g.errors != w.errors || !near(quantile(g.ttft, .5), quantile(w.ttft, .5)) || !near(quantile(g.ttft, .95), quantile(w.ttft, .95)) {
			t.Errorf("%v: %+v, want %+v", k, g, w)
		}
	}
	if status[429] != 392 || len(status) != 1 {
		t.Errorf("statuses %v, want 392 times 429 (3 × 130 of lepton, 2 of perplexity)", status)
	}
	if faults := res.Faults(); len(faults) != summaries || summaries != 2 {
		t.Errorf("faults %v, want the %d summaries", faults, summaries)
	} else {
		for _, f := range faults {
			if !strings.Contains(f.Reason, "summary") {
				t.Errorf("fault %v", f)
			}
		}
	}
}

// Imports at the same time know of each other: a file is taken once.
func TestImportsWaitForEachOther(t *testing.T) {
	m, err := mapping.Parse([]byte("name: own\nfields:\n  provider: p\n  model: m\n  reported_ttft_ns: {path: ttft_ms, unit: ms}\n"), "own.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file, dir := filepath.Join(t.TempDir(), "log.csv"), filepath.Join(t.TempDir(), "to")
	if err := os.WriteFile(file, []byte("p,m,ttft_ms\na,x,120\nb,x,180\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := Import(t.Context(), Options{Format: Table, Map: m, Files: []string{file}, To: dir}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if rows, runs := load(t, dir); len(rows) != 2 || len(runs) != 1 {
		t.Errorf("%d rows in %d runs, want 2 in one", len(rows), len(runs))
	}
	release, err := alone(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if _, err := Import(ctx, Options{Format: Table, Map: m, Files: []string{file}, To: dir}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for another import: %v", err)
	}
}

package build

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/kit/duck"
	"aircheck/schema"
)

// Numbers depend on the data alone: not on the order of its rows, the number of
// threads, or the time of the build.
func TestSameDataSameNumbers(t *testing.T) {
	dir := t.TempDir()
	mixedDataset(t, dir)
	s, err := LoadSchema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: dir, Exclusions: option(t, "exclusions.yaml", "exclusions:\n  - {predicate: ttft_ms > 450, reason: a test, date: 2026-03-01}\n")}
	build := func(cache string, workers int, memory string) map[string]string {
		o := o
		o.Cache, o.Workers, o.Memory = cache, workers, memory
		return allViews(t, s, o)
	}
	want := build(t.TempDir(), 1, "")
	for view, text := range want {
		if strings.Count(text, "\n") < 2 {
			t.Logf("%s has no rows in this dataset", view)
		}
	}
	if n := strings.Count(want["changes"], "\tm-r1\tm-r2\t"); n != 8 {
		t.Errorf("changes finds %d changes of the served model, want one for each of eight provider × model:\n%s", n, want["changes"])
	}
	cache := t.TempDir()
	compareViews(t, "again, two threads", want, build(cache, 2, ""))
	shuffle(t, cache)
	compareViews(t, "other order of rows, the least memory", want, build(cache, 2, "400MB"))
}

// mixedDataset writes two runs with a bit of everything: several providers,
// models, windows, phases, endings; rows with frames and rows without.
func mixedDataset(t *testing.T, dir string) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	for n, run := range []string{"r1", "r2"} {
		f := newFixture(t, dir, run)
		f.base = f.base.Add(time.Duration(n) * 40 * 24 * time.Hour)
		for window := range 7 {
			for trial := range 13 {
				for p, provider := range []string{"openai", "azure", "groq"} {
					for m, model := range []string{"gpt-4o-mini", "llama-3.1-8b"} {
						for s, scenario := range []string{"short", "long"} {
							f.request(func(q *schema.Request) {
								q.Provider, q.Model, q.ModelID, q.Scenario = provider, model, new(model), new(scenario)
								q.Window, q.Trial, q.Phase = new(fmt.Sprintf("w%d", window+1)), new(int32(trial)), "measure"
								if trial == 0 {
									q.Phase = "warmup"
								}
								q.PromptHash = new(fmt.Sprint("prompt", trial%3))
								q.Params, q.Workload = new(`{"max_tokens":64,"temperature":0}`), new("chat")
								q.Architecture = new([]string{"dense", "moe"}[m])
								if trial%11 == 10 { // a recorded answer: the frames below
									q.Checks = new(`[{"contains":"word"},{"min_chars":100}]`)
									return
								}
								reported(r, q, p, m, s, window)
							}, recorded(trial, run)...)
						}
					}
				}
			}
		}
		f.apart(run)
		f.seal()
	}
}

// apart adds cold starts, bursts and probes: requests of phases of their own.
func (f *fixture) apart(run string) {
	for window := range 6 {
		for _, provider := range []string{"openai", "azure"} {
			for i := range 8 {
				f.request(func(q *schema.Request) {
					q.Provider, q.Window, q.Scenario, q.Trial = provider, new(fmt.Sprintf("w%d", window+1)), new("apart"), new(int32(i))
					q.ConnReused, q.BurstIndex = new(false), new(int32(i%4))
					q.Phase = []string{"cold", "burst"}[i/4]
					q.IdleBeforeMs = new(int64(600_000 * (1 - min(1, i%4))))
				}, recorded(10, run)...)
			}
			for i, arm := range []string{"control", "treatment"} {
				f.request(func(q *schema.Request) {
					q.Provider, q.Window, q.Scenario, q.Trial = provider, new("w1"), new("probes"), new(int32(window))
					q.Phase, q.Probe, q.ProbeArm = "probe", new("max_tokens"), &arm
					q.Params = new(fmt.Sprintf(`{"max_tokens":%d}`, 400-396*i))
				}, recorded(10, run)...)
			}
		}
	}
}

// recorded is a stream of frames for one trial in eleven; in the second run
// another model answers.
func recorded(trial int, run string) []at {
	if trial%11 != 10 {
		return nil
	}
	frames := plain()
	for i := range frames {
		frames[i].data = strings.ReplaceAll(frames[i].data, "m-served", "m-"+run)
	}
	return frames
}

// reported makes a row of figures without frames, or a failure.
func reported(r *rand.Rand, q *schema.Request, provider, model, scenario, window int) {
	q.Detail, q.ResponseHeaders, q.HeadersNs, q.EndReason = "requests", nil, nil, nil
	if r.IntN(12) == 0 {
		q.HTTPStatus = new([]int32{429, 500, 503}[r.IntN(3)])
		q.ReportedError = new([]string{"rate limit", "overloaded", "internal"}[r.IntN(3)])
		return
	}
	// Provider 0 leads on model 0, provider 1 on model 1; windows differ.
	lead := 1 + 0.6*float64((provider+model)%3)
	level := 1 + 0.1*math.Sin(float64(7*window+provider))
	ttft := 2e8 * lead * level * math.Exp(0.2*r.NormFloat64())
	tokens := int64(40 + 10*scenario + r.IntN(30))
	q.ReportedTTFTNs = new(int64(ttft))
	q.ReportedLastTokenNs = new(int64(ttft) + tokens*int64(1e7*lead*(1+0.1*r.Float64())))
	q.ReportedInputTokens, q.ReportedOutputTokens, q.ReportedReasoningTokens = new(int64(20)), &tokens, new(tokens/4)
	q.ReportedFinishReason = new([]string{"stop", "stop", "stop", "length"}[r.IntN(4)])
	q.EndNs = new(*q.ReportedLastTokenNs + 1e6)
}

// allViews builds and gives each public view as text, in the order of its key.
func allViews(t *testing.T, s *Schema, o Options) map[string]string {
	t.Helper()
	r, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := map[string]string{}
	for _, view := range r.Views() {
		keyIdentifies(t, r, s, view)
		out[view] = viewText(t, r, view, s.File(view).Key)
	}
	return out
}

func viewText(t *testing.T, r *Reader, view string, key []string) string {
	t.Helper()
	var order []string
	for _, k := range key {
		order = append(order, duck.Ident(k)+" NULLS FIRST")
	}
	table, err := duck.Query(t.Context(), r, view, "FROM "+view+" ORDER BY "+strings.Join(order, ", "))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(table.Columns, "\t"))
	for _, row := range table.Rows {
		for i, v := range row {
			fmt.Fprintf(&b, "%s\t", duck.Text(v, table.Types[i]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func compareViews(t *testing.T, name string, want, got map[string]string) {
	t.Helper()
	for view, text := range want {
		if got[view] == text {
			continue
		}
		w, g := strings.Split(text, "\n"), strings.Split(got[view], "\n")
		i := 0
		for i < len(w) && i < len(g) && w[i] == g[i] {
			i++
		}
		t.Errorf("%s: view %s differs from line %d on:\n got %s\nwant %s", name, view, i+1, line(g, i), line(w, i))
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(none)"
}

// shuffle writes the derived rows that metrics are made of again, ordered by a
// hash and in small row groups that threads share, and removes what was made of
// them.
func shuffle(t *testing.T, cache string) {
	t.Helper()
	ctx := context.Background()
	db, err := duck.Open(ctx, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tables, err := filepath.Glob(filepath.Join(cache, "tables", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(cache, "measures-*", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of _measures: %v", err)
	}
	for _, table := range tables {
		if strings.HasPrefix(filepath.Base(table), "results-") {
			files = append(files, table)
		} else if err := os.Remove(table); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		err := duck.Exec(ctx, db, file, "COPY (FROM "+duck.Parquet([]string{file})+" ORDER BY hash(request_id)) TO "+duck.Literal(file+".new")+" (FORMAT parquet, ROW_GROUP_SIZE 2048)")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
	}
}

// keyIdentifies checks that a view has one row for its key.
func keyIdentifies(t *testing.T, r *Reader, s *Schema, view string) {
	t.Helper()
	var key []string
	for _, k := range s.File(view).Key {
		key = append(key, duck.Ident(k))
	}
	twice, err := duck.Query(t.Context(), r, view, fmt.Sprintf("SELECT %s, count(*) FROM %s GROUP BY ALL HAVING count(*) > 1 LIMIT 1", strings.Join(key, ", "), view))
	if err != nil {
		t.Fatal(err)
	}
	if len(twice.Rows) > 0 {
		t.Errorf("%s: more than one row for the key %v: %v", view, s.File(view).Key, twice.Rows[0])
	}
}

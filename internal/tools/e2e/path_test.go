package e2e

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/record/simulate"
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

// TestPath records a small fleet and compares all that can be known.
func TestPath(t *testing.T) {
	dir := t.TempDir()
	address, stop := fleet(t, dir, filepath.Join(root, "internal/tools/e2e/testdata/path/fleet.yaml"), "--truth", "truth.jsonl")
	copyFile(t, "testdata/path/plan.yaml", filepath.Join(dir, "plan.yaml"), "FLEET", "http://"+address)
	c := run(t, dir, []string{"E2E_KEY=" + secret}, "record", "run", "plan.yaml", "--to", "traces")
	stop()
	if c.status != 0 || !strings.Contains(c.stdout, "168 requests") {
		t.Fatalf("record run: status %d\n%s%s", c.status, c.stdout, c.stderr)
	}
	said := c.stdout + c.stderr + must(t, dir, nil, "record", "verify", "traces")
	writePrices(t, filepath.Join(dir, "prices.json"), readTruth(t, filepath.Join(dir, "truth.jsonl")))
	said += must(t, dir, nil, "analyze", "build", "traces", "--prices", "prices.json")
	r := load(t, dir, "prices.json")
	if len(r.seen) != 168 || len(r.truth) != 168 {
		t.Fatalf("%d results, %d truths", len(r.seen), len(r.truth))
	}

	t.Run("outcomes", func(t *testing.T) {
		// A hang and a refusal leave no header by which their truth is found.
		if silent, want := r.outcomes(t), (map[string]int{"west heron timeout": 1, "west heron connect_error": 1}); !maps.Equal(silent, want) {
			t.Errorf("without a response: %v, want %v", silent, want)
		}
	})
	t.Run("views", r.views)
	t.Run("times", r.times)
	t.Run("bodies", func(t *testing.T) {
		// All but the key, the two without a response, and perhaps the reset.
		if whole := r.bodies(t); whole < 164 {
			t.Errorf("%d bodies are whole", whole)
		}
	})
	t.Run("tokens and costs", func(t *testing.T) {
		if priced := r.tokens(t); priced != 72 {
			t.Errorf("%d rows are priced", priced)
		}
	})
	t.Run("flip", func(t *testing.T) { r.flip(t, "tendency", "north", "south", "lark", "heron") })
	t.Run("again", func(t *testing.T) {
		if out := must(t, dir, nil, "analyze", "build", "traces", "--prices", "prices.json"); !strings.Contains(out, "nothing new") {
			t.Errorf("a second build: %s", out)
		}
	})
	t.Run("report", func(t *testing.T) {
		said += must(t, dir, nil, "report", "traces", "--prices", "prices.json", "--to", "site")
		page, err := os.ReadFile(filepath.Join(dir, "site", "index.html"))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"north", "south", "lark", "heron"} {
			if !strings.Contains(string(page), word) {
				t.Errorf("the report does not name %s", word)
			}
		}
	})
	t.Run("leaks", func(t *testing.T) { // last: everything is written
		if strings.Contains(said, secret) {
			t.Error("a command printed the key")
		}
		r.leaks(t)
	})
}

// TestDemo does the same with what `make demo` left behind: AIRCHECK_DEMO names
// its directory.
func TestDemo(t *testing.T) {
	dir := os.Getenv("AIRCHECK_DEMO")
	if dir == "" {
		t.Skip("run make demo, and set AIRCHECK_DEMO to its directory")
	}
	must(t, dir, nil, "record", "verify", "traces")
	r := load(t, dir, filepath.Join(root, "examples/demo-prices.json"))
	// Twelve windows of six requests to twelve targets, six of 38 to the one of the
	// second plan, and what is asked of a target that is given up.
	if n := len(r.seen); n < 12*6*12+6*38 || n > 13*6*12+6*38 || len(r.truth) != n {
		t.Fatalf("%d results, %d truths", n, len(r.truth))
	}
	if silent := r.outcomes(t); len(silent) > 0 {
		t.Errorf("without a response: %v", silent)
	}
	r.times(t)
	if whole := r.bodies(t); whole < len(r.seen)-1 {
		t.Errorf("%d bodies are whole; only the one that was reset need not be", whole)
	}
	r.tokens(t)
	r.flip(t, "supported", "aurora", "borealis", "lark-8b", "heron-70b")
}

// writePrices writes what the fleet charges as a price table.
func writePrices(t *testing.T, path string, truth []simulate.Truth) {
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
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(data))
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
	for cell, counts := range have {
		want := planted[cell]
		if want == nil {
			want = map[string]int{"ok": 12}
		}
		if !maps.Equal(counts, want) {
			t.Errorf("errors of %s: %v, planted %v", cell, counts, want)
		}
	}
	if len(have) != 14 {
		t.Errorf("%d cells in errors", len(have))
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

// leaks looks for the key in every file and, since those are compressed, in
// the views that hold texts; bodies looks into the frames.
func (r *recording) leaks(t *testing.T) {
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
		out := must(t, r.dir, nil, "analyze", "sql", "traces", "--prices", r.prices, "--format", "json", "--", "SELECT * FROM "+view)
		if strings.Contains(out, secret) {
			t.Errorf("view %s holds the key", view)
		}
	}
}

package build

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"aircheck/internal/analyze/decode"
	"aircheck/internal/tools/bench"
	"aircheck/schema"
)

// Small runs are derived together: each once, large ones by themselves, and a run
// that comes or goes changes hardly any of the others' files.
func TestBatches(t *testing.T) {
	b := &builder{}
	cut := int64(70_000)
	for i := range 10_000 {
		r := &run{Run: &schema.Run{RunID: fmt.Sprintf("run-%05d", i), Requests: 3}, key: fmt.Sprintf("run-%05d.%08x", i, i*7919), layout: &decode.Layout{}}
		switch i {
		case 5_000: // two slices
			r.Requests, r.layout.Slices = 140_000, []int64{cut}
		case 6_000: // one, by itself
			r.Requests = batchRequests
		case 7_000:
			r.Requests, r.layout = 0, nil
		}
		b.runs = append(b.runs, r)
	}
	names := func() (out []string) {
		n := 0
		for _, a := range b.batches() {
			if n += len(a.runs); a.at.After != nil {
				n-- // the second slice of its run
			}
			var requests int64
			for _, r := range a.runs {
				requests += r.Requests
			}
			if len(a.runs) > 1 && requests > batchRequests {
				t.Errorf("%s: %d requests", a, requests)
			}
			out = append(out, a.name())
		}
		if n != len(b.runs)-1 {
			t.Errorf("%d of %d runs with requests are in batches", n, len(b.runs)-1)
		}
		return out
	}
	all := names()
	if len(all) < 20 || len(all) > 80 {
		t.Errorf("%d batches", len(all))
	}
	for _, gone := range []int{0, 2_345, 5_000, 9_999} {
		whole := b.runs
		b.runs = slices.Delete(slices.Clone(whole), gone, gone+1)
		made := 0
		for _, name := range names() {
			if !slices.Contains(all, name) {
				made++
			}
		}
		if made > 1 {
			t.Errorf("without run %d, %d batches are other ones", gone, made)
		}
		b.runs = whole
	}
}

// A build over many small runs computes them in a few statements, and has a row of
// every request.
func TestManyRuns(t *testing.T) {
	const runs = 150
	dir := filepath.Join(t.TempDir(), "traces")
	if err := bench.Runs(dir, runs, 2, 1); err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: dir, Cache: t.TempDir()}
	r, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want := fmt.Sprintf("%d|%d|%d", runs, 2*runs, 2*runs)
	if got := text1(mustSelect(t, r, "SELECT count(DISTINCT run_id) || '|' || count(DISTINCT request_id) || '|' || count(ttft_ms) FROM results")); got != want {
		t.Errorf("runs, requests and first tokens: %s, want %s", got, want)
	}
	files, err := filepath.Glob(filepath.Join(o.Cache, "measures-*", "*.parquet"))
	if err != nil || len(files) == 0 || len(files) > 5 {
		t.Errorf("%d files of measures of %d runs, %v", len(files), runs, err)
	}
}

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/record/imports"
	"aircheck/internal/tools/corpus"
)

var update = flag.Bool("update", false, "write docs/worked-example.md")

const path = "../../../docs/worked-example.md"

// history imports the published snapshots and opens what was built of them.
func history(t *testing.T) *build.Reader {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "history", "thefastest.ai", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	dir := filepath.Join(t.TempDir(), "traces")
	if _, err := imports.Import(t.Context(), imports.Options{Format: "thefastest", Files: files, To: dir}); err != nil {
		t.Fatal(err)
	}
	r, err := build.OpenFor(context.Background(), build.Options{Dir: dir}, workedViews...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestWorkedExample(t *testing.T) {
	r := history(t)
	text, err := workedExample(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("docs/worked-example.md is stale: go test ./internal/tools/docgen -run WorkedExample -update")
	}

	// The pair once more, by another way: from the files' own JSON, as products of
	// ratios.
	p := &example{ctx: t.Context(), e: r}
	got, own := p.side(model1), fromJSON(t)
	shown := p.windows(model1)
	if p.err != nil {
		t.Fatal(p.err)
	}
	if len(own) != got.windows || len(shown) != got.windows {
		t.Fatalf("%d windows in the files, %d on the page, %d in the side", len(own), len(shown), got.windows)
	}
	product := 1.0
	for i, w := range own {
		if w.id != shown[i].id || math.Abs(w.a-shown[i].a) > 1e-5 || math.Abs(w.b-shown[i].b) > 1e-5 {
			t.Errorf("window %d is %v in the files, %v on the page", i, w, shown[i])
		}
		product *= w.a / w.b
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Errorf("%s is %v, by another way %v", what, got, want)
		}
	}
	near("ratio", got.ratio, math.Pow(product, 1/float64(len(own))))
	near("ratio of the levels", got.levelA/got.levelB, got.ratio)
	all := p.family()
	q := 1.0
	for i, v := range all {
		if v >= got.p {
			q = min(q, v*float64(len(all))/float64(i+1))
		}
	}
	near("q", got.q, q)

	// What the last section claims.
	other := p.side(model2)
	if !got.decided || !other.decided || !got.lasting.Bool || 1/got.ratio <= 1.1 || other.ratio <= 1.1 || 1/got.ratio > 1.3 || other.ratio > 1.3 {
		t.Errorf("sides %+v and %+v", got, other)
	}
	p.rows("SELECT count(*) FROM flips WHERE verdict = 'supported' AND metric = $1 AND provider_a = $2 AND provider_b = $3 AND vantage <> $4", func(r *sql.Rows) error {
		var n int
		err := r.Scan(&n)
		if n > 0 {
			t.Errorf("%d more supported flips from other places", n)
		}
		return err
	}, metric, a, b, at)
}

// fromJSON reads the pair's common windows from the published files themselves.
func fromJSON(t *testing.T) []window {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "history", "thefastest.ai", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	byTime := map[string]*window{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var runs []struct {
			Time, Region string
			Results      []struct {
				Model string
				TTFT  float64 `json:"ttft"`
				Total float64 `json:"total_time"`
			}
		}
		if json.Unmarshal(data, &runs) != nil {
			continue // a build log
		}
		for _, r := range runs {
			if r.Region != at {
				continue
			}
			for _, x := range r.Results {
				failed := x.TTFT == 0 || x.TTFT == 9.99 && x.Total == 99.99
				if failed || !strings.Contains(strings.ToLower(x.Model), "llama-2-70b") {
					continue
				}
				if byTime[r.Time] == nil {
					byTime[r.Time] = &window{id: r.Time}
				}
				switch w := byTime[r.Time]; {
				case strings.Contains(x.Model, "databricks"):
					w.a = x.Total * 1000
				case strings.Contains(x.Model, "octo"):
					w.b = x.Total * 1000
				}
			}
		}
	}
	var out []window
	for _, w := range byTime {
		if w.a > 0 && w.b > 0 {
			out = append(out, *w)
		}
	}
	slices.SortFunc(out, func(x, y window) int { return strings.Compare(x.id, y.id) })
	return out
}

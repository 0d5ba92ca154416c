package worked

import (
	"context"
	"encoding/json"
	"flag"
	"math"
	"math/bits"
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
	r, err := build.OpenFor(context.Background(), build.Options{Dir: dir}, Views...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestWorkedExample(t *testing.T) {
	r := history(t)
	text, err := Page(t.Context(), r)
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
		t.Errorf("docs/worked-example.md is stale: go test ./internal/tools/worked -update")
	}

	// The pair once more, by another way: from the files' own JSON, with
	// logarithms, all sign patterns, and all pairs.
	p := &page{ctx: t.Context(), e: r}
	got, own := p.side(model1), fromJSON(t)
	shown := p.windows(model1)
	if p.err != nil {
		t.Fatal(p.err)
	}
	if len(own) != got.windows || len(shown) != got.windows {
		t.Fatalf("%d windows in the files, %d on the page, %d in the side", len(own), len(shown), got.windows)
	}
	var logs, x, y []float64
	for i, w := range own {
		if w.id != shown[i].id || math.Abs(w.a-shown[i].a) > 1e-5 || math.Abs(w.b-shown[i].b) > 1e-5 {
			t.Errorf("window %d is %v in the files, %v on the page", i, w, shown[i])
		}
		logs, x, y = append(logs, math.Log(w.a/w.b)), append(x, w.a), append(y, w.b)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6*math.Abs(want) {
			t.Errorf("%s is %v, by another way %v", what, got, want)
		}
	}
	near("p", got.p, signPatterns(logs))
	var walsh []float64
	for i, v := range logs {
		for _, w := range logs[:i+1] {
			walsh = append(walsh, (v+w)/2)
		}
	}
	slices.Sort(walsh)
	near("ratio", got.ratio, math.Exp(middle(walsh)))
	near("lower end", got.lo, math.Exp(walsh[13])) // 14th of 78: Hollander, Wolfe & Chicken, table A.4 for n = 12
	near("upper end", got.hi, math.Exp(walsh[len(walsh)-14]))
	slices.Sort(x)
	slices.Sort(y)
	near("median of "+a, got.levelA, middle(x))
	near("median of "+b, got.levelB, middle(y))
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
	if !got.decided || !other.decided || got.ratio >= 1 || other.ratio <= 1 || 1/got.ratio > 1.25 {
		t.Errorf("sides %+v and %+v", got, other)
	}
	for _, place := range []string{"cdg", "iad"} {
		for _, model := range []string{model1, model2} {
			row := line(text, "| "+model+" |")
			if cell := strings.Split(row, "|")[map[string]int{"cdg": 2, "iad": 3}[place]]; !strings.Contains(cell, a+" (1–") || !strings.Contains(cell, b+" (1–") {
				t.Errorf("%s from %s: %s, want a tie of %s and %s", model, place, cell, a, b)
			}
		}
	}
}

func line(text, prefix string) string {
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, prefix) {
			return l
		}
	}
	return prefix + "||||"
}

// signPatterns is the two-sided p-value by going through all ways to set signs.
func signPatterns(logs []float64) float64 {
	var rank []float64
	plus := 0.0
	total := 0.0
	for _, v := range logs {
		r := 0.0
		for _, w := range logs {
			if math.Abs(w) <= math.Abs(v) {
				r++
			}
		}
		rank = append(rank, r)
		total += r
		if v > 0 {
			plus += r
		}
	}
	extreme := 0
	for pattern := range uint(1) << len(rank) {
		sum := 0.0
		for left := pattern; left != 0; left &= left - 1 {
			sum += rank[bits.TrailingZeros(left)]
		}
		if sum <= min(plus, total-plus) {
			extreme++
		}
	}
	return 2 * float64(extreme) / float64(uint(1)<<len(rank))
}

func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
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
				if failed || !strings.Contains(strings.ToLower(x.Model), "llama-3-70b") {
					continue
				}
				if byTime[r.Time] == nil {
					byTime[r.Time] = &window{id: r.Time}
				}
				switch w := byTime[r.Time]; {
				case strings.Contains(x.Model, "octo"):
					w.a = x.TTFT * 1000
				case strings.Contains(x.Model, "perplexity"):
					w.b = x.TTFT * 1000
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

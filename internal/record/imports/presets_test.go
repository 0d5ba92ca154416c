package imports

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/tools/corpus"
	"aircheck/schema"
)

// sampleOf is a file as a source writes it, cut to what matters, and what the rows
// of it say: provider model phase started ttft end in out error, "-" for none.
// The samples lie in testdata/samples, a folder a format; they also hold what
// files of the collection lack: failures, retries, cancellations.
type sampleOf struct {
	name, text string
	rows       []string
}

var samples = func() map[string]sampleOf {
	out := map[string]sampleOf{}
	for _, format := range sampled() {
		files, _ := filepath.Glob(filepath.Join("testdata", "samples", format, "*"))
		var s sampleOf
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				panic(err)
			}
			if filepath.Base(f) == "rows.txt" {
				s.rows = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:]
			} else {
				s.name, s.text = filepath.Base(f), string(text)
			}
		}
		if s.name != "" {
			out[format] = s
		}
	}
	return out
}()

// sampled are the formats that a file can be recognised as.
func sampled() []string { return append(slices.Sorted(maps.Keys(chunkFormats)), presetNames()...) }

func sampleFile(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func told(q *schema.Request) string {
	var out []string
	for _, c := range []string{"provider", "model", "phase", "started_at_ns", "reported_ttft_ns", "end_ns", "reported_input_tokens", "reported_output_tokens", "reported_error"} {
		v := mapping.Get(q, c)
		if v == "" {
			v = "-"
		}
		out = append(out, v)
	}
	return strings.Join(out, " ")
}

func TestSamples(t *testing.T) {
	for _, name := range sampled() {
		s, ok := samples[name]
		if !ok {
			t.Errorf("no sample of %s", name)
			continue
		}
		to := filepath.Join(t.TempDir(), "to")
		file := sampleFile(t, t.TempDir(), s.name, s.text)
		var set Declared
		switch name {
		case "sse": // the body of a response names neither
			set = Declared{Provider: "p", Model: "m"}
		case "aiperf-raw", "genai-perf": // nor do these name a provider
			set = Declared{Provider: "p"}
		}
		res := importFiles(t, Options{Files: []string{file}, To: to, Set: set})
		if f := res.Faults(); len(f) > 0 || len(res.Runs) != 1 || res.Runs[0].Format != name {
			t.Errorf("%s: %v, taken for %+v", name, f, res.Runs)
			continue
		}
		rows, _ := load(t, to)
		for i := range max(len(rows), len(s.rows)) {
			got, want := "", ""
			if i < len(rows) {
				got = told(&rows[i])
			}
			if i < len(s.rows) {
				want = s.rows[i]
			}
			if got != want {
				t.Errorf("%s row %d:\n got %s\nwant %s", name, i, got, want)
			}
		}
		again := importFiles(t, Options{Files: []string{file}, To: to, Set: set})
		if again.Rows() != 0 || len(again.Known) != 1 {
			t.Errorf("%s: imported again: %d rows", name, again.Rows())
		}
	}
}

// A damaged file of each format is named with its reason, and a good one beside
// it is imported.
func TestDamagedFilesOfEachFormat(t *testing.T) {
	good := samples["llmperf"]
	for _, name := range presetNames() {
		s := samples[name]
		other := "llmperf"
		if name == other {
			other = "thefastest"
		}
		for _, c := range []struct {
			what, text string
			rows       int // of the damaged file; -1 for any
			want       string
		}{
			{"empty", "", 0, "empty|holds no re|not JSON|not CSV"},
			{"truncated", s.text[:len(s.text)*6/10], -1, "not JSON|ends in the middle|fits no format|not a row|cannot be read|"},
			{"with a BOM", "\xEF\xBB\xBF" + s.text, len(s.rows), ""},
			{"of another format", samples[other].text, 0, "not a file of|holds no re|no format|lack|not JSON|not CSV|of another|list of objects|sums|states no|not a|want"},
			{"nested", strings.Repeat("[", 20_000), 0, "not JSON|not CSV|holds no re|no format"},
			{"of a version to come", `{"schema":"v99","payload":{"items":[]}}`, 0, "not a file of|holds no re|sums|no start|states no|not CSV|left out|"},
		} {
			for _, format := range []string{name, Auto} {
				dir := t.TempDir()
				// Both under names of their own, or their checksums tell them apart.
				file := sampleFile(t, dir, s.name, c.text)
				beside := sampleFile(t, dir, "fireworks_70b.json", good.text+"\n ")
				files := []string{file}
				if format == Auto {
					files = append(files, beside)
				}
				res := importFilesLoose(t, Options{Format: format, Files: files, To: filepath.Join(dir, "to")})
				rows := 0
				for _, f := range res.Files {
					if f.Name == s.name {
						rows += f.Rows
					} else if format == Auto && f.Rows != len(good.rows) {
						t.Errorf("%s %s: %d rows of the good file beside it", name, c.what, f.Rows)
					}
				}
				if c.rows >= 0 && rows != c.rows && !(c.what == "of another format" && format == Auto) && !(c.what == "of another format" && rows == 0) {
					t.Errorf("%s (%s) %s: %d rows, want %d; faults %v", name, format, c.what, rows, c.rows, res.Faults())
				}
				if rows == 0 && len(res.Faults()) == 0 && len(res.Skipped()) == 0 {
					t.Errorf("%s (%s) %s: nothing came of it, and nothing is said", name, format, c.what)
				}
				said := ""
				for _, f := range res.Faults() {
					said += f.String()
				}
				if c.want != "" && rows == 0 && said != "" {
					found := false
					for _, w := range strings.Split(c.want, "|") {
						found = found || strings.Contains(said, w)
					}
					if !found {
						t.Errorf("%s (%s) %s: said %q", name, format, c.what, said)
					}
				}
			}
		}
	}
}

// What a tool publishes of its own run comes out of the imported rows.
func TestPublishedSummaries(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "history")
	read := func(path string) (doc map[string]any) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var in io.Reader = f
		if strings.HasSuffix(path, ".gz") {
			if in, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := json.NewDecoder(in).Decode(&doc); err != nil {
			t.Fatal(err)
		}
		return doc
	}
	at := func(doc any, path ...string) float64 {
		for _, p := range path {
			m, _ := doc.(map[string]any)
			doc = m[p]
		}
		f, ok := doc.(float64)
		if !ok {
			t.Fatalf("no number at %v", path)
		}
		return f
	}
	rowsOf := func(path string) []schema.Request {
		to := filepath.Join(t.TempDir(), "to")
		importFiles(t, Options{Files: []string{path}, To: to})
		rows, _ := load(t, to)
		return rows
	}
	mean := func(x []float64) float64 {
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		return sum / float64(len(x))
	}
	same := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6*math.Max(1, math.Abs(want)) {
			t.Errorf("%s: %v, the tool says %v", what, got, want)
		}
	}
	for _, f := range glob(t, filepath.Join(dir, "vllm", "*16.0qps*.json.gz")) {
		doc := read(f)
		var ttft, gaps []float64
		tokens := 0.0
		for _, q := range rowsOf(f) {
			// An answer without a token counts as one after 0 s there.
			v := 0.0
			if q.ReportedTTFTNs != nil {
				v = float64(*q.ReportedTTFTNs) / 1e6
			}
			ttft = append(ttft, v)
			for _, g := range q.ReportedGapsNs {
				gaps = append(gaps, float64(g)/1e6)
			}
			if q.ReportedOutputTokens != nil {
				tokens += float64(*q.ReportedOutputTokens)
			}
		}
		name := filepath.Base(f)
		same(name+" mean_ttft_ms", mean(ttft), at(doc, "mean_ttft_ms"))
		same(name+" median_ttft_ms", quantile(ttft, .5), at(doc, "median_ttft_ms"))
		same(name+" p99_ttft_ms", quantile(ttft, .99), at(doc, "p99_ttft_ms"))
		same(name+" median_itl_ms", quantile(gaps, .5), at(doc, "median_itl_ms"))
		same(name+" output_throughput", tokens/at(doc, "duration"), at(doc, "output_throughput"))
	}
	for _, f := range glob(t, filepath.Join(dir, "genai-bench", "*.json")) {
		doc := read(f)
		var ttft, e2e []float64
		for _, q := range rowsOf(f) {
			ttft, e2e = append(ttft, float64(*q.ReportedTTFTNs)/1e9), append(e2e, float64(*q.EndNs)/1e9)
		}
		for _, p := range []struct {
			name string
			at   float64
		}{{"p50", .5}, {"p95", .95}, {"p99", .99}} {
			same(filepath.Base(f)+" ttft "+p.name, quantile(ttft, p.at), at(doc, "aggregated_metrics", "stats", "ttft", p.name))
			same(filepath.Base(f)+" e2e_latency "+p.name, quantile(e2e, p.at), at(doc, "aggregated_metrics", "stats", "e2e_latency", p.name))
		}
	}
	f := filepath.Join(dir, "guidellm", "example_output~benchmarks.json")
	var ttft, latency, tokens []float64
	for _, q := range rowsOf(f) {
		if q.ReportedError == nil {
			ttft, latency, tokens = append(ttft, float64(*q.ReportedTTFTNs)/1e6), append(latency, float64(*q.EndNs)/1e9), append(tokens, float64(*q.ReportedOutputTokens))
		}
	}
	metrics := read(f)["benchmarks"].([]any)[0].(map[string]any)["metrics"]
	same("guidellm ttft", mean(ttft), at(metrics, "time_to_first_token_ms", "successful", "mean"))
	same("guidellm latency", mean(latency), at(metrics, "request_latency", "successful", "mean"))
	same("guidellm tokens", mean(tokens), at(metrics, "output_token_count", "successful", "mean"))
}

// Whatever a file holds, a mapping reads it to its end: rows, or words on why not.
func FuzzPresets(f *testing.F) {
	for _, name := range presetNames() {
		f.Add(name, []byte(samples[name].text))
	}
	f.Add("vllm", []byte(`{"tokenizer_id":"x","num_prompts":1,"ttfts":[[]],"itls":[1],"errors":[{}]}`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		s, ok := samples[name]
		if !ok {
			return
		}
		dir := t.TempDir()
		path := sampleFile(t, dir, s.name, string(data))
		for _, format := range []string{name, Auto} {
			res, err := Import(t.Context(), Options{Format: format, Files: []string{path}, To: filepath.Join(dir, format)})
			if err != nil {
				t.Fatal(err)
			}
			if res.Rows() == 0 && len(res.Faults()) == 0 && len(res.Skipped()) == 0 {
				t.Errorf("%s: nothing came of it, and nothing is said: %q", format, data)
			}
		}
	})
}

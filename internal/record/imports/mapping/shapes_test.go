package mapping

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/record/imports/ledger"
	"aircheck/internal/tools/corpus"
	"aircheck/schema"
)

func readAll(t testing.TB, m *Mapping, path string) ([]*schema.Request, *ledger.File) {
	t.Helper()
	var out []*schema.Request
	account := &ledger.File{Name: filepath.Base(path)}
	err := m.Read(context.Background(), path, account, func(q *schema.Request, _ ledger.Place) error {
		out = append(out, q)
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out, account
}

// Whatever shape other tools give their results, a mapping can say it.
func TestShapesOfOtherTools(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "history")
	sum := func(rows []*schema.Request, f func(*schema.Request) *int64) (n int, total int64) {
		for _, q := range rows {
			if v := f(q); v != nil {
				n++
				total += *v
			}
		}
		return n, total
	}
	ttft := func(q *schema.Request) *int64 { return q.ReportedTTFTNs }
	for _, c := range []struct {
		mapping, files           string
		rows, withTTFT, failures int
		faults                   int
	}{
		// 1,000 requests, and an overload run of as many, in which 983 failed. Where nothing
		// came the tool writes a first token after 0 s, and no error for 379 and 17 of them.
		{"vllm", "vllm/*nvidia-vllm-16.0qps-*.json.gz vllm/*no-rpc-1000.0qps-*.json", 2000, 621 + 0, 983, 0},
		{"guidellm", "guidellm/example_output~benchmarks.json", 609, 599, 23, 0},
		{"aiperf", "aiperf/*.jsonl", 30, 30, 0, 0},
		{"epoch", "epoch-ttft/*.jsonl", 4, 4, 0, 0},
		{"genai-bench", "genai-bench/*.json", 80, 80, 0, 0},
		{"langfuse", "langfuse/*.json", 21, 0, 0, 0},
	} {
		m, err := Load(filepath.Join("testdata", "shapes", c.mapping+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, pattern := range strings.Fields(c.files) {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(found) == 0 {
				t.Fatalf("%s: %d files, %v", pattern, len(found), err)
			}
			files = append(files, found...)
		}
		var all []*schema.Request
		faults := 0
		for _, f := range files {
			rows, account := readAll(t, m, f)
			all = append(all, rows...)
			faults += len(account.Faults)
			for _, x := range account.Faults {
				t.Logf("%s: %s", c.mapping, x)
			}
			if len(account.Nulled) > 0 {
				t.Logf("%s: %s: NULL: %v", c.mapping, account.Name, account.Nulled)
			}
		}
		failures := 0
		for _, q := range all {
			if q.ReportedError != nil {
				failures++
			}
		}
		n, total := sum(all, ttft)
		t.Logf("%s: %d rows of %d files, %d with a first token (mean %.1f ms), %d failures", c.mapping, len(all), len(files), n, float64(total)/1e6/float64(max(n, 1)), failures)
		if len(all) != c.rows || n != c.withTTFT || failures != c.failures || faults != c.faults {
			t.Errorf("%s: %d rows, %d with a first token, %d failures, %d faults; want %d, %d, %d, %d", c.mapping, len(all), n, failures, faults, c.rows, c.withTTFT, c.failures, c.faults)
		}
	}
}

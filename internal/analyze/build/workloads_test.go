package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Faults of a workloads file are found before anything is computed from it,
// each with its place and, where it is likely, what was meant.
func TestWorkloadsFile(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.request(nil, plain()...)
	f.seal()
	build := func(file string) error {
		path := filepath.Join(t.TempDir(), "w.yaml")
		if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Build(t.Context(), Options{Dir: dir, Workloads: path})
		return err
	}
	for _, c := range []struct{ file, want string }{
		{"workloads: [{name: a, decides: [{metric: ttft_nt_ms, at_most: 1}]}]", "w.yaml:1:33: no metric \"ttft_nt_ms\"; did you mean ttft_net_ms?"},
		{"workloads: [{name: a, decides: [{metric: ttft_net_ms, at_least: 1}]}]", "lower is better for ttft_net_ms: want at_most"},
		{"workloads: [{name: a, decides: [{metric: tokens_per_s, at_most: 1}]}]", "higher is better for tokens_per_s: want at_least"},
		{"workloads: [{name: a, decides: [{metric: answered_share, statistic: p95, at_least: 1}]}]", "answered_share is no value of single requests: it takes no statistic"},
		{"workloads: [{name: a, decides: [{metric: e2e_ms}], each: [{metric: good_share, at_least: 1}]}]", "good_share is no value of single requests"},
		{"workloads: [{name: a, decides: []}]", "nothing decides"},
	} {
		if err := build(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
	// An edited limit changes verdicts without a new request. One answer of one is
	// a share of 0.21 to 1.
	for limit, want := range map[string]string{"0.2": "met supported", "0.3": "met tendency"} {
		path := filepath.Join(t.TempDir(), "w.yaml")
		file := "workloads: [{name: mine, scenarios: [s], decides: [{metric: answered_share, at_least: " + limit + "}]}]"
		if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
		got := text1(query(t, t.Context(), Options{Dir: dir, Workloads: path}, "SELECT workload, scenario, n, claim || ' ' || verdict FROM workload_fit"))
		if got != "mine s 1 "+want {
			t.Errorf("limit %s: %s, want %s", limit, got, want)
		}
	}
}

package virtual

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/record/simulate"
	"aircheck/schema"
)

const small = `
fleet: small
seed: 3
starts: 2026-11-02T00:00:00Z
window: 2h
behaviour:
  first_token: {median: 300ms, sigma: 0.2}
  gap: {median: 30ms, sigma: 0.3}
  tokens_per_frame: 4
  conditions_sigma: 0.1
  conditions_rho: 0.6
providers:
  - {name: a, models: [{name: m, cold: {after: 10m, adds: 3s}}, {name: n, load: {reject: 2}}]}
  - {name: b, api: anthropic-messages, models: [{name: m, faults: [{kind: reset, share: 0.1}, {kind: stall, share: 0.1}, {kind: hang, share: 0.05}, {kind: abort, share: 0.1}]}]}
facts:
  - {name: outage, says: "a is away for four hours", plant: [{providers: a, models: m, from: 4h, until: 8h, faults: [{kind: overloaded, every: 1}]}]}
plans:
  - name: chat
    windows: {count: 12, every: 2h}
    trials: 4
    warmup: 1
    parallel: 2
    timeouts: {first_byte: 20s, idle: 10s}
    scenarios:
      - {name: s, messages: [{role: user, content: say hi}], params: {max_tokens: 300}, concurrency: [1, 4]}
  - name: cold
    after: 1h
    targets: {providers: a, models: m}
    windows: {count: 6, every: 4h}
    scenarios:
      - {name: cold, messages: [{role: user, content: say hi}], params: {max_tokens: 300}, cold_start: {idle: 15m, trials: 1}}
`

func write(t *testing.T, text string, truth *bytes.Buffer) (string, *Result) {
	t.Helper()
	f, err := simulate.Parse([]byte(text), "fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "traces")
	o := Options{Fleet: f, Name: "fleet.yaml", Dir: dir}
	if truth != nil {
		o.Truth = truth
	}
	r, err := Write(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return dir, r
}

// The same file gives the same bytes, whatever the machine is busy with.
func TestSameBytes(t *testing.T) {
	var one, two bytes.Buffer
	a, _ := write(t, small, &one)
	b, _ := write(t, small, &two)
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("the truth differs")
	}
	n := 0
	filepath.WalkDir(a, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		rel, _ := filepath.Rel(a, path)
		x, _ := os.ReadFile(path)
		if y, err := os.ReadFile(filepath.Join(b, rel)); err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs: %v", rel, err)
		}
		return nil
	})
	if n != 6 {
		t.Errorf("%d files of two runs", n)
	}
}

// What was planted stands in the rows; the dataset is one that a recorder could
// have written.
func TestRowsAreTrue(t *testing.T) {
	var log bytes.Buffer
	dir, result := write(t, small, &log)
	faults, err := schema.Verify(context.Background(), dir)
	if err != nil || len(faults) > 0 {
		t.Fatalf("verify: %v, %v", faults, err)
	}
	truths, err := simulate.ReadTruth(&log)
	if err != nil || int64(len(truths)) != result.Requests {
		t.Fatalf("%d truths of %d requests, %v", len(truths), result.Requests, err)
	}
	d, err := schema.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	ends, statuses, cold, late := map[string]int{}, map[int32]int{}, 0, 0
	var last int64
	for _, run := range runs {
		if run.Origin != "simulated" {
			t.Errorf("origin %s", run.Origin)
		}
		last = 0
		err := d.EachRequest(run, func(r *schema.Request) error {
			ends[r.Provider+" "+*r.EndReason]++
			if r.HTTPStatus != nil {
				statuses[*r.HTTPStatus]++
			}
			if r.Phase == "cold" && *r.BurstIndex == 0 && *r.IdleBeforeMs >= 15*60*1000 {
				cold++
			}
			if r.Phase == "cold" && *r.BurstIndex == 0 && r.HeadersNs != nil && *r.HeadersNs > 2e9 {
				late++
			}
			if r.Origin != "simulated" || r.RequestID <= last || *r.SentNs > *r.EndNs {
				t.Errorf("row %+v", r)
			}
			last = r.RequestID
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = d.EachResponse(context.Background(), run, func(id int64, frames []schema.Chunk) error {
			for i, c := range frames {
				if *c.TNs > *c.TReadNs || i > 0 && *c.TNs < *frames[i-1].TNs || c.TLoNs != nil && *c.TLoNs > *c.TNs {
					t.Errorf("request %d, frame %d: stamp %d, read %d", id, i, *c.TNs, *c.TReadNs)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"a eof", "b eof", "b reset", "b unexpected_eof", "b timeout_idle", "b timeout_first_byte"} {
		if ends[want] == 0 {
			t.Errorf("no request of %s: %v", want, ends)
		}
	}
	// Two windows of the outage with ten requests each, and a cold start with four.
	if statuses[503] != 2*(1+4)+2*(4+4)+4 || statuses[429] == 0 {
		t.Errorf("statuses %v", statuses)
	}
	if cold != 6 || late < 5 { // one start falls into the outage
		t.Errorf("%d cold starts, %d of them late", cold, late)
	}
}

// Thinning spreads fewer windows over the same time.
func TestThin(t *testing.T) {
	f, err := simulate.Parse([]byte(strings.Replace(small, "count: 12", "count: 60", 1)), "fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ by, count int }{{0, 60}, {1, 60}, {2, 30}, {50, 7}} {
		p, err := readPlan(f, &f.Plans[0], "fleet.yaml", c.by)
		if err != nil || p.Windows.Count != c.count {
			t.Errorf("thinned by %d: %d windows, %v", c.by, p.Windows.Count, err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for b.Loop() {
		f, err := simulate.Parse([]byte(small), "fleet.yaml")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Write(context.Background(), Options{Fleet: f, Name: "fleet.yaml", Dir: filepath.Join(b.TempDir(), "t")}); err != nil {
			b.Fatal(err)
		}
	}
}

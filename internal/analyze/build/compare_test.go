package build

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/schema"
)

// level writes windows of three requests of one provider, each with a first
// token after ms and a bit, up and down: levels that only rise would be windows
// that depend on each other.
func (f *fixture) level(provider string, from, windows int, ms float64) {
	for w := range windows {
		for trial := range 3 {
			f.request(func(r *schema.Request) {
				r.Provider, r.Window, r.Detail = provider, new(fmt.Sprintf("w%02d", from+w)), "requests"
				r.StartedAtNs = new(f.base.UnixNano() + int64(from+w)*3600e9 + int64(trial)*1e9)
				r.ReportedTTFTNs = new(int64((ms + float64(5*w%7) + float64(trial)) * 1e6))
				r.ReportedFinishReason, r.ReportedText = new("stop"), new("word")
			})
		}
	}
}

func verdictsOf(c *Comparison) string {
	var out []string
	for _, x := range c.Changes {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s %s %s", x.Provider, x.Metric, x.Claim, x.Verdict, x.WhyNot)))
	}
	return strings.Join(out, "\n")
}

func TestCompareDatasets(t *testing.T) {
	before, after := filepath.Join(t.TempDir(), "before"), filepath.Join(t.TempDir(), "after")
	f := newFixture(t, before, "b")
	f.level("fast", 0, 8, 100)
	f.level("few", 0, 3, 100)
	f.level("gone", 0, 8, 100)
	f.level("same", 0, 8, 400)
	f.level("slow", 0, 8, 400)
	f.seal()
	f = newFixture(t, after, "a")
	f.level("fast", 0, 8, 300)
	f.level("few", 0, 8, 300)
	f.level("new", 0, 8, 100)
	f.level("same", 0, 8, 410)
	f.level("slow", 0, 8, 200)
	f.seal()
	o := CompareOptions{Metrics: []string{"ttft_ms"}}
	c, err := CompareDatasets(t.Context(), Options{Dir: before}, Options{Dir: after}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := `fast ttft_ms regression supported
few ttft_ms regression tendency too few windows
same ttft_ms unchanged supported
slow ttft_ms improvement supported`
	if got := verdictsOf(c); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	// Eight windows against eight, none of them alike: p = 2 / C(16, 8). Three of
	// four cells differ as clearly or less, so that q is at most twice that.
	x := c.Changes[0]
	if *x.P > 1e-6 || *x.Q < *x.P || x.WindowsBefore != 8 || x.NBefore != 24 || math.Abs(*x.LevelBefore-103.6) > 0.1 || math.Abs(*x.LevelAfter-303.6) > 0.1 {
		t.Errorf("p %v, q %v, %+v", *x.P, *x.Q, x)
	}
	if *x.Lo >= *x.Ratio || *x.Hi <= *x.Ratio || *x.Ratio < 2.85 || *x.Ratio > 3.0 {
		t.Errorf("ratio %v (%v to %v)", *x.Ratio, *x.Lo, *x.Hi)
	}
	if len(c.Gone) != 1 || c.Gone[0].Provider != "gone" || len(c.New) != 1 || c.New[0].Provider != "new" {
		t.Errorf("gone %v, new %v", c.Gone, c.New)
	}
	// A wider margin lets the change pass.
	o.Margins = map[string]Margin{"ttft_ms": {Ratio: new(3.0)}}
	if c, err = CompareDatasets(t.Context(), Options{Dir: before}, Options{Dir: after}, o); err != nil || c.Changes[0].Claim != Unchanged {
		t.Errorf("%v, %s", err, verdictsOf(c))
	}
}

func TestCompareByPart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	for i, run := range []string{"r1", "r2", "r3"} {
		f := newFixture(t, dir, run)
		f.ids.Next(f.base.Add(time.Duration(i) * time.Hour)) // no id twice
		f.level("p", i*24, 12, []float64{100, 300, 100}[i])
		f.seal()
	}
	o := CompareOptions{Metrics: []string{"ttft_ms"}}
	for _, c := range []struct{ by, before, after, want, spans string }{
		{"run", "", "", "p ttft_ms improvement supported", "r2 r3"},
		{"run", "r1", "r2", "p ttft_ms regression supported", "r1 r2"},
		{"run", "", "r2", "p ttft_ms regression supported", "r1 r2"},
		{"period", "", "", "p ttft_ms improvement supported", "2026-03-02 2026-03-03"},
		{"window", "w00", "fixture/w24", "p ttft_ms regression tendency too few windows", "r1/w00 r2/w24"},
		{"window", "r1/w00", "r2/w24", "p ttft_ms regression tendency too few windows", "r1/w00 r2/w24"},
	} {
		got, err := CompareBy(t.Context(), Options{Dir: dir, Period: "day"}, c.by, c.before, c.after, o)
		if err != nil {
			t.Fatal(err)
		}
		if v := verdictsOf(got); v != c.want || got.Before.Name+" "+got.After.Name != c.spans {
			t.Errorf("by %s %s %s: %s over %s %s", c.by, c.before, c.after, v, got.Before.Name, got.After.Name)
		}
	}
	for _, c := range []struct{ by, before, after, want string }{
		{"run", "r9", "", `no run "r9"`},
		{"run", "r1", "r1", "is before and after"},
		{"run", "r1", "plan", `no run "plan"; there are r1, r2, r3`},
		{"run", "r1", "fixture", `3 runs are named "fixture": r1, r2, r3; name one of them in full`},
		{"window", "w99", "", `no window "w99"`},
		{"moon", "", "", `by "moon": want one of window, run, period`},
	} {
		if _, err := CompareBy(t.Context(), Options{Dir: dir, Period: "day"}, c.by, c.before, c.after, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("by %s %s %s: %v, want %q", c.by, c.before, c.after, err, c.want)
		}
	}
}

func TestFindPart(t *testing.T) {
	parts := []*timePart{{Span: Span{Name: "r1"}, also: []string{"first"}}, {Span: Span{Name: "r2"}, also: []string{"r1"}}}
	for name, want := range map[string]int{"r1": 0, "first": 0, "r2": 1, "": 7} {
		if got, err := find(parts, "run", name, 7); err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", name, got, err, want)
		}
	}
}

// Halves are made of twelve windows: fewer are told so, not that there is no period.
func TestNoHalves(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	f := newFixture(t, dir, "r1")
	f.level("p", 0, 7, 100)
	f.seal()
	_, err := CompareBy(t.Context(), Options{Dir: dir}, "period", "", "", CompareOptions{})
	if err == nil || !strings.Contains(err.Error(), "halves are made of twelve windows or more, and the dataset has 7; --period day") {
		t.Error(err)
	}
}

// A model that is not there any more is no cell that is merely missing.
func TestCompareWithdrawn(t *testing.T) {
	before, after := filepath.Join(t.TempDir(), "before"), filepath.Join(t.TempDir(), "after")
	f := newFixture(t, before, "b")
	f.level("kept", 0, 8, 100)
	f.level("withdrawn", 0, 8, 100)
	f.level("unasked", 0, 8, 100)
	f.seal()
	f = newFixture(t, after, "a")
	f.level("kept", 0, 8, 100)
	for w := range 8 {
		f.request(func(r *schema.Request) {
			r.Provider, r.Window, r.Detail = "withdrawn", new(fmt.Sprintf("w%02d", w)), "requests"
			r.StartedAtNs = new(f.base.UnixNano() + int64(w)*3600e9)
			r.HTTPStatus, r.ReportedError = new(int32(404)), new("The model does not exist")
		})
	}
	f.seal()
	c, err := CompareDatasets(t.Context(), Options{Dir: before}, Options{Dir: after}, CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Withdrawn) != 1 || c.Withdrawn[0].Provider != "withdrawn" || c.Withdrawn[0].Requests != 8 {
		t.Errorf("withdrawn: %+v, want 8 requests of one cell", c.Withdrawn)
	}
	if len(c.Gone) != 1 || c.Gone[0].Provider != "unasked" {
		t.Errorf("gone: %v, want the cell that was not asked for", c.Gone)
	}
}

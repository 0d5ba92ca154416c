package robust_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/robust"
	"aircheck/internal/analyze/stats"
	"aircheck/schema"
)

// record writes four providers of two models, twelve windows of five requests. On
// the first model a is twice as fast as the others, on the second twice as slow;
// there d is first, by 15 % before b and c.
func record(t *testing.T, dir string) {
	t.Helper()
	w, err := schema.Create(dir, "20260301T000000Z-robust")
	if err != nil {
		t.Fatal(err)
	}
	level := map[string]map[string]float64{
		"m1": {"a": 500, "b": 1000, "c": 1000, "d": 1000},
		"m2": {"a": 2000, "b": 1000, "c": 1000, "d": 1000 / 1.15},
	}
	r := rand.New(stats.PCG(stats.Seed("robust")))
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var ids schema.IDs
	n := 0
	for win := range 12 {
		for _, model := range []string{"m1", "m2"} {
			for _, provider := range []string{"a", "b", "c", "d"} {
				for trial := range 5 {
					at := start.Add(time.Duration(win)*4*time.Hour + time.Duration(n)*time.Millisecond)
					n++
					ns := func(ms float64) *int64 { return new(int64(ms * 1e6)) }
					ttft := level[model][provider] * math.Exp(0.01*r.NormFloat64())
					q := &schema.Request{
						RequestID: ids.Next(at), OrderIndex: int32(n), Attempt: 1, Origin: "imported:test", Detail: "requests", Phase: "measure",
						Provider: provider, Model: model, Scenario: new("chat"), Concurrency: new(int32(1)), Vantage: new("here"),
						Window: new(fmt.Sprintf("w%02d", win)), Trial: new(int32(trial)), StartedAtNs: new(at.UnixNano()), Streamed: new(true),
						HTTPStatus: new(int32(200)), EndReason: new("eof"), ReportedTTFTNs: ns(ttft), ReportedLastTokenNs: ns(ttft + 2000), EndNs: ns(ttft + 2000),
						ReportedOutputTokens: new(int64(200)), ReportedFinishReason: new("stop"), ReportedText: new("…"),
					}
					w.Begin(q.RequestID)
					if err := w.Write(q, nil); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	if err := w.Seal(&schema.Run{Name: "test", Origin: "imported:test", Tool: "test", Host: "test", StartedAtNs: start.UnixNano(), EndedAtNs: start.UnixNano()}); err != nil {
		t.Fatal(err)
	}
}

// A difference of two holds whatever is chosen; one of 15 % falls with a margin of
// 15 % or more, and with nothing else.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	record(t, dir)
	r, err := build.OpenFor(t.Context(), build.Options{Dir: dir}, robust.Views...)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := robust.Run(t.Context(), r, 2)
	if err != nil {
		t.Fatal(err)
	}
	find := func(kind string, words ...string) *robust.Headline {
		t.Helper()
		for i, h := range got.Headlines {
			if h.Kind == kind && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(h.Text, w) }) {
				return &got.Headlines[i]
			}
		}
		t.Fatalf("no headline %s of %q among %+v", kind, words, got.Headlines)
		return nil
	}
	if h := find("first", "a is first in time to first token", "m1"); h.Choices < 18 || h.Holds != h.Choices {
		t.Errorf("%+v", h)
	}
	if h := find("flip", "time to first token", "a leads"); h.Holds != h.Choices {
		t.Errorf("%+v", h)
	}
	h := find("first", "d is first in time to first token", "m2")
	if want := []string{"a margin of 15 %", "a margin of 20 %", "a margin of 25 %"}; !slices.Equal(h.Falls, want) {
		t.Errorf("falls under %q, want %q", h.Falls, want)
	}
}

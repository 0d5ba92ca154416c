package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aircheck/analysis"
	"aircheck/schema"
	"aircheck/stats"
)

// A market of this size is what the comparison of all with all must bear.
const (
	providers = 60
	models    = 40
	windows   = 12
	trials    = 7 // 84 values a cell, so that tails are tested as well
)

// Targets for all flips of that market.
const (
	scaleSeconds  = 30
	scaleMegabyte = 1000
)

// scale builds a synthetic market and takes all its flips. It gives the failed
// targets.
func scale(ctx context.Context, out io.Writer) (failed []string, err error) {
	dir, err := os.MkdirTemp("", "aircheck-scale-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := market(dir); err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "%d providers × %d models, %d windows × %d trials\n", providers, models, windows, trials)

	var stages []string
	took := map[string]time.Duration{}
	now := time.Now()
	last := ""
	stage := func(name string) {
		if last != "" {
			took[last] += time.Since(now)
		}
		if name != "" && name != last {
			stages = append(stages, name)
		}
		last, now = name, time.Now()
	}
	o := analysis.Options{Dir: dir, Memory: "800MB", Progress: func(name string, _, _ int) { stage(name) }}
	if _, err := analysis.Build(ctx, o); err != nil {
		return nil, err
	}
	stage("open")
	r, err := analysis.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	stage("all flips")
	var rows, supported, tested, metrics int64
	err = r.QueryRowContext(ctx, `SELECT count(*), count(*) FILTER (verdict = 'supported'), count(q_1 + q_2), count(DISTINCT metric),
		sum(hash(at_1, at_2, leader_1, ratio_1, ratio_1_lo, ratio_1_hi, ratio_2, ratio_2_lo, ratio_2_hi, n_1, n_2, p_1, p_2, q_1, q_2, evidence))
		FROM flips`).Scan(&rows, &supported, &tested, &metrics, new(any))
	if err != nil {
		return nil, err
	}
	stage("")

	// The comparisons are what this measures; decoding and results are measured
	// by bench-analyze.
	var total time.Duration
	for _, s := range stages {
		counts := strings.HasPrefix(s, "_windows") || strings.HasPrefix(s, "_periods") || s == "_contests" || s == "_sides" || s == "all flips"
		mark := " "
		if counts {
			total += took[s]
			mark = "*"
		}
		fmt.Fprintf(out, "  %s %-16s %6.1f s\n", mark, s, took[s].Seconds())
	}
	fmt.Fprintf(out, "  %d flips over %d metrics, %d of them with both sides tested, %d supported\n", rows, metrics, tested, supported)
	mb := peakMegabytes()
	check := func(what string, got, limit float64, unit string) {
		word := "pass"
		if got > limit {
			word = "FAIL"
			failed = append(failed, what)
		}
		fmt.Fprintf(out, "  %s %.1f %s, target %.0f: %s\n", what, got, unit, limit, word)
	}
	check("results to all flips (*)", total.Seconds(), scaleSeconds, "s")
	check("peak memory of the process", mb, scaleMegabyte, "MB")
	return failed, nil
}

// market writes a dataset: each provider has a speed of its own on each model,
// each window its weather; one request in fifty fails.
func market(dir string) error {
	w, err := schema.Create(dir, "20260301T000000Z-market")
	if err != nil {
		return err
	}
	r := rand.New(stats.PCG(stats.Seed("market")))
	var speed [providers][models]float64
	for p := range speed {
		for m := range speed[p] {
			speed[p][m] = math.Exp(0.4 * r.NormFloat64())
		}
	}
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var ids schema.IDs
	n := 0
	for win := range windows {
		for m := range models {
			for p := range providers {
				weather := math.Exp(0.1 * r.NormFloat64())
				for t := range trials {
					at := start.Add(time.Duration(win)*2*time.Hour + time.Duration(n)*time.Millisecond)
					n++
					ttft := 400 * speed[p][m] * weather * math.Exp(0.2*r.NormFloat64())
					stream := 3000 * math.Sqrt(speed[p][m]) * math.Exp(0.1*r.NormFloat64())
					ns := func(ms float64) *int64 { return new(int64(ms * 1e6)) }
					q := &schema.Request{
						RequestID: ids.Next(at), OrderIndex: int32(n), Attempt: 1, Origin: "imported:market", Detail: "requests", Phase: "measure",
						Provider: fmt.Sprintf("provider-%02d", p), Model: fmt.Sprintf("model-%02d", m), Scenario: new("chat"), Concurrency: new(int32(1)),
						Vantage: new("here"), Window: new(fmt.Sprintf("w%02d", win)), Trial: new(int32(t)), StartedAtNs: new(at.UnixNano()), ConnReused: new(true),
						Streamed: new(true), HTTPStatus: new(int32(200)), EndReason: new("eof"), HeadersNs: ns(ttft / 2),
						ReportedTTFTNs: ns(ttft), ReportedLastTokenNs: ns(ttft + stream), EndNs: ns(ttft + stream + 5),
						ReportedOutputTokens: new(int64(150 + r.IntN(100))), ReportedFinishReason: new("stop"), ReportedText: new("…"),
					}
					if r.IntN(50) == 0 {
						q.ReportedTTFTNs, q.ReportedLastTokenNs, q.ReportedOutputTokens, q.ReportedText = nil, nil, nil, nil
						q.ReportedError = new("overloaded")
					}
					w.Begin(q.RequestID)
					if err := w.Write(q, nil); err != nil {
						w.Abort()
						return err
					}
				}
			}
		}
	}
	return w.Seal(&schema.Run{Name: "market", Origin: "imported:market", Tool: "bench", Host: "bench", StartedAtNs: start.UnixNano(), EndedAtNs: start.UnixNano()})
}

// peakMegabytes is the most memory that the process ever held; 0 where the
// system does not say.
func peakMegabytes() float64 {
	status, err := os.ReadFile(filepath.Join("/proc", "self", "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kb); err == nil {
			return kb / 1000
		}
	}
	return 0
}

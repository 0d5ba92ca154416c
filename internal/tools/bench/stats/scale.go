package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/stats"
	"aircheck/schema"
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

// comparing are the stages from results to flips; decoding and results are
// measured by bench-analyze.
var comparing = []string{"metrics", "_windows", "_period_unit", "_periods", "_contests", "_comparisons"}

// clock is time by the wall and of the processors: on a busy machine the first
// says little.
type clock struct{ wall, cpu time.Duration }

func read() clock {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return clock{wall: time.Since(epoch)}
	}
	return clock{time.Since(epoch), time.Duration(u.Utime.Nano() + u.Stime.Nano())}
}

var epoch = time.Now()

func (c clock) plus(d clock) clock  { return clock{c.wall + d.wall, c.cpu + d.cpu} }
func (c clock) minus(d clock) clock { return clock{c.wall - d.wall, c.cpu - d.cpu} }
func (c clock) String() string {
	return fmt.Sprintf("%6.1f s, %6.1f s of processors", c.wall.Seconds(), c.cpu.Seconds())
}

// scale builds a synthetic market and takes all its flips. It gives the failed
// targets.
func scale(ctx context.Context, out io.Writer) (failed []string, err error) {
	dir, err := os.MkdirTemp("", "aircheck-scale-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	// Another process writes and builds all, so that this one's memory is that of
	// the comparisons; then they are taken away, to be made again.
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	prepare := exec.CommandContext(ctx, self, "--prepare", dir)
	prepare.Stderr = os.Stderr
	if err := prepare.Run(); err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	for _, table := range comparing {
		files, err := filepath.Glob(filepath.Join(dir, "derived", "tables", table+"-*.parquet"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if err := os.Remove(f); err != nil {
				return nil, err
			}
		}
	}
	fmt.Fprintf(out, "%d providers × %d models, %d windows × %d trials\n", providers, models, windows, trials)

	var stages []string
	took := map[string]clock{}
	now, last := read(), ""
	stage := func(name string) {
		if last != "" {
			took[last] = took[last].plus(read().minus(now))
		}
		if name != "" && name != last {
			stages = append(stages, name)
		}
		last, now = name, read()
	}
	o := build.Options{Dir: dir, Memory: "500MB", Progress: func(name string, _, _ int) { stage(name) }}
	if _, err := build.Build(ctx, o); err != nil {
		return nil, err
	}
	stage("open")
	r, err := build.Open(ctx, o)
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

	var total clock
	for _, s := range stages {
		total = total.plus(took[s])
		fmt.Fprintf(out, "  %-12s %s\n", s, took[s])
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
	// An idle machine takes no longer by the wall than its processors take, so
	// that the smaller of the two is what is owed to the program.
	fmt.Fprintf(out, "  %-12s %s\n", "together", total)
	check("results to all flips", min(total.wall, total.cpu).Seconds(), scaleSeconds, "s")
	check("peak memory of the process", mb, scaleMegabyte, "MB")
	return failed, nil
}

// prepareMarket writes and builds the dataset.
func prepareMarket(ctx context.Context, dir string) error {
	if err := market(dir); err != nil {
		return err
	}
	_, err := build.Build(ctx, build.Options{Dir: dir})
	return err
}

// market writes a dataset: each provider has a speed of its own on each model,
// each window its conditions; one request in fifty fails.
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
				level := math.Exp(0.1 * r.NormFloat64())
				for t := range trials {
					at := start.Add(time.Duration(win)*2*time.Hour + time.Duration(n)*time.Millisecond)
					n++
					ttft := 400 * speed[p][m] * level * math.Exp(0.2*r.NormFloat64())
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

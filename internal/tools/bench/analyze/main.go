// Analyze measures decoding and building on generated datasets of two shapes,
// beside a plain scan of the same bytes and the loops that people write by hand.
// Each thing is done in a process of its own, all of them in each of several
// rounds, so that a busy machine is busy for all; figures are medians of processor
// time, and of ratios within a round, with the interval that holds the true median
// at the stated confidence (of five values: from the least to the greatest, 94 %).
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"aircheck/internal/tools/bench"
)

func main() {
	chunks := flag.Int("chunks", 10_000_000, "frames in responses of 500")
	short := flag.Int("short", 1_000_000, "requests of seven frames")
	rounds := flag.Int("rounds", 5, "how often each thing is measured, five times at least")
	memory := flag.String("memory", "1GB", "limit of resident memory")
	dir := flag.String("dir", "", "keep the datasets here, and use them if they are there")
	part := flag.Int("part", 200_000, "frames given to python3 and jq")
	what := flag.String("one", "", "do one thing over -dir in this process: scan, decode, build, all, events, again")
	profile := flag.String("profile", "", "with -one: write a processor profile of it here")
	flag.Parse()
	ctx := context.Background()
	var err error
	if *what != "" {
		err = one(ctx, *what, *dir, *memory, *profile)
	} else {
		err = run(ctx, *dir, *chunks, *short, max(5, *rounds), *memory, *part)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-analyze:", err)
		os.Exit(1)
	}
}

// shape is a dataset, with what is to be reached on it.
type shape struct {
	name         string
	least, below int // tokens of a response
	things       []string
	requests     int // of the dataset as written
	frames       int
}

func run(ctx context.Context, dir string, chunks, short, rounds int, memory string, part int) error {
	if dir == "" {
		tmp, err := os.MkdirTemp("", "aircheck-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		dir = tmp
	}
	tiny := &shape{name: "tiny", least: 5, below: 80, things: []string{"build", "again"}}
	long := &shape{name: "long", least: 200, below: 800, things: []string{"scan", "decode", "build", "all", "events"}}
	brief := &shape{name: "short", least: 2, below: 5, things: []string{"scan", "decode", "build", "all"}}
	s := samples{}
	for _, in := range []struct {
		*shape
		frames int
	}{{tiny, 3000}, {long, chunks}, {brief, short * 15 / 2}} {
		if err := in.generate(filepath.Join(dir, in.name, "traces"), in.frames); err != nil {
			return err
		}
		for range rounds {
			for _, what := range in.things {
				m, err := apart(ctx, what, filepath.Join(dir, in.name, "traces"), memory)
				if err != nil {
					return err
				}
				s.add(in.name+" "+what, m)
			}
		}
	}
	text, n, err := lines(ctx, filepath.Join(dir, long.name, "traces"), part)
	if err != nil {
		return err
	}
	defer os.Remove(text)
	hand := map[string][]float64{}
	for range rounds {
		for _, l := range loops {
			per, err := l.perFrame(ctx, text, n)
			if err != nil {
				return err
			}
			if per > 0 {
				hand[l.name] = append(hand[l.name], float64(per))
			}
		}
	}
	s.print(tiny, long, brief, hand)
	return nil
}

// generate writes the dataset where it is not there yet.
func (s *shape) generate(dir string, frames int) (err error) {
	counts := filepath.Join(filepath.Dir(dir), "counts.json")
	if data, err := os.ReadFile(counts); err == nil {
		var n [2]int
		err := json.Unmarshal(data, &n)
		s.requests, s.frames = n[0], n[1]
		return err
	}
	if s.requests, s.frames, err = bench.Responses(dir, frames, s.least, s.below, 1); err != nil {
		return err
	}
	data, err := json.Marshal([2]int{s.requests, s.frames})
	if err != nil {
		return err
	}
	return os.WriteFile(counts, data, 0o644)
}

// apart does one thing in a process of its own.
func apart(ctx context.Context, what, dir, memory string) (m measured, err error) {
	self, err := os.Executable()
	if err != nil {
		return m, err
	}
	cmd := exec.CommandContext(ctx, self, "-one", what, "-dir", dir, "-memory", memory)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return m, fmt.Errorf("%s of %s: %w", what, dir, err)
	}
	return m, json.Unmarshal(out, &m)
}

// samples are what was measured of each thing, a value a round.
type samples map[string][]measured

func (s samples) add(name string, m measured) { s[name] = append(s[name], m) }

// of gives a number of each round.
func (s samples) of(name string, number func(measured) float64) []float64 {
	out := make([]float64, len(s[name]))
	for i, m := range s[name] {
		out[i] = number(m)
	}
	return out
}

// ratios divide two things of the same round.
func ratios(a, b []float64) []float64 {
	out := make([]float64, min(len(a), len(b)))
	for i := range out {
		out[i] = a[i] / b[i]
	}
	return out
}

func seconds(m measured) float64   { return m.CPU.Seconds() }
func megabytes(m measured) float64 { return float64(m.Peak) / 1e6 }

// print writes every figure, and what was to be reached.
func (s samples) print(tiny, long, brief *shape, hand map[string][]float64) {
	fmt.Printf("\n%-38s %26s  %s\n", "", "median [interval]", "target")
	scan := s.of("long scan", seconds)
	row("long: scan, ns a frame", scaled(scan, 1e9/float64(long.frames)), 0)
	for _, t := range []struct {
		what   string
		atMost float64
	}{{"decode", 3.6}, {"build", 4.5}, {"all", 6.5}, {"events", 0}} {
		row("long: "+t.what+" ÷ scan", ratios(s.of("long "+t.what, seconds), scan), t.atMost)
	}
	decode := scaled(s.of("long decode", seconds), 1e9/float64(long.frames))
	for _, l := range loops {
		if hand[l.name] == nil {
			fmt.Printf("%-38s not installed\n", "long: "+l.name+" ÷ decode")
			continue
		}
		least := 0.0
		if l.name == "python3" {
			least = -20
		}
		row("long: "+l.name+" ÷ decode", ratios(hand[l.name], decode), least)
	}
	for _, t := range []struct {
		what   string
		atMost float64
	}{{"decode", 0}, {"build", 45}, {"all", 80}} {
		row("short: "+t.what+", µs a request", scaled(s.of("short "+t.what, seconds), 1e6/float64(brief.requests)), t.atMost)
	}
	row("tiny: build, s", s.of("tiny build", seconds), 0.6)
	row("tiny: second build, s", s.of("tiny again", seconds), 0)
	for _, name := range []string{"long build", "long all", "short build", "short all"} {
		row(name+", MB resident", s.of(name, megabytes), 1000)
	}
	fmt.Printf("\n%d and %d requests, %d and %d frames; %d rounds\n", long.requests, brief.requests, long.frames, brief.frames, len(scan))
}

func scaled(v []float64, by float64) []float64 {
	out := slices.Clone(v)
	for i := range out {
		out[i] *= by
	}
	return out
}

// row prints a figure's median and its interval, and whether the median keeps the
// target: at most so much, at least where it is negative, none where it is 0.
func row(name string, v []float64, target float64) {
	lo, mid, hi := bench.Median(v)
	verdict := ""
	switch {
	case target > 0:
		verdict = fmt.Sprintf("≤ %g  %s", target, passed(mid <= target))
	case target < 0:
		verdict = fmt.Sprintf("≥ %g  %s", -target, passed(mid >= -target))
	}
	fmt.Printf("%-38s %10.2f [%.2f, %.2f]  %s\n", name, mid, lo, hi, verdict)
}

func passed(ok bool) string {
	if ok {
		return "pass"
	}
	return "FAIL"
}

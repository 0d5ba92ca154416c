package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/explain"
	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/cli"
	"aircheck/schema"
)

// addOptions defines the flags that decide what is built.
func addOptions(f *pflag.FlagSet, o *build.Options) {
	f.StringVar(&o.Prices, "prices", "", "`FILE` (JSON or YAML) of prices in place of the embedded table")
	f.StringVar(&o.Aliases, "aliases", "", "`FILE` (YAML) that brings spellings of providers and models together")
	f.StringVar(&o.Exclusions, "exclusions", "", "`FILE` (YAML) of rows to take out of measured: predicate, reason, date")
	f.StringVar(&o.Checks, "checks", "", "`FILE` (YAML) of checks that judge recorded answers again")
	f.StringVar(&o.Scores, "scores", "", "`FILE` (CSV) of scores by request_id or caller_request_id")
	f.StringVar(&o.Workloads, "workloads", "", "`FILE` (YAML) of workloads and the limits of the metrics that decide, in place of the embedded one")
	f.StringVar(&o.Period, "period", "", "`UNIT` that drift and flips over time compare: "+strings.Join(settings.Periods, ", ")+" (default "+settings.Periods[0]+")")
	f.BoolVar(&o.Defaults, "defaults", false, "leave aside the settings that the dataset keeps")
	f.BoolVar(&o.Strict, "strict", false, "exit with status 1 where a run is damaged, rather than leave it out and name it")
	f.StringVar(&o.Cache, "cache", "", "`DIR` for derived files, for datasets that cannot be written (default DIR/derived)")
	f.StringVar(&o.Memory, "memory", "", "`limit` of the memory that the process has resident at its peak, such as 4GB, at least 400MB (default: the engine takes up to 80% of the machine's)")
}

// inForce takes the settings that the dataset keeps where none are given, and
// says which hold.
func inForce(env *cli.Env, o *build.Options) error {
	o.LeftOut = leftOut(env, o.Dir)
	if err := o.Fill(); err != nil {
		return explained(err)
	}
	if text := o.InForce(); text != "" {
		fmt.Fprintf(env.Stderr, "settings in force: %s\n", text)
	}
	return nil
}

// leftOut names each run that is left out, once: those that are in a journal, with
// the way out, and those that cannot be read as they are met.
func leftOut(env *cli.Env, dir string) func(schema.Fault) {
	for _, line := range schema.Unsealed(dir) {
		fmt.Fprintf(env.Stderr, "left out: %s/%s\n", strings.TrimRight(dir, "/"), line)
	}
	said := map[schema.Fault]bool{}
	return func(fault schema.Fault) {
		if !said[fault] {
			said[fault] = true
			fmt.Fprintf(env.Stderr, "left out: %s/%s\n", strings.TrimRight(dir, "/"), fault)
		}
	}
}

// every is how often progress is told where no one sees a line change.
const every = 10 * time.Second

// progress tells the stage at hand, how far it is and how long it may take: on
// one line of a terminal, elsewhere with a line every ten seconds.
func progress(w io.Writer) func(stage string, done, total int) {
	var at string
	var began, told time.Time
	return func(stage string, done, total int) {
		if stage == "" {
			if cli.IsTerminal(w) {
				fmt.Fprint(w, "\r\x1b[K")
			}
			return
		}
		now := time.Now()
		if told.IsZero() {
			told = now
		}
		if stage != at {
			at, began = stage, now
		}
		line := stage
		if total > 1 {
			line = fmt.Sprintf("%s %d of %d", stage, done+1, total)
			if left := now.Sub(began) / time.Duration(max(done, 1)) * time.Duration(total-done); done > 0 && left > time.Second {
				line += fmt.Sprintf(", about %s left", left.Round(time.Second))
			}
		}
		if cli.IsTerminal(w) {
			fmt.Fprintf(w, "\r\x1b[K%.79s", line)
		} else if now.Sub(told) >= every {
			fmt.Fprintln(w, line)
			told = now
		}
	}
}

// explained gives an error of the analysis its exit status and its hint.
func explained(err error) error { return explain.Error(err, "--cache") }

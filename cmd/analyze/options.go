package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/explain"
	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/cli"
)

// addOptions defines the flags that decide what is built.
func addOptions(f *pflag.FlagSet, o *build.Options) {
	f.StringVar(&o.Prices, "prices", "", "`FILE` (JSON or YAML) of prices in place of the embedded table")
	f.StringVar(&o.Aliases, "aliases", "", "`FILE` (YAML) that brings spellings of providers and models together")
	f.StringVar(&o.Exclusions, "exclusions", "", "`FILE` (YAML) of rows to take out of measured: predicate, reason, date")
	f.StringVar(&o.Checks, "checks", "", "`FILE` (YAML) of checks that judge recorded answers anew")
	f.StringVar(&o.Scores, "scores", "", "`FILE` (CSV) of scores by request_id or caller_request_id")
	f.StringVar(&o.Workloads, "workloads", "", "`FILE` (YAML) of workloads and the limits of the metrics that decide, in place of the embedded one")
	f.StringVar(&o.Period, "period", "", "`UNIT` that drift and flips over time compare: "+strings.Join(settings.Periods, ", ")+" (default "+settings.Periods[0]+")")
	f.StringVar(&o.Cache, "cache", "", "`DIR` for derived files, for datasets that cannot be written (default DIR/derived)")
	f.StringVar(&o.Memory, "memory", "", "soft memory `limit` of the engine, such as 4GB (default 80% of the machine's)")
}

// progress shows the stage at hand on a terminal, and nothing elsewhere.
func progress(w io.Writer) func(stage string, done, total int) {
	if !cli.IsTerminal(w) {
		return nil
	}
	return func(stage string, done, total int) {
		if stage == "" {
			fmt.Fprint(w, "\r\x1b[K")
			return
		}
		line := stage
		if total > 1 {
			line = fmt.Sprintf("%s %d/%d", stage, done+1, total)
		}
		fmt.Fprintf(w, "\r\x1b[K%.79s", line)
	}
}

// explained gives an error of the analysis its exit status and its hint.
func explained(err error) error { return explain.Error(err, "--cache") }

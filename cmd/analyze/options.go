package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"aircheck/analysis"
	"aircheck/internal/cli"
	"aircheck/schema"
)

// addOptions defines the flags that decide what is built.
func addOptions(f *pflag.FlagSet, o *analysis.Options) {
	f.StringVar(&o.Prices, "prices", "", "`FILE` (JSON or YAML) of prices in place of the embedded table")
	f.StringVar(&o.Aliases, "aliases", "", "`FILE` (YAML) that brings spellings of providers and models together")
	f.StringVar(&o.Exclusions, "exclusions", "", "`FILE` (YAML) of rows to take out of measured: predicate, reason, date")
	f.StringVar(&o.Checks, "checks", "", "`FILE` (YAML) of checks that judge recorded answers anew")
	f.StringVar(&o.Scores, "scores", "", "`FILE` (CSV) of scores by request_id or caller_request_id")
	f.StringVar(&o.Workloads, "workloads", "", "`FILE` (YAML) of workloads and the limits of the metrics that decide, in place of the embedded one")
	f.StringVar(&o.Period, "period", "", "`UNIT` that drift and flips over time compare: "+strings.Join(analysis.Periods, ", ")+" (default "+analysis.Periods[0]+")")
	f.StringVar(&o.Cache, "cache", "", "`DIR` for derived files, for datasets that cannot be written (default DIR/derived)")
	f.StringVar(&o.Memory, "memory", "", "soft memory `limit` of the engine, such as 4GB (default 80% of the machine's)")
}

// progress shows the stage at hand on a terminal, and nothing elsewhere.
func progress(w io.Writer) func(stage string, done, total int) {
	if !isTerminal(w) {
		return nil
	}
	return func(stage string, done, total int) {
		line := stage
		if total > 1 {
			line = fmt.Sprintf("%s %d/%d", stage, done+1, total)
		}
		fmt.Fprintf(w, "\r\x1b[K%.79s", line)
	}
}

func clearProgress(w io.Writer) {
	if isTerminal(w) {
		fmt.Fprint(w, "\r\x1b[K")
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// explain gives an error of the analysis its exit status and, where the cause
// is known, the next step.
func explain(err error) error {
	var none *schema.ErrNoDataset
	var option *analysis.OptionError
	var damaged *schema.DamagedError
	var pathErr *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &none):
		return cli.Fail(cli.Usage, cli.Hint(err, "name the directory that record wrote with --to"))
	case errors.As(err, &damaged):
		return cli.Fail(cli.Faults, cli.Hint(err, "'record verify' lists all that is wrong with a recording"))
	case errors.As(err, &option):
		return cli.Fail(cli.Usage, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return cli.Fail(cli.IO, cli.Hint(err, "the disk is full: free space, or put derived files elsewhere with --cache"))
	case errors.Is(err, syscall.EFBIG):
		return cli.Fail(cli.IO, cli.Hint(err, "a file grew past this process's size limit (ulimit -f)"))
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return cli.Fail(cli.IO, cli.Hint(err, "put derived files elsewhere with --cache DIR"))
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &pathErr) && pathErr.Op == "stat":
		return cli.Usagef("%s: no such directory", pathErr.Path)
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &pathErr):
		return cli.Fail(cli.Usage, err)
	}
	return err
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
	"aircheck/internal/report/words"
)

// compareFlags are the command's flags.
type compareFlags struct {
	build         build.Options
	by            string
	before, after string
	metrics       []string
	margins       []string
	format        string
	clock         string
	failOn        string
}

var failures = []string{"regression", "tendency"}

func compareCommand() *cli.Command {
	var f compareFlags
	return &cli.Command{
		Name:  "compare",
		Args:  "BEFORE AFTER | DIR --by window|run|period [flags]",
		Short: "tell what changed, and how sure that is",
		Long: `
Each cell (provider, model, scenario, concurrency, vantage, parameters) is
compared with itself at another time: in another dataset, or in another window,
run or period of one. The windows of the two times are the units, eight or more on
each side; how far they depend on each other is estimated over all cells, and
counted. Benjamini–Hochberg at 5 % over all cells of a metric. A change counts if
it is also larger than the metric's margin, and a cell is unchanged where its whole
interval lies within that margin. Every other line says what it leans to, if
anything, and why no more can be said: too few windows (a difference may be these
windows'), windows that depend on each other, too few values, within the margin, or
too little power.

A run may be named by its plan's name, a window by its own without its run's,
where only one has that name.

Without --metric, the first metric of each family is compared that the data have
(time to first token, whole answer, tail, speed, pauses, share answered, useful
results, cost); 'analyze sql DIR "FROM metrics"' lists all.`,
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&f.by, "by", "", "compare within one dataset, by "+strings.Join(build.Parts, ", ")+": the last with the one before it")
			fs.StringVar(&f.before, "before", "", "`NAME` of the window, run or period that comes before")
			fs.StringVar(&f.after, "after", "", "`NAME` of the one that comes after")
			fs.StringSliceVar(&f.metrics, "metric", nil, "`METRIC` to compare; may be repeated")
			fs.StringArrayVar(&f.margins, "margin", nil, "`[METRIC=]MARGIN` that a change must exceed: a share such as 15%, or a value in the metric's unit; may be repeated")
			fs.StringVar(&f.format, "format", "text", strings.Join(compareFormats, ", "))
			fs.StringVar(&f.failOn, "fail-on", "", "exit with status 3 on a `regression`, or already on a tendency to the worse beyond the margin")
			fs.StringVar(&f.clock, "clock", "", "`read` times all frames by the return of their read, also where the kernel's stamp is there: for runs that differ in this")
			addOptions(fs, &f.build)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error { return f.run(ctx, env, args) },
	}
}

func (f *compareFlags) run(ctx context.Context, env *cli.Env, args []string) error {
	o, err := f.check(args)
	if err != nil {
		return err
	}
	f.build.Progress, f.build.ReadClock = progress(env.Stderr), f.clock == "read"
	var c *build.Comparison
	if f.by == "" {
		before, after := f.build, f.build
		before.Dir, after.Dir = args[0], args[1]
		if f.build.Cache != "" { // one for each, or the second build would sweep the first one's files
			before.Cache, after.Cache = filepath.Join(f.build.Cache, "before"), filepath.Join(f.build.Cache, "after")
		}
		if err := errors.Join(inForce(env, &before), inForce(env, &after)); err != nil {
			return err
		}
		c, err = build.CompareDatasets(ctx, before, after, o)
	} else {
		f.build.Dir = args[0]
		if err := inForce(env, &f.build); err != nil {
			return err
		}
		c, err = build.CompareBy(ctx, f.build, f.by, f.before, f.after, o)
	}
	if err != nil {
		return explained(err)
	}
	if len(c.Changes) == 0 && len(c.Withdrawn) == 0 {
		err := fmt.Errorf("%s and %s have no cell in common", c.Before.Name, c.After.Name)
		return cli.Fail(cli.Usage, cli.Hint(err, "a cell is one provider, model, scenario, concurrency, vantage and set of parameters; --aliases brings spellings together"))
	}
	out := bufio.NewWriter(env.Stdout)
	if err := writeComparison(out, c, f.format); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.gate(c)
}

// check reads the flags and operands which need no data.
func (f *compareFlags) check(args []string) (o build.CompareOptions, err error) {
	switch {
	case f.by == "" && len(args) != 2:
		return o, cli.Hint(cli.Usagef("want two datasets, or one and --by: analyze compare BEFORE AFTER"), "'analyze compare DIR --by run' compares the last run with the one before it")
	case f.by != "" && len(args) != 1:
		return o, cli.Usagef("want one dataset with --by: analyze compare DIR --by %s", f.by)
	case f.by != "" && !slices.Contains(build.Parts, f.by):
		return o, cli.Usagef("by %q: want one of %s", f.by, strings.Join(build.Parts, ", "))
	case f.by == "" && f.before+f.after != "":
		return o, cli.Usagef("--before and --after name parts of one dataset: they go with --by")
	case f.clock != "" && f.clock != "read":
		return o, cli.Hint(cli.Usagef("clock %q: want read", f.clock), "without --clock each frame has the best time that is known")
	case !slices.Contains(compareFormats, f.format):
		return o, cli.Usagef("format %q: want one of %s", f.format, strings.Join(compareFormats, ", "))
	case f.failOn != "" && !slices.Contains(failures, f.failOn):
		return o, cli.Usagef("fail-on %q: want one of %s", f.failOn, strings.Join(failures, ", "))
	}
	o.Metrics = f.metrics
	o.Margins, err = readMargins(f.margins)
	return o, err
}

// readMargins reads "15%", "ttft_ms=15%", "ttft_ms=20" and lists of these.
func readMargins(list []string) (map[string]build.Margin, error) {
	out := map[string]build.Margin{}
	for _, entry := range list {
		metric, value, named := strings.Cut(entry, "=")
		if !named {
			metric, value = "", entry
		}
		text, isShare := strings.CutSuffix(value, "%")
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		switch {
		case err != nil || !(v >= 0) || math.IsInf(v, 0):
			return nil, cli.Usagef("margin %q: want a share such as 15%%, or METRIC=VALUE in the metric's unit", entry)
		case !isShare && metric == "":
			return nil, cli.Hint(cli.Usagef("margin %q: a value in a unit needs its metric", entry), "--margin %s%% or --margin ttft_net_ms=%s", value, value)
		}
		m := out[metric]
		if isShare {
			m.Ratio = new(v / 100)
		} else {
			m.Abs = &v
		}
		out[metric] = m
	}
	return out, nil
}

// gate fails where the comparison shows what it is to fail on.
func (f *compareFlags) gate(c *build.Comparison) error {
	regressions, tendencies := 0, 0
	for _, x := range c.Changes {
		switch {
		case x.Claim == build.Regression && x.Verdict == build.Supported:
			regressions++
		case x.Claim == build.Regression:
			tendencies++
		}
	}
	switch {
	case f.failOn != "" && len(c.Withdrawn) > 0:
		return cli.Fail(cli.Gate, fmt.Errorf("%s, and %s withdrawn", words.Count(int64(regressions), "regression"), words.Count(int64(len(c.Withdrawn)), "cell")))
	case f.failOn != "" && regressions > 0:
		return cli.Fail(cli.Gate, fmt.Errorf("%s", words.Count(int64(regressions), "regression")))
	case f.failOn == "tendency" && tendencies > 0:
		return cli.Fail(cli.Gate, fmt.Errorf("no regression, but %d that tend to the worse beyond the margin", tendencies))
	}
	return nil
}

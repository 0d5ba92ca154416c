package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
	"aircheck/internal/report/screen"
	"aircheck/internal/report/words"
)

func buildCommand() *cli.Command {
	var o build.Options
	var quiet, all, events, rebuild bool
	var shards int
	return &cli.Command{
		Name:  "build",
		Args:  "DIR... [flags]",
		Short: "decode and derive what is new",
		Long: `
Frames of runs that were not seen before are decoded, and results is brought up to
date: one row a request. Every other table is stored when it is first read; --all
stores them now. Derived files go to DIR/derived; they can be deleted at any time.
A build over unchanged data reads no frame. What the data say is printed on one
screen.

The options of a build are settings of the dataset: they are copied to
DIR/settings and hold for sql, export, compare, report and the next build until
others are given; --defaults drops them. docs/files.md has an example of each file that they name.

DIR/aircheck.duckdb (with --cache, in that directory) then holds the views, for any
DuckDB shell, notebook or BI tool, from any folder; --all makes every one of them
readable there. Its paths are absolute: after DIR was moved or copied, build again.`,
		Flags: func(f *pflag.FlagSet) {
			addOptions(f, &o)
			f.BoolVar(&all, "all", false, "store every table now, rather than when it is first read")
			f.BoolVar(&events, "events", false, "decode events now, rather than those that a query needs when it needs them")
			f.BoolVar(&rebuild, "rebuild", false, "derive everything again")
			f.IntVar(&shards, "plan-shards", 0, "print what each of `N` shares for 'analyze decode --shard I/N' holds, a JSON object a line, and build nothing")
			f.BoolVarP(&quiet, "quiet", "q", false, "print what was built, and no verdicts")
			f.IntVar(&o.Workers, "threads", 0, "`threads` to use (default one a processor)")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("no dataset named: want analyze build DIR")
			}
			if shards < 0 || shards > maxShards {
				return cli.Usagef("--plan-shards %d: want 1 to %d", shards, maxShards)
			}
			o.Progress = progress(env.Stderr)
			var orders []build.Order
			if all {
				orders = append(orders, build.All)
			}
			if events {
				orders = append(orders, build.Events)
			}
			if rebuild {
				orders = append(orders, build.Rebuild)
			}
			faults := 0
			for _, dir := range args {
				o := o
				o.Dir = dir
				if err := inForce(env, &o); err != nil {
					return err
				}
				if shards > 0 {
					if err := planShards(ctx, env, o, shards); err != nil {
						return explained(err)
					}
					continue
				}
				s, err := build.Build(ctx, o, orders...)
				if err != nil {
					return explained(err)
				}
				fmt.Fprintf(env.Stdout, "%s: %s\n", dir, summary(s))
				faults += len(s.Left)
				unmatched, err := build.Unmatched(ctx, o)
				if err != nil {
					return explained(err)
				}
				for _, line := range unmatched {
					fmt.Fprintf(env.Stderr, "analyze build: note: %s\n", line)
				}
				if !quiet {
					if err := closingScreen(ctx, env, o); err != nil {
						return explained(err)
					}
				}
				if _, err := build.Database(ctx, o); err != nil { // last: it holds what is stored by now
					return explained(err)
				}
			}
			if faults > 0 {
				return cli.Hint(cli.Fail(cli.Faults, fmt.Errorf("left out %s", words.Count(int64(faults), "run"))), "'record verify' lists all that is wrong with a recording")
			}
			return nil
		},
	}
}

const maxShards = 100_000

// planShards prints the shares for any scheduler.
func planShards(ctx context.Context, env *cli.Env, o build.Options, n int) error {
	plan, err := build.Plan(ctx, o, n)
	if err != nil {
		return err
	}
	lines := json.NewEncoder(env.Stdout)
	for _, s := range plan {
		if err := lines.Encode(s); err != nil {
			return err
		}
	}
	return nil
}

// closingScreen says what a built dataset says, bold on a terminal alone.
func closingScreen(ctx context.Context, env *cli.Env, o build.Options) error {
	r, err := build.OpenFor(ctx, o, screen.Views...)
	if err != nil {
		return err
	}
	defer r.Close()
	var bold func(string) string
	if cli.IsTerminal(env.Stdout) {
		bold = func(s string) string { return "\x1b[1m" + s + "\x1b[0m" }
	}
	lines, err := screen.Screen(ctx, r, o.Dir, screen.Height-1, bold)
	if err != nil {
		return err
	}
	for _, line := range lines {
		fmt.Fprintln(env.Stdout, line)
	}
	return nil
}

func summary(s *build.Summary) string {
	parts := []string{
		words.Count(int64(s.Runs), "run"), words.Count(s.Requests, "request"), words.Count(s.Chunks, "frame"),
	}
	switch {
	case len(s.Built) == 0 && s.Decoded == 0:
		parts = append(parts, "nothing new")
	case s.Decoded == 0:
		parts = append(parts, words.Count(int64(len(s.Built)), "table")+" derived")
	default:
		parts = append(parts, words.Count(int64(s.Decoded), "run")+" decoded", words.Count(int64(len(s.Built)), "table")+" derived")
	}
	return strings.Join(parts, ", ")
}

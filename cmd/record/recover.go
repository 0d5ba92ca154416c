package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/journal"
	"aircheck/internal/record/runner"
)

func recoverCommand() *cli.Command {
	var keys []string
	return &cli.Command{
		Name:  "recover",
		Args:  "DIR",
		Short: "turn the journal of a run that crashed into sealed Parquet",
		Long: `
Seals the runs whose recorder was killed before it could: every frame that reached
the disk, and a row for every request, those that were not over as cancelled.
Runs that are still recording are left alone, and what an interrupted import left
behind is removed. It may be interrupted, and run again. The next run does the
same before it begins.

A key that a server repeated in pieces, over several frames, is looked for, too, if
the variables that the plan names hold it again. For a proxy's run name variables
with --key-env.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringSliceVar(&keys, "key-env", nil, "`VARIABLES` whose values are hidden, beside those that the plan names")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			return recoverRuns(env, args, runner.MaskOf(env.Getenv, keys))
		},
	}
}

func recoverRuns(env *cli.Env, args []string, maskOf journal.MaskOf) error {
	if len(args) != 1 {
		return cli.Hint(cli.Usagef("want one dataset, got %d operands", len(args)), "record recover traces")
	}
	dir := args[0]
	if _, err := os.Stat(dir); err != nil {
		return datasetError(err)
	}
	recovered, err := journal.Recover(dir, maskOf)
	report(env.Stdout, dir, recovered)
	if err != nil {
		return datasetError(err)
	}
	if len(recovered) == 0 {
		fmt.Fprintf(env.Stdout, "%s: no journal; nothing to recover\n", dir)
	}
	return nil
}

// recoverFirst seals what earlier runs left before a new one begins. What cannot
// be sealed stays as it is, and does not keep the new run from beginning.
func recoverFirst(env *cli.Env, dir string) {
	w := env.Stderr
	recovered, err := journal.Recover(dir, runner.MaskOf(env.Getenv, nil))
	report(w, dir, recovered)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(w, "record: %v\n", err)
	}
}

// report says what became of each journal.
func report(w io.Writer, dir string, recovered []journal.Recovered) {
	for _, r := range recovered {
		switch {
		case r.State == journal.Recording:
			fmt.Fprintf(w, "run %s in %s: still recording; left as it is\n", r.RunID, dir)
		case r.Run == nil:
			fmt.Fprintf(w, "run %s in %s: nothing was recorded; its journal is removed\n", r.RunID, dir)
		default:
			fmt.Fprintf(w, "run %s in %s: recovered, with %d requests, %d of them not over, and %d frames\n", r.RunID, dir, r.Run.Requests, r.Open, r.Run.Chunks)
			if r.Skipped > 0 {
				fmt.Fprintf(w, "run %s in %s: %d bytes of its journal could not be read\n", r.RunID, dir, r.Skipped)
			}
		}
	}
}

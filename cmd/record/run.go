package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/runner"
	"aircheck/internal/rules/prices"
)

func runCommand() *cli.Command {
	var dir, priceFile string
	return &cli.Command{
		Name:  "run",
		Args:  "PLAN.yaml [--to DIR]",
		Short: "run a plan and record every answer",
		Long: `
Sends the plan's requests in its order, and writes one row for each, whatever
became of it, and every frame of its answer with its time of arrival. Nothing is
sent twice: a failed request is a result.

API keys are read from the environment variables that the plan names; they
reach neither the disk nor any message. The first interrupt lets the open
requests finish and seals the run; the second cuts them off.

Exit status 4 if no request got an HTTP response, or if the disk is full; what
was recorded is kept.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&dir, "to", "traces", "dataset to write to; made if it does not exist")
			addPrices(f, &priceFile)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Hint(cli.Usagef("want one plan, got %d operands", len(args)), "record run plan.yaml --to traces")
			}
			return run(ctx, env, args[0], dir, priceFile)
		},
	}
}

func run(ctx context.Context, env *cli.Env, path, dir, priceFile string) error {
	p, err := loadPlan(path)
	if err != nil {
		return err
	}
	table, err := loadPrices(priceFile)
	if err != nil {
		return err
	}
	r, err := runner.New(runner.Options{Plan: p, Dir: dir, Prices: table, Getenv: env.Getenv})
	if err != nil {
		return asExit(err)
	}
	// Marking a heap delays the goroutines that read sockets; memory is cheaper.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	hard, release := secondInterrupt(ctx)
	defer release()
	finish := showProgress(env.Stderr, r)
	result, err := r.Run(ctx, hard)
	finish()
	switch {
	case errors.Is(err, context.Canceled):
		return cli.Fail(cli.Interrupted, errors.New("interrupted before the first request; nothing was recorded"))
	case err != nil:
		return datasetError(err)
	}
	return conclude(env, dir, result)
}

// conclude says what the run came to.
func conclude(env *cli.Env, dir string, result *runner.Result) error {
	s := result.Status
	fmt.Fprintf(env.Stdout, "run %s in %s: %d requests, %d answered over HTTP, %d with an error, %d frames%s\n",
		result.Run.RunID, dir, result.Run.Requests, result.Responses, s.Errors, result.Run.Chunks, spending(s))
	for _, note := range result.Run.Notes {
		fmt.Fprintf(env.Stdout, "note: %s\n", note)
	}
	switch {
	case result.Stopped != nil:
		return datasetError(fmt.Errorf("%w after %d of %d requests; what was recorded is sealed", result.Stopped, s.Done, s.Total))
	case result.Interrupted:
		return cli.Fail(cli.Interrupted, fmt.Errorf("interrupted after %d of %d requests; what was recorded is sealed", s.Done, s.Total))
	case result.Responses == 0 && !result.OverBudget:
		err := fmt.Errorf("no request got an HTTP response: %s", result.Failure)
		return cli.Fail(cli.IO, cli.Hint(err, "check base_url in the plan, and the network; the failures are recorded"))
	}
	return nil
}

// secondInterrupt gives a context that ends with the second interrupt. A third
// ends the process, as usual.
func secondInterrupt(ctx context.Context) (context.Context, func()) {
	hard, cancel := context.WithCancel(context.WithoutCancel(ctx))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for n := 0; n < 2; n++ {
			select {
			case <-signals:
			case <-done:
				return
			}
		}
		signal.Stop(signals)
		cancel()
	}()
	return hard, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}

// loadPlan reads a plan; whatever is wrong with it is the user's to put right.
func loadPlan(path string) (*plan.Plan, error) {
	p, err := plan.Load(path)
	var faults yamlx.Errors
	switch {
	case errors.As(err, &faults):
		return nil, cli.Fail(cli.Usage, cli.Hint(err, "docs/plan.md describes every key"))
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EISDIR):
		return nil, cli.Fail(cli.Usage, err)
	}
	return p, err
}

func addPrices(f *pflag.FlagSet, file *string) {
	f.StringVar(file, "prices", "", "`FILE` (JSON or YAML) of prices in place of the embedded table")
}

// loadPrices reads a price table, the embedded one where no file is named.
func loadPrices(file string) (*prices.Table, error) {
	if file == "" {
		return prices.Embedded(), nil
	}
	data, err := yamlx.ReadFile(file)
	if err != nil {
		return nil, cli.Fail(cli.Usage, err)
	}
	table, err := prices.Load(bytes.NewReader(data), file)
	return table, cli.Fail(cli.Usage, cli.Hint(err, "docs/files.md has an example of a price table"))
}

// asExit keeps the status that an error carries, and finds one for others.
func asExit(err error) error {
	if cli.Status(err) != cli.IO {
		return err
	}
	return datasetError(err)
}

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
	"time"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/limits"
	"aircheck/internal/kit/lock"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/runner"
	"aircheck/internal/rules/prices"
	"aircheck/schema"
)

func runCommand() *cli.Command {
	var dir, priceFile, resume string
	var due, durable bool
	memory := size(limits.Memory)
	runPlan := func(ctx context.Context, env *cli.Env, p *plan.Plan, path string) error {
		if err := enough(memory); err != nil {
			return err
		}
		table, err := loadPrices(priceFile)
		if err != nil {
			return err
		}
		o := runner.Options{Plan: p, Dir: dir, Prices: table, Getenv: env.Getenv, Durable: durable, Memory: int64(memory), Resume: resume}
		if due {
			return runDue(ctx, env, path, o)
		}
		return run(ctx, env, o)
	}
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
requests finish and seals the run; the second cuts them off and leaves the run in
its journal. A terminal that goes away is an interrupt.

What arrives is in the run's journal, DIR/journal/RUN, within 20 ms, and is made
durable once a second, or with each batch under --durable. After a crash the next
run, or record recover, seals what the journal holds.

A target that refuses everything (a wrong key, an unknown model) is said at once,
and left alone but for one request a window, unless the plan says otherwise.

With --resume a run that was interrupted, or killed, goes on under its name: what
it has is not asked again, requests that were cut off are. A budget counts what is
sent now. Bursts and cold starts that were cut short stay as they are.

With --due only one window of the plan is run, if it is due, so that cron or a
timer can drive a campaign of days: see examples/campaign.

Exit status 2 if a dead target ended the run, as the plan may want; 4 if no
request got an HTTP response, or if the disk is full. What was recorded is kept.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&dir, "to", "traces", "dataset to write to; made if it does not exist")
			f.BoolVar(&due, "due", false, "run the next window of the plan if it is due, and nothing else")
			f.StringVar(&resume, "resume", "", "go on with the interrupted `RUN`, and ask only for what it lacks; its record has the plan")
			f.BoolVar(&durable, "durable", false, "make every batch of frames durable before the next is written (each 5 ms)")
			f.Var(&memory, "memory", "the most memory that the run takes, whatever arrives")
			addPrices(f, &priceFile)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if resume != "" && len(args) == 0 {
				recoverFirst(env, dir)
				p, err := recordedPlan(dir, resume)
				if err != nil {
					return err
				}
				return runPlan(ctx, env, p, "")
			}
			if len(args) != 1 {
				return cli.Hint(cli.Usagef("want one plan, got %d operands", len(args)), "record run plan.yaml --to traces")
			}
			p, err := loadPlan(args[0])
			if err != nil {
				return err
			}
			return runPlan(ctx, env, p, args[0])
		},
	}
}

// runDue runs a campaign's next window if it is due. Of two that a timer starts
// at once, one does nothing.
func runDue(ctx context.Context, env *cli.Env, path string, o runner.Options) error {
	release, taken, err := lock.Try(path)
	if err != nil {
		return cli.Fail(cli.Usage, err)
	}
	if !taken {
		fmt.Fprintf(env.Stdout, "campaign %s: a window is running; nothing to do\n", o.Plan.Name)
		return nil
	}
	defer release()
	due, err := runner.NextWindow(o.Plan, o.Dir, time.Now())
	if err != nil {
		return asExit(err)
	}
	count := o.Plan.Windows.Count
	switch {
	case due.Done:
		fmt.Fprintf(env.Stdout, "campaign %s: complete, with %d windows; nothing to do\n", o.Plan.Name, count)
		return nil
	case !due.Now:
		fmt.Fprintf(env.Stdout, "campaign %s: window %d of %d is due at %s; nothing to do\n", o.Plan.Name, due.Window+1, count, due.At.UTC().Format(time.DateTime+" UTC"))
		return nil
	}
	missed := ""
	if due.Missed > 0 {
		missed = fmt.Sprintf("; the machine let %d times pass, and the campaign ends so much later", due.Missed)
	}
	fmt.Fprintf(env.Stdout, "campaign %s: window %d of %d%s\n", o.Plan.Name, due.Window+1, count, missed)
	o.Window = &due.Window
	return run(ctx, env, o)
}

func run(ctx context.Context, env *cli.Env, o runner.Options) error {
	recoverFirst(env, o.Dir)
	shown := newProgress(env.Stderr)
	o.Say = shown.say
	r, err := runner.New(o)
	if err != nil {
		return asExit(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(heapOf(o.Memory)))
	hard, release := secondInterrupt(ctx)
	defer release()
	finish := shown.follow(r)
	result, err := r.Run(ctx, hard)
	finish()
	var unsealed *runner.UnsealedError
	switch {
	case errors.Is(err, context.Canceled):
		return cli.Fail(cli.Interrupted, errors.New("interrupted before the first request; nothing was recorded"))
	case errors.Is(err, runner.ErrStopped):
		return cli.Fail(cli.Interrupted, cli.Hint(err, "the next run seals it; so does 'record recover %s'", o.Dir))
	case errors.As(err, &unsealed):
		return datasetError(cli.Hint(err, "when the cause is gone, the next run seals it; so does 'record recover %s'", o.Dir))
	case err != nil:
		return datasetError(err)
	}
	return conclude(env, o.Dir, result)
}

// enough refuses less memory than the recorder needs for itself.
func enough(memory size) error {
	if memory >= limits.LeastMemory {
		return nil
	}
	return cli.Usagef("--memory %s is less than the recorder needs: at least %dMB", &memory, limits.LeastMemory>>20)
}

// besideHeap is what the process takes beside its heap: the program itself.
const besideHeap = 64 << 20

// heapOf is how large the heap may grow for the process to stay within its memory.
func heapOf(memory int64) int64 { return max(memory-besideHeap, memory/2) }

// conclude says what the run came to.
func conclude(env *cli.Env, dir string, result *runner.Result) error {
	s := result.Status
	fmt.Fprintf(env.Stdout, "run %s in %s: %d requests, %d answered over HTTP, %d with an error, %d frames%s\n",
		result.Run.RunID, dir, result.Run.Requests, result.Responses, s.Errors, result.Run.Chunks, spending(s))
	for _, note := range result.Run.Notes {
		fmt.Fprintf(env.Stdout, "note: %s\n", note)
	}
	for _, t := range result.Silent {
		left := ""
		if t.Skipped > 0 {
			left = fmt.Sprintf(", %d more left out", t.Skipped)
		}
		fmt.Fprintf(env.Stdout, "%s gave nothing: %d of %d failed%s: %s\n", t.Target, t.Failed, t.Failed, left, t.Reason)
	}
	switch {
	case result.Stopped != nil:
		return datasetError(fmt.Errorf("%w after %d of %d requests; what was recorded is sealed", result.Stopped, s.Done, s.Total))
	case result.Interrupted:
		return cli.Fail(cli.Interrupted, fmt.Errorf("interrupted after %d of %d requests; what was recorded is sealed", s.Done, s.Total))
	case result.Halted:
		return cli.Fail(cli.Usage, cli.Hint(fmt.Errorf("stopped after %d of %d requests because a target refused everything; what was recorded is sealed", s.Done, s.Total),
			"put the plan right, or set on_dead_target: pause"))
	case result.Responses == 0 && !result.OverBudget:
		err := fmt.Errorf("no request got an HTTP response: %s", result.Failure)
		return cli.Fail(cli.IO, cli.Hint(err, "check base_url in the plan, and the network; the failures are recorded"))
	}
	return nil
}

// secondInterrupt gives a context that ends with the second interrupt. Further
// ones do nothing: the end is near, and sealing is not to be cut short. Nor is a
// reader of the output that goes away a reason to end.
func secondInterrupt(ctx context.Context) (context.Context, func()) {
	hard, cancel := context.WithCancel(context.WithoutCancel(ctx))
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, cli.Interrupts()...)
	done := make(chan struct{})
	go func() {
		for n := 1; ; n++ {
			select {
			case <-signals:
				if n == 2 {
					cancel()
				}
			case <-done:
				return
			}
		}
	}()
	return hard, func() {
		signal.Stop(signals)
		signal.Reset(syscall.SIGPIPE)
		close(done)
		cancel()
	}
}

// recordedPlan is the plan that a run was made with. Files that it names are looked
// for where this command runs.
func recordedPlan(dir, runID string) (*plan.Plan, error) {
	run, err := schema.ReadRun(dir, runID)
	if err != nil {
		return nil, datasetError(err)
	}
	p, err := plan.Parse([]byte(run.Plan), run.Name+".yaml")
	return p, cli.Fail(cli.Usage, cli.Hint(err, "name the plan's file, for what it refers to is found beside it"))
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

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/simulate"
)

func simulateCommand() *cli.Command {
	var listen, truth string
	var v virtualFlags
	return &cli.Command{
		Name:  "simulate",
		Args:  "FLEET.yaml [--listen ADDR | --virtual --to DIR] [--truth FILE]",
		Short: "serve a fleet of simulated providers with known truth, or write what a recording of it would hold",
		Long: `
Serves every provider of the fleet over HTTP until interrupted, each under
http://ADDR/PROVIDER/v1, in all the APIs that a plan can name. A line with the
address is printed when it is ready.

With --truth, one line of JSON for each request says what was sent and when:
the planned time and the wall time of every write, bytes and SHA-256 of the
body, tokens, the fault that was planted, and the outcome that a recording
should come to. Nothing leaves the machine unless ADDR says so.

With --virtual, nothing is served: the plans of the fleet's file are carried out
in virtual time, fourteen days in a minute, and written as a dataset. Answers
come from the same code as those served; only the clock differs. All rows have
the origin simulated, and the same file gives the same bytes. The truth has
virtual times then, and no single writes.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&listen, "listen", "127.0.0.1:0", "address to serve; port 0 takes any that is free")
			v.define(f)
			f.StringVar(&truth, "truth", "", "file to append the ground truth to, as JSON lines")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Hint(cli.Usagef("one fleet file is needed, got %d operands", len(args)), "run 'record simulate --help'")
			}
			return runSimulate(ctx, env, args[0], listen, truth, &v)
		},
	}
}

func runSimulate(ctx context.Context, env *cli.Env, path, listen, truthPath string, v *virtualFlags) (err error) {
	fleet, err := simulate.Load(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return cli.Fail(cli.Usage, err)
	case err != nil:
		return cli.Fail(cli.Usage, cli.Hint(err, "the keys of a fleet file are listed in examples/README.md"))
	}
	var truth io.Writer
	if truthPath != "" {
		f, err := os.OpenFile(truthPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err != nil {
			return cli.Fail(cli.IO, fmt.Errorf("open the ground truth: %w", err))
		}
		defer func() {
			if e := f.Close(); e != nil && err == nil {
				err = cli.Fail(cli.IO, fmt.Errorf("write the ground truth: %w", e))
			}
		}()
		truth = f
	}
	if v.on {
		return v.run(ctx, env, fleet, path, truth)
	}
	server, err := simulate.Start(fleet, listen, truth)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return cli.Fail(cli.IO, cli.Hint(err, "another program listens there: choose another --listen address"))
	case err != nil:
		return cli.Fail(cli.IO, err)
	}
	models := map[string]bool{}
	for _, p := range fleet.Providers {
		for _, m := range p.Models {
			models[m.Name] = true
		}
	}
	fmt.Fprintf(env.Stdout, "providers: %d, models: %d, at http://%s\n", len(fleet.Providers), len(models), server.Addr())
	<-ctx.Done()
	if err := server.Close(); err != nil {
		return cli.Fail(cli.IO, err)
	}
	return nil // to be interrupted is how it ends
}

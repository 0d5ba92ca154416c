package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/simulate"
	"aircheck/internal/record/virtual"
)

// virtualFlags are what only virtual time has.
type virtualFlags struct {
	on         bool
	to, prices string
	thin       int
	seed       uint64
}

func (v *virtualFlags) define(f *pflag.FlagSet) {
	f.BoolVar(&v.on, "virtual", false, "carry out the fleet's own plans in virtual time, and serve nothing")
	f.StringVar(&v.to, "to", "", "with --virtual: `DIR` of the dataset to write")
	f.StringVar(&v.prices, "prices", "", "with --virtual: `FILE` to write the fleet's prices to, for analyze build --prices")
	f.IntVar(&v.thin, "thin", 1, "with --virtual: keep one window in `N`, spread over the same time")
	f.Uint64Var(&v.seed, "seed", 0, "with --virtual: another seed than the fleet's")
}

func (v *virtualFlags) run(ctx context.Context, env *cli.Env, fleet *simulate.Fleet, path string, truth io.Writer) error {
	switch {
	case v.to == "":
		return cli.Usagef("--virtual needs --to DIR, the dataset to write")
	case v.thin < 1:
		return cli.Usagef("--thin must be 1 or more, got %d", v.thin)
	case len(fleet.Plans) == 0:
		return cli.Hint(cli.Usagef("%s: the fleet has no plans, so there is nothing to record", path), "examples/market.yaml has some")
	case fleet.Starts.IsZero():
		return cli.Hint(cli.Usagef("%s: the fleet has no time at which it starts", path), "add a line such as starts: 2026-11-02T00:00:00Z")
	}
	if v.seed != 0 {
		fleet.Seed = v.seed
	}
	if v.prices != "" {
		if err := writePrices(v.prices, fleet); err != nil {
			return cli.Fail(cli.IO, err)
		}
	}
	r, err := virtual.Write(ctx, virtual.Options{Fleet: fleet, Name: path, Dir: v.to, Thin: v.thin, Truth: truth})
	if err != nil {
		return err
	}
	for _, run := range r.Runs {
		fmt.Fprintf(env.Stdout, "%s  %s: %d requests, %d frames\n", run.RunID, run.Name, run.Requests, run.Chunks)
	}
	fmt.Fprintf(env.Stdout, "%d requests, %d frames, simulated in virtual time, in %s\n", r.Requests, r.Chunks, v.to)
	return nil
}

// writePrices writes what the fleet charges, as analysis reads it.
func writePrices(path string, fleet *simulate.Fleet) error {
	data, err := json.MarshalIndent(fleet.Prices(), "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}

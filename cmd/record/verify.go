package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/store"
	"aircheck/schema"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Args:  "DIR",
		Short: "check a dataset: footers, checksums, order, body reconstruction, orphans",
		Long: `
Reads every file of every sealed run and prints one line for each fault. Exit
status 1 if there is any.`,
		Run: verify,
	}
}

func verify(ctx context.Context, env *cli.Env, args []string) error {
	if len(args) != 1 {
		return cli.Hint(cli.Usagef("want one dataset, got %d operands", len(args)), "record verify traces")
	}
	faults, err := schema.Verify(ctx, args[0])
	if err != nil {
		return readError(err)
	}
	for _, f := range faults {
		fmt.Fprintln(env.Stdout, f)
	}
	if len(faults) > 0 {
		return cli.Silent(cli.Faults)
	}
	dataset, err := schema.OpenDataset(args[0])
	if err != nil {
		return readError(err)
	}
	runs, err := dataset.Runs()
	if err != nil {
		return err
	}
	var requests, chunks int64
	for _, r := range runs {
		requests += r.Requests
		chunks += r.Chunks
	}
	fmt.Fprintf(env.Stdout, "%s: no faults in %d runs, %d requests, %d frames\n", args[0], len(runs), requests, chunks)
	return nil
}

// readError is datasetError for a dataset that is only read.
func readError(err error) error {
	var remote *store.RemoteError
	if errors.As(err, &remote) && remote.Hint != "" {
		return cli.Fail(cli.IO, cli.Hint(err, "%s", remote.Hint))
	}
	if errors.Is(err, fs.ErrPermission) {
		return cli.Fail(cli.IO, cli.Hint(err, "this user may not read it: see its owner and permissions"))
	}
	return datasetError(err)
}

package main

import (
	"context"
	"fmt"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/store"
	"aircheck/schema"
)

func pushCommand() *cli.Command {
	return &cli.Command{
		Name:  "push",
		Args:  "DIR s3://BUCKET/PREFIX",
		Short: "copy sealed runs to a bucket, checksums compared",
		Long: `
Puts the files of each sealed run, and its record last, so that readers of the
bucket see whole runs only. What is there already stays: the command can run again
after each run, and goes on where it was broken off. Any S3-compatible service
will do: credentials, AWS_REGION and AWS_ENDPOINT_URL come from the environment.
Damaged runs are named and not sent; exit status 1 if there is any.`,
		Run: push,
	}
}

func push(ctx context.Context, env *cli.Env, args []string) error {
	if len(args) != 2 || !store.Remote(args[1]) {
		return cli.Hint(cli.Usagef("want a dataset and a bucket"), "record push traces s3://bucket/prefix")
	}
	to, err := store.Of(args[1])
	if err != nil {
		return readError(err)
	}
	faults := 0
	p, err := schema.Push(ctx, args[0], to, func(f schema.Fault) {
		faults++
		fmt.Fprintf(env.Stderr, "not sent: %s/%s\n", args[0], f)
	})
	if err != nil {
		return readError(err)
	}
	fmt.Fprintf(env.Stdout, "%s: %d runs sent, %d there already\n", args[1], p.Runs, p.There)
	if faults > 0 {
		return cli.Silent(cli.Faults)
	}
	return nil
}

package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
	"aircheck/internal/report/words"
	"aircheck/schema"
)

func decodeCommand() *cli.Command {
	var o build.Options
	var shard string
	return &cli.Command{
		Name:  "decode",
		Args:  "DIR [--shard I/N] [flags]",
		Short: "decode frames of new runs, and no more: build does it by itself",
		Long: `
For many machines over one shared directory: each decodes its share of the pieces
that runs are cut into, some half a million frames each, and a build afterwards
finds all of them done. Files are the same whatever the number of shards.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&shard, "shard", "1/1", "part I of N, `I/N`, counted from 1")
			f.StringVar(&o.Cache, "cache", "", "`DIR` for derived files (default DIR/derived)")
			f.IntVar(&o.Workers, "threads", 0, "`threads` to use (default one a processor)")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("want a dataset: analyze decode DIR")
			}
			var part, parts int
			if n, err := fmt.Sscanf(shard+"\n", "%d/%d\n", &part, &parts); n != 2 || err != nil || part < 1 || part > parts {
				return cli.Usagef("shard %q: want I/N with I from 1 to N", shard)
			}
			o.Dir, o.Progress = args[0], progress(env.Stderr)
			faults := 0
			say := leftOut(env, o.Dir)
			o.LeftOut = func(fault schema.Fault) { faults++; say(fault) }
			n, err := build.Decode(ctx, o, part, parts)
			if err != nil {
				return explained(err)
			}
			fmt.Fprintf(env.Stdout, "%s: %s decoded\n", args[0], words.Count(int64(n), "piece"))
			if faults > 0 {
				return cli.Silent(cli.Faults)
			}
			return nil
		},
	}
}

package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/scrub"
)

func scrubCommand() *cli.Command {
	opt := scrub.Options{}
	var aliases []string
	return &cli.Command{
		Name:  "scrub",
		Args:  "SRC DST",
		Short: "copy a dataset without texts, ids and keys, fit for publishing",
		Long: `
Writes a copy in which texts of prompts and answers are filler of the same bytes
and characters, ids are hashes that cannot be undone, and words on what went wrong
stay without names, addresses and keys. Every time, size, count, usage and finish
reason is kept. With --alias names of providers are replaced too, in columns,
frames and plans, and hosts are hashed. DST gets a page, README.md, in the form
that data hubs read; record verify checks the files against it. Runs that are
damaged are left out and named, and the exit status is 1.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringArrayVar(&aliases, "alias", nil, "`PROVIDER=NAME`, a YAML file of such pairs, or all for provider-1, provider-2, ...; may be repeated")
			f.StringVar(&opt.Title, "title", "", "of the page that describes the copy")
			f.StringVar(&opt.License, "license", "", "of the copy, as data hubs name licences: cc-by-4.0, mit, ...")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 2 {
				return cli.Hint(cli.Usagef("want a dataset and a new folder, got %d operands", len(args)), "record scrub traces published --alias all")
			}
			opt.From, opt.To = args[0], args[1]
			var err error
			if opt.Aliases, opt.AliasAll, err = readPseudonyms(aliases); err != nil {
				return err
			}
			result, err := scrub.Dataset(ctx, opt)
			if err != nil {
				return datasetError(err)
			}
			fmt.Fprintf(env.Stdout, "%s: %d requests, %d frames of %d runs, without texts", opt.To, result.Requests, result.Frames, result.Runs)
			if result.Inflated > 0 {
				fmt.Fprintf(env.Stdout, "; %d bodies that had arrived compressed are stored inflated", result.Inflated)
			}
			fmt.Fprintln(env.Stdout)
			for _, fault := range result.Left {
				fmt.Fprintf(env.Stderr, "not copied: %s/%s\n", opt.From, fault)
			}
			if len(result.Left) > 0 {
				return cli.Silent(cli.Faults)
			}
			return nil
		},
	}
}

// readPseudonyms gives the aliases of providers, and whether all are to have one.
func readPseudonyms(values []string) (out map[string]string, all bool, err error) {
	out = map[string]string{}
	for _, v := range values {
		switch name, alias, pair := strings.Cut(v, "="); {
		case pair:
			out[name] = alias
		case v == "all":
			all = true
		default:
			data, err := os.ReadFile(v)
			if err != nil {
				return nil, false, cli.Fail(cli.Usage, cli.Hint(err, "--alias wants PROVIDER=NAME, a YAML file of such pairs, or all"))
			}
			var pairs map[string]string
			if err := yamlx.Decode(data, v, &pairs); err != nil {
				return nil, false, configError(err)
			}
			for p, alias := range pairs {
				out[p] = alias
			}
		}
	}
	for p, alias := range out {
		if p == "" || alias == "" {
			return nil, false, cli.Usagef("--alias %s=%s: want a provider and its alias", p, alias)
		}
	}
	return out, all, nil
}

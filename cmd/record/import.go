package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/version"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/imports"
	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/rules/names"
)

func importCommand() *cli.Command {
	opt := imports.Options{Tool: version.Of("record")}
	var mapFile, aliasFile string
	return &cli.Command{
		Name:  "import",
		Args:  "FORMAT FILE... [--to DIR]",
		Short: "bring other tools' recordings and results in",
		Long: `
Reads files of a format and adds them to the dataset as one run. What a source
does not state stays unknown. The same file, and a request that the format can
tell apart from others, is taken once. A file that is not what it should be, and
a record at fault, are named with the reason; the rest is imported, and the exit
status is 1. Nothing is left behind by an import that fails.

Formats:
` + formatList(),
		Flags: func(f *pflag.FlagSet) {
			d := &opt.Set
			f.StringVar(&opt.To, "to", "traces", "the dataset")
			f.StringVar(&mapFile, "map", "", "the mapping file of the format table")
			f.StringVar(&aliasFile, "model-aliases", "", "a file that brings spellings of providers and models together")
			f.StringVar(&aliasFile, "alias", "", "the same as --model-aliases")
			f.StringVar(&d.Provider, "provider", "", "who served the model, in place of what the files say")
			f.StringVar(&d.Model, "model", "", "canonical model name, likewise")
			f.StringVar(&d.API, "api", "", "dialect: openai-chat, anthropic-messages, gemini, ...")
			f.StringVar(&d.Host, "host", "", "host of the endpoint")
			f.StringVar(&d.Region, "region", "", "region of the endpoint")
			f.StringVar(&d.Vantage, "vantage", "", "where the client stood")
			f.StringVar(&d.Scenario, "scenario", "", "what the requests have in common")
			f.StringVar(&d.Workload, "workload", "", "kind of use: chat, batch, rag, agent, reasoning, bursty")
			f.StringVar(&d.Window, "window", "", "the round of measurement that the requests belong to")
			f.StringVar(&d.Ends, "ends", "", "natural, or length where answers are capped by plan")
			f.Int32Var(&d.Concurrency, "concurrency", 0, "streams open at a time")
			f.Int32Var(&d.Status, "status", 0, "HTTP status of bodies that carry none")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) < 2 {
				return cli.Hint(cli.Usagef("want a format and files, got %d operands", len(args)), "run 'record import --help' for the formats")
			}
			opt.Format, opt.Files = args[0], args[1:]
			if err := checkImport(&opt, mapFile); err != nil {
				return err
			}
			var err error
			if mapFile != "" {
				if opt.Map, err = mapping.Load(mapFile); err != nil {
					return configError(err)
				}
			}
			if aliasFile != "" {
				if opt.Aliases, err = names.ReadAliases(aliasFile); err != nil {
					return configError(err)
				}
			}
			result, err := imports.Import(ctx, opt)
			if err != nil {
				return importError(err)
			}
			return printImport(env, &opt, result)
		},
	}
}

func formatList() string {
	var b strings.Builder
	for _, f := range imports.Formats() {
		fmt.Fprintf(&b, "  %-12s %s\n", f.Name, f.About)
	}
	return b.String()
}

func checkImport(opt *imports.Options, mapFile string) error {
	switch {
	case opt.Format == imports.Table && mapFile == "":
		return cli.Hint(cli.Usagef("the format table wants --map MAP.yaml"), "examples/mappings/own-log.yaml is one to start from, docs/importing.md describes every key")
	case opt.Format != imports.Table && mapFile != "":
		return cli.Hint(cli.Usagef("--map goes with the format table only"), "record import table --map %s %s", mapFile, strings.Join(opt.Files, " "))
	case opt.Set.Ends != "" && opt.Set.Ends != "natural" && opt.Set.Ends != "length":
		return cli.Usagef("--ends %q: want natural or length", opt.Set.Ends)
	}
	return nil
}

// configError marks a fault of a file that configures the import.
func configError(err error) error {
	var faults yamlx.Errors
	if errors.As(err, &faults) || errors.Is(err, fs.ErrNotExist) {
		return cli.Fail(cli.Usage, err)
	}
	return err
}

func importError(err error) error {
	var format *imports.ErrFormat
	switch {
	case errors.As(err, &format):
		if format.Nearest != "" {
			return cli.Fail(cli.Usage, cli.Hint(err, "did you mean %q?", format.Nearest))
		}
		return cli.Fail(cli.Usage, cli.Hint(err, "run 'record import --help' for the formats"))
	case errors.Is(err, context.Canceled):
		return err
	}
	return datasetError(err)
}

// printImport says what was taken, on stdout, and what was not, on stderr.
func printImport(env *cli.Env, opt *imports.Options, r *imports.Result) error {
	for _, f := range r.Faults() {
		fmt.Fprintf(env.Stderr, "record import: %s\n", f)
	}
	for _, m := range r.Missed {
		fmt.Fprintf(env.Stderr, "record import: note: %s\n", m)
	}
	for _, k := range r.Known {
		if k.RunID == "" {
			fmt.Fprintf(env.Stdout, "%s: the same file as another one here\n", k.File)
		} else {
			fmt.Fprintf(env.Stdout, "%s: imported already, in run %s\n", k.File, k.RunID)
		}
	}
	detail(env.Stdout, r)
	if r.RunID == "" {
		fmt.Fprintf(env.Stdout, "%s: nothing to add\n", opt.Format)
	} else {
		fmt.Fprintf(env.Stdout, "%s: %d requests", opt.Format, r.Rows)
		if r.Chunks > 0 {
			fmt.Fprintf(env.Stdout, ", %d frames", r.Chunks)
		}
		files := 0
		for _, f := range r.Files {
			if f.Rows > 0 {
				files++
			}
		}
		fmt.Fprintf(env.Stdout, " from %d of %d files, into %s as run %s\n", files, len(opt.Files), r.Dataset, r.RunID)
	}
	if len(r.Faults()) > 0 {
		return cli.Silent(cli.Faults)
	}
	return nil
}

func detail(w io.Writer, r *imports.Result) {
	if n := r.Repeats(); n > 0 {
		fmt.Fprintf(w, "%d requests stand in several files or are there already\n", n)
	}
	for _, c := range r.Skipped() {
		fmt.Fprintf(w, "left out: %d, %s\n", c.N, c.Reason)
	}
	for _, c := range r.Nulled() {
		fmt.Fprintf(w, "read as no value: %d, %s\n", c.N, c.Reason)
	}
	for _, c := range r.Doubted() {
		fmt.Fprintf(w, "in doubt: %d, %s\n", c.N, c.Reason)
	}
}

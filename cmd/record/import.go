package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/version"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/imports"
	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/rules/names"
)

func importCommand() *cli.Command {
	opt := imports.Options{Tool: version.Of("record")}
	var mapFile, aliasFile string
	return &cli.Command{
		Name:  "import",
		Args:  "[FORMAT] FILE... [--to DIR]",
		Short: "bring other tools' recordings and results in",
		Long: `
Reads files and adds them to the dataset, as one run for each format. The format
is told by each file's content, or named before the files (for a file that is
called like a format, write ./NAME). A folder stands for the files in it, - for
standard input; gzip, zstd, xz, zip and tar are opened. What a source does not
state stays unknown. The same file, and a request that the format can tell apart
from others, is taken once. A file that is not what it should be, that fits no
format or several, and a record at fault, are named with the reason; the rest is
imported, and the exit status is 1. Nothing is left behind by an import that
fails.

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
			f.StringVar(&opt.Zone, "zone", "", "`ZONE` of local times that state none: an offset such as +02:00, or an IANA name")
			f.Int32Var(&d.Concurrency, "concurrency", 0, "streams open at a time")
			f.Int32Var(&d.Status, "status", 0, "HTTP status of bodies that carry none")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if err := operands(&opt, args, mapFile); err != nil {
				return err
			}
			opt.Stdin = env.Stdin
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
			return printImport(env, result)
		},
	}
}

// operands tells a format from the files: the first operand is one if it is
// called like one.
func operands(opt *imports.Options, args []string, mapFile string) error {
	opt.Format, opt.Files = imports.Auto, args
	if len(args) > 0 && known(args[0]) {
		opt.Format, opt.Files = args[0], args[1:]
	} else if mapFile != "" {
		opt.Format = imports.Table
	}
	if len(opt.Files) == 0 {
		return cli.Hint(cli.Usagef("want files"), "record import results.json, or record import FORMAT FILE...; 'record import --help' lists the formats")
	}
	// A word that is neither a file nor looks like the name of one is a format mistyped.
	if first := opt.Files[0]; opt.Format == imports.Auto && first != input.Stdin && !strings.ContainsAny(first, "./\\") {
		if _, err := os.Lstat(first); errors.Is(err, fs.ErrNotExist) {
			return importError(imports.UnknownFormat(first))
		}
	}
	return nil
}

func known(format string) bool {
	return format == imports.Auto || slices.ContainsFunc(imports.Formats(), func(f imports.Format) bool { return f.Name == format })
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
	case opt.Zone != "" && !mapping.Zone(opt.Zone):
		return cli.Usagef("--zone %q: want an offset such as +02:00, or an IANA name", opt.Zone)
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
func printImport(env *cli.Env, r *imports.Result) error {
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
	for _, run := range r.Runs {
		if run.RunID == "" {
			fmt.Fprintf(env.Stdout, "%s: nothing to add\n", run.Format)
			continue
		}
		if said := run.Hours.String(); said != "" {
			fmt.Fprintf(env.Stdout, "%s: %s\n", run.Format, said)
		}
		fmt.Fprintf(env.Stdout, "%s: %d requests", run.Format, run.Rows)
		if run.Chunks > 0 {
			fmt.Fprintf(env.Stdout, ", %d frames", run.Chunks)
		}
		fmt.Fprintf(env.Stdout, " from %d of %d files, into %s as run %s\n", run.Files, run.Seen, r.Dataset, run.RunID)
	}
	if len(r.Runs) == 0 {
		fmt.Fprintln(env.Stdout, "nothing to add")
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
	if n := len(r.Other); n > 0 {
		names := r.Other
		if n > 5 {
			names = append(slices.Clone(names[:5]), "...")
		}
		fmt.Fprintf(w, "left out: %d files of no known format: %s\n", n, strings.Join(names, ", "))
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

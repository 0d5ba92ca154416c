// Command packaging writes what a package has beside the programs: manual pages
// and shell completions from the programs' own help, the licences of the modules
// that are linked, and a bill of materials (CycloneDX).
//
//	go run ./internal/tools/packaging --bin bin --to dist/share
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// programs are the commands of cmd/, in the order in which data flows.
var programs = []string{"record", "analyze", "report"}

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	f := flag.NewFlagSet("packaging", flag.ContinueOnError)
	f.SetOutput(stderr)
	bin := f.String("bin", "bin", "directory with the programs")
	to := f.String("to", "", "directory to write")
	prefix := f.String("program-prefix", "", "what the programs' names begin with in the package")
	if err := f.Parse(args); err != nil || *to == "" || f.NArg() > 0 {
		fmt.Fprintln(stderr, "usage: packaging --to DIR [--bin DIR] [--program-prefix PREFIX]")
		return 2
	}
	if err := write(*bin, *to, *prefix); err != nil {
		fmt.Fprintln(stderr, "packaging:", err)
		return 4
	}
	return 0
}

func write(bin, to, prefix string) error {
	for _, name := range programs {
		p, err := readProgram(filepath.Join(bin, prefix+name), name)
		if err != nil {
			return err
		}
		installed := prefix + name
		if err := save(filepath.Join(to, "man", "man1", installed+".1"), p.manual(installed)); err != nil {
			return err
		}
		if err := save(filepath.Join(to, "bash-completion", "completions", installed), p.completion(installed)); err != nil {
			return err
		}
	}
	modules, err := linked(bin, prefix)
	if err != nil {
		return err
	}
	if err := save(filepath.Join(to, "doc", "aircheck", "sbom.cdx.json"), billOf(modules)); err != nil {
		return err
	}
	return licences(modules, filepath.Join(to, "doc", "aircheck", "licences"))
}

func save(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

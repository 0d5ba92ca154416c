package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
	"aircheck/internal/tools/bench"
)

// docs/files.md names every option that takes a file, and a build reads its
// examples without a word.
func TestManualOfFiles(t *testing.T) {
	text, err := os.ReadFile("../../docs/files.md")
	if err != nil {
		t.Fatal(err)
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	addOptions(flags, &build.Options{})
	flags.VisitAll(func(f *pflag.Flag) {
		if name, _ := pflag.UnquoteUsage(f); name == "FILE" && !strings.Contains(string(text), "`--"+f.Name+"`") {
			t.Errorf("docs/files.md does not mention --%s", f.Name)
		}
	})
	args := []string{"build", "-q", t.TempDir()}
	for _, block := range strings.Split(string(text), "```yaml\n# ")[1:] {
		block, _, _ = strings.Cut(block, "```")
		flag, example, _ := strings.Cut(block, "\n")
		file := filepath.Join(t.TempDir(), "example.yaml")
		if err := os.WriteFile(file, []byte(example), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, flag, file)
	}
	if len(args) != 3+2*4 {
		t.Fatalf("examples: %v", args)
	}
	if _, _, err := bench.Dataset(args[2], 100, 1); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	if status := cli.Run(t.Context(), program(), &cli.Env{Stdout: &stdout, Stderr: &stderr}, args); status != cli.OK {
		t.Errorf("status %d: %s", status, stderr.String())
	}
}

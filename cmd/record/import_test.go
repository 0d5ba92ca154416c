package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/imports/mapping"
	"aircheck/schema"
)

// The scripts run `record STATUS ARGS…`, which fails the script unless the
// command ends with STATUS, and `rows DIR COLUMN…`, which prints requests.
func TestImportScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/import",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"record": scriptRecord,
			"rows":   scriptRows,
			"frames": scriptFrames,
		},
	})
}

func scriptRecord(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: record STATUS COMMAND…")
	}
	// Scripts run side by side in one process, so their relative paths are made
	// absolute for the command, and back in what it prints.
	here := ts.MkAbs(".") + string(filepath.Separator)
	run := append([]string{}, args[1:]...)
	for i, a := range run {
		if i > 0 && (filepath.Ext(a) != "" || strings.HasPrefix(a, "./") || run[i-1] == "--to" || run[i-1] == "verify" || run[0] == "scrub" && (i <= 2)) && !strings.HasPrefix(a, "-") {
			run[i] = ts.MkAbs(a)
		}
	}
	stdin := ""
	if name := ts.Getenv("STDIN"); name != "" {
		stdin = ts.ReadFile(name)
	}
	var stdout, stderr strings.Builder
	program := &cli.Program{Name: "record", Commands: []*cli.Command{importCommand(), scrubCommand(), verifyCommand()}}
	env := &cli.Env{Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr, Getenv: ts.Getenv}
	status := cli.Run(context.Background(), program, env, run)
	fmt.Fprint(ts.Stdout(), strings.ReplaceAll(stdout.String(), here, ""))
	fmt.Fprint(ts.Stderr(), strings.ReplaceAll(stderr.String(), here, ""))
	if fmt.Sprint(status) != args[0] {
		ts.Fatalf("status %d, want %s", status, args[0])
	}
}

func scriptRows(ts *testscript.TestScript, neg bool, args []string) {
	d, err := schema.OpenDataset(ts.MkAbs(args[0]))
	ts.Check(err)
	runs, err := d.Runs()
	ts.Check(err)
	var rows []*schema.Request
	for _, run := range runs {
		ts.Check(d.EachRequest(run, func(q *schema.Request) error { rows = append(rows, q); return nil }))
	}
	// Runs of one second sort by chance, requests by the order of their import.
	slices.SortFunc(rows, func(a, b *schema.Request) int { return cmp.Compare(a.RequestID, b.RequestID) })
	for _, q := range rows {
		values := make([]string, len(args)-1)
		for i, c := range args[1:] {
			values[i] = mapping.Get(q, c)
			if c == "origin" {
				values[i] = q.Origin
			}
			if values[i] == "" {
				values[i] = "-"
			}
		}
		fmt.Fprintln(ts.Stdout(), strings.Join(values, " "))
	}
}

func scriptFrames(ts *testscript.TestScript, neg bool, args []string) {
	d, err := schema.OpenDataset(ts.MkAbs(args[0]))
	ts.Check(err)
	runs, err := d.Runs()
	ts.Check(err)
	for _, run := range runs {
		ts.Check(d.EachResponse(context.Background(), run, func(_ int64, frames []schema.Chunk) error {
			for _, c := range frames {
				fmt.Fprintf(ts.Stdout(), "%d %d %s %v %q\n", c.Seq, c.ReadSeq, c.Clock, c.Complete, c.Raw)
			}
			return nil
		}))
	}
}

// Nothing that a failed import has begun stays behind.
func TestFailedImportLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "a.jsonl")
	os.WriteFile(good, []byte("{\"m\":\"x\",\"t\":1}\n"), 0o644)
	m := filepath.Join(dir, "map.yaml")
	os.WriteFile(m, []byte("name: log\nfields:\n  provider: {const: p}\n  model: m\n  reported_ttft_ns: {path: t, unit: s}\n"), 0o644)
	to := filepath.Join(dir, "traces")
	for _, last := range []string{filepath.Join(dir, "missing.jsonl"), filepath.Join(dir, "none", "missing.jsonl")} {
		var out, err strings.Builder
		env := &cli.Env{Stdout: &out, Stderr: &err}
		program := &cli.Program{Name: "record", Commands: []*cli.Command{importCommand()}}
		status := cli.Run(context.Background(), program, env, []string{"import", "table", "--map", m, "--to", to, good, last})
		if status == cli.OK || status == cli.Faults || err.Len() == 0 {
			t.Errorf("%s: status %d, %q", last, status, err.String())
		}
		if _, e := os.Stat(to); !os.IsNotExist(e) {
			t.Errorf("%s: something was left in %s", last, to)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, err strings.Builder
	program := &cli.Program{Name: "record", Commands: []*cli.Command{importCommand()}}
	if status := cli.Run(ctx, program, &cli.Env{Stdout: &out, Stderr: &err}, []string{"import", "table", "--map", m, "--to", to, good}); status != cli.Interrupted {
		t.Errorf("interrupted: status %d, %q", status, err.String())
	}
	if _, e := os.Stat(to); !os.IsNotExist(e) {
		t.Errorf("interrupted: something was left in %s", to)
	}
}

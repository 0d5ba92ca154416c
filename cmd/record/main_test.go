package main

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/simulate"
)

func TestMain(m *testing.M) {
	// Not "record": other scripts have a command of that name.
	testscript.Main(m, map[string]func(){"record-cli": main})
}

const testFleet = `
fleet: scripts
seed: 1
behaviour: {first_token: 5ms, gap: 1ms, answer: {tokens: 20}}
providers:
  - {name: north, models: [{name: m}]}
  - {name: south, models: [{name: m}]}
  - {name: slow, models: [{name: m, first_token: 10ms, gap: 80ms}]}
`

// The scripts run the program itself, as record-cli. Each has a fleet of its own, at $FLEET,
// and an address at which nobody listens, $DEAD; `subst FILE` puts them into a
// plan.
func TestRunScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/run",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			f, err := simulate.Parse([]byte(testFleet), "fleet.yaml")
			if err != nil {
				return err
			}
			s, err := simulate.Start(f, "127.0.0.1:0", nil)
			if err != nil {
				return err
			}
			env.Defer(func() { s.Close() })
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			l.Close()
			env.Setenv("FLEET", "http://"+s.Addr())
			env.Setenv("DEAD", "http://"+l.Addr().String())
			examples, err := filepath.Abs("../../examples")
			if err != nil {
				return err
			}
			env.Setenv("EXAMPLES", examples)
			env.Setenv("TEST_KEY", "sk-script-0123456789")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"subst": func(ts *testscript.TestScript, neg bool, args []string) {
				for _, name := range args {
					text := os.Expand(ts.ReadFile(name), ts.Getenv)
					ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
				}
			},
			"lacks": scriptLacks,
		},
	})
}

// scriptLacks fails if any file below a directory holds a text.
func scriptLacks(ts *testscript.TestScript, neg bool, args []string) {
	root := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), args[1]) {
			ts.Fatalf("%s holds %q", path, args[1])
		}
		return err
	}))
}

// A file that cannot be read is no directory that cannot be written.
func TestUnreadableDataset(t *testing.T) {
	var said strings.Builder
	err := readError(&fs.PathError{Op: "open", Path: "part-0.parquet", Err: syscall.EACCES})
	cli.Report(&said, "record verify", err)
	if cli.Status(err) != cli.IO || !strings.Contains(said.String(), "may not read it") || strings.Contains(said.String(), "--to") {
		t.Errorf("status %d, said %q", cli.Status(err), said.String())
	}
}

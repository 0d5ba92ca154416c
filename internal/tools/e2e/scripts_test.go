package e2e

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"aircheck/internal/record/simulate"
)

// TestScripts runs the scripts of testdata/scripts over the built commands. Each
// has a fleet of its own at $FLEET, and an address at which nobody listens,
// $DEAD; `subst FILE` puts them into a plan, `status N COMMAND…` expects an exit
// status, `files DIR N` counts the files below a directory.
func TestScripts(t *testing.T) {
	depend()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/scripts",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			f, err := simulate.Parse([]byte("behaviour: {first_token: 2ms, gap: 1ms, answer: {tokens: 10}}\nproviders: [{name: north, models: [{name: m}]}]\n"), "fleet.yaml")
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
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"subst":  scriptSubst,
			"status": scriptStatus,
			"files":  scriptFiles,
		},
	})
}

func scriptSubst(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
	}
}

func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	have := 0
	if exit, ok := err.(*exec.ExitError); ok {
		have = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if have != want {
		ts.Fatalf("status %d, want %d", have, want)
	}
}

func scriptFiles(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	have := 0
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			have++
		}
		return err
	}))
	if have != want {
		ts.Fatalf("%d files in %s, want %d", have, args[0], want)
	}
}

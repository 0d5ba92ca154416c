package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"aircheck/internal/tools/bench"
	"aircheck/schema"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"analyze": main})
}

// The scripts run the command itself: `status N analyze ARGS…` wants exit status
// N, `dataset DIR FRAMES` makes a dataset, `levels DIR FILE` one whose first
// tokens the file gives: a line of provider, windows and milliseconds each, of
// which less than none is a model that is not there.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  scriptStatus,
			"dataset": scriptDataset,
			"levels":  scriptLevels,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Getuid() == 0, nil
			}
			return false, errors.New("unknown condition")
		},
	})
}

func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func scriptDataset(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: dataset DIR FRAMES")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	_, _, err = bench.Dataset(ts.MkAbs(args[0]), n, 1)
	ts.Check(err)
}

func scriptLevels(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: levels DIR FILE")
	}
	w, err := schema.Create(ts.MkAbs(args[0]), "run")
	ts.Check(err)
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var ids schema.IDs
	n := 0
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		var provider string
		var windows int
		var ms float64
		_, err := fmt.Sscan(line, &provider, &windows, &ms)
		ts.Check(err)
		for i := range 5 * windows {
			at := start.Add(time.Duration(n) * time.Second)
			n++
			r := &schema.Request{RequestID: ids.Next(at), OrderIndex: int32(n), Attempt: 1, Provider: provider, Model: "m", Scenario: new("chat"),
				Phase: "measure", Window: new(fmt.Sprint("w", i/5)), StartedAtNs: new(at.UnixNano()), Streamed: new(true), HTTPStatus: new(int32(200)),
				Origin: "imported:test", Detail: "requests", ReportedTTFTNs: new(int64((ms + float64(7*i%(5*windows))) * 1e6)),
				ReportedFinishReason: new("stop"), ReportedText: new("word")}
			if ms < 0 {
				r.HTTPStatus, r.ReportedTTFTNs, r.ReportedFinishReason, r.ReportedText = new(int32(404)), nil, nil, nil
				r.ReportedError = new("The model m does not exist")
			}
			w.Begin(r.RequestID)
			ts.Check(w.Write(r, nil))
		}
	}
	ts.Check(w.Seal(&schema.Run{Name: "levels", Origin: "imported:test", Tool: "test", Host: "test", StartedAtNs: start.UnixNano(), EndedAtNs: start.UnixNano()}))
}

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/version"
)

func program(run func(context.Context, *Env, []string) error) *Program {
	var n int
	return &Program{Name: "prog", Short: "tests", Commands: []*Command{{
		Name: "build", Args: "DIR", Short: "builds", Long: "At length.",
		Flags: func(f *pflag.FlagSet) { f.IntVar(&n, "number", 3, "a number") },
		Run:   run,
	}}}
}

func run(ctx context.Context, p *Program, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = Run(ctx, p, &Env{Stdout: &out, Stderr: &errs}, args)
	return status, out.String(), errs.String()
}

func TestStatuses(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		stderr string
	}{
		"done":        {nil, OK, ""},
		"plain":       {errors.New("disk full"), IO, "prog build: disk full\n"},
		"usage":       {Usagef("no plan"), Usage, "prog build: no plan\n"},
		"gate":        {Fail(Gate, errors.New("2 rows")), Gate, "prog build: 2 rows\n"},
		"silent":      {Silent(Faults), Faults, ""},
		"hint inside": {fmt.Errorf("open: %w", Hint(Usagef("no key"), "set %s", "K")), Usage, "prog build: open: no key\nhint: set K\n"},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, stderr := run(t.Context(), program(func(context.Context, *Env, []string) error { return c.err }), "build")
			if status != c.status || stderr != c.stderr {
				t.Errorf("status %d, stderr %q; want %d, %q", status, stderr, c.status, c.stderr)
			}
		})
	}
}

func TestInterruptIs130(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, _, stderr := run(ctx, program(func(ctx context.Context, _ *Env, _ []string) error {
		return fmt.Errorf("reading: %w", ctx.Err())
	}), "build")
	if status != Interrupted || stderr != "prog build: interrupted\n" {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

func TestUsage(t *testing.T) {
	ran := program(func(context.Context, *Env, []string) error { t.Error("ran"); return nil })
	for _, c := range []struct {
		args, status string
		want         string
	}{
		{"", "0", "builds"},
		{"build --help", "0", "--number"},
		{"biuld", "2", "did you mean 'prog build'?"},
		{"zebra", "2", "commands are build"},
		{"build --nope", "2", "unknown flag: --nope"},
		{"build --number x", "2", "invalid argument"},
		{"--version", "0", version.Of("prog") + "\n"},
	} {
		status, stdout, stderr := run(t.Context(), ran, strings.Fields(c.args)...)
		if fmt.Sprint(status) != c.status || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%q: status %d, said %q; want %s, %q", c.args, status, stdout+stderr, c.status, c.want)
		}
	}
}

func TestAnOperandThatBeginsLikeAFlag(t *testing.T) {
	p := program(func(_ context.Context, _ *Env, args []string) error { return Usagef("got %q", args) })
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"build", "-- of latency\nFROM latency"}, "hint: an operand that begins with - stands after --\n"},
		{[]string{"build", "--", "-- of latency\nFROM latency"}, `got ["-- of latency\nFROM latency"]`},
	} {
		if _, _, stderr := run(t.Context(), p, c.args...); !strings.Contains(stderr, c.want) {
			t.Errorf("%q: %q, want %q", c.args, stderr, c.want)
		}
	}
}

func TestOperandsAndFlags(t *testing.T) {
	var got []string
	status, _, _ := run(t.Context(), program(func(_ context.Context, _ *Env, args []string) error { got = args; return nil }), "build", "a", "--number", "5", "b")
	if status != OK || strings.Join(got, " ") != "a b" {
		t.Errorf("status %d, operands %q", status, got)
	}
}

// A command that looks after nothing it prints still ends with a status that
// says so.
func TestOutputThatCannotBeWritten(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full on this system:", err)
	}
	defer full.Close()
	for _, err := range []error{nil, Silent(Faults)} { // that are listed there
		var stderr bytes.Buffer
		p := program(func(_ context.Context, env *Env, _ []string) error { fmt.Fprintln(env.Stdout, "rows"); return err })
		status := Run(t.Context(), p, &Env{strings.NewReader(""), full, &stderr, os.Getenv}, []string{"build"})
		if status != IO || !strings.Contains(stderr.String(), "standard output: ") {
			t.Errorf("status %d, said %q", status, stderr.String())
		}
	}
}

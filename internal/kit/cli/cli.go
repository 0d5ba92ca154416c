// Package cli is the small frame that the three commands share: a table of
// subcommands over pflag, one place for exit statuses, one tone for errors.
//
// A command's main is one line, os.Exit(cli.Main(...)); nothing below it exits
// or prints to the process's own streams.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/version"
)

// Exit statuses of all three commands.
const (
	OK          = 0   // done
	Faults      = 1   // the data has faults; they are listed
	Usage       = 2   // usage or configuration
	Gate        = 3   // a gate failed (--fail-if-rows, --fail-on)
	IO          = 4   // input, output or environment
	Interrupted = 130 // stopped by the user
)

// Env is what a command may touch of the process.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Getenv reads a variable; tests replace it.
	Getenv func(string) string
}

// Command is one subcommand, or a whole program that has none.
type Command struct {
	Name  string // as typed; several words for a nested one
	Args  string // synopsis of the operands: "PLAN.yaml --to DIR"
	Short string // one line, lower case, no period
	Long  string // paragraphs shown by --help
	Flags func(*pflag.FlagSet)
	// Run gets the operands left after the flags were parsed. Its error decides
	// the exit status: see Fail.
	Run func(ctx context.Context, env *Env, args []string) error
}

// Program is one of the binaries.
type Program struct {
	Name     string
	Short    string
	Long     string
	Commands []*Command
	Default  *Command // run where the arguments do not begin with the name of a command
	// Grace is how long a command has to return after an interrupt, 0 for as long as
	// it takes: an engine may be deep in one call.
	Grace time.Duration
	// Parts are lines that --version says beside the build: what the program
	// reads and writes, and carries within it. May be nil.
	Parts func() []string
}

// version is what --version says.
func (p *Program) version(w io.Writer) {
	fmt.Fprintln(w, version.Of(p.Name))
	if p.Parts != nil {
		for _, line := range p.Parts() {
			fmt.Fprintln(w, line)
		}
	}
}

// statusError carries an exit status with an error.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// Fail marks err with the exit status that the process should end with. An
// unmarked error ends with status IO.
func Fail(status int, err error) error {
	if err == nil {
		return nil
	}
	return &statusError{status, err}
}

// Usagef is a usage or configuration error.
func Usagef(format string, args ...any) error {
	return Fail(Usage, fmt.Errorf(format, args...))
}

// Silent ends with a status and prints nothing more: what was wrong has been
// listed already.
func Silent(status int) error { return &statusError{status, errSilent} }

var errSilent = errors.New("")

type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }

// Hint adds the likely cause or the next step, printed on a line of its own.
func Hint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &hintError{err, fmt.Sprintf(format, args...)}
}

// Status is the exit status that err stands for.
func Status(err error) int {
	if err == nil {
		return OK
	}
	var s *statusError
	if errors.As(err, &s) {
		return s.status
	}
	if errors.Is(err, context.Canceled) {
		return Interrupted
	}
	return IO
}

// Report prints err in the house style: "name: what went wrong", then hints.
func Report(w io.Writer, name string, err error) {
	if err == nil || errors.Is(err, errSilent) {
		return
	}
	fmt.Fprintf(w, "%s: %s\n", name, strings.TrimSpace(err.Error()))
	for e := err; e != nil; e = errors.Unwrap(e) {
		if h, ok := e.(*hintError); ok {
			fmt.Fprintf(w, "hint: %s\n", h.hint)
		}
	}
}

// Interrupts are the signals by which a user ends a command: an interrupt, a
// request to terminate, and a terminal that went away, unless nohup keeps the
// command from that.
func Interrupts() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// Main runs the program over the process's arguments and streams and returns
// its exit status. Interrupts cancel the context of Run; a second one is left to
// the command or, by default, kills the process.
func Main(p *Program) int {
	ctx, stop := signal.NotifyContext(context.Background(), Interrupts()...)
	defer stop()
	go func() { <-ctx.Done(); stop() }()
	env := &Env{os.Stdin, os.Stdout, os.Stderr, os.Getenv}
	done := make(chan int, 1)
	go func() { done <- Run(ctx, p, env, os.Args[1:]) }()
	select {
	case status := <-done:
		return status
	case <-ctx.Done():
	}
	if p.Grace == 0 {
		return <-done
	}
	select {
	case status := <-done:
		return status
	case <-time.After(p.Grace):
		Report(env.Stderr, p.Name, fmt.Errorf("interrupted; what was running did not stop within %s", p.Grace))
		return Interrupted
	}
}

// Run is Main with everything passed in.
func Run(ctx context.Context, p *Program, env *Env, args []string) int {
	cmd, rest, err := p.find(args)
	if err != nil {
		Report(env.Stderr, p.Name, err)
		return Status(err)
	}
	if cmd == nil {
		if len(args) > 0 && args[0] == versionFlag {
			p.version(env.Stdout)
		} else {
			p.help(env.Stdout)
		}
		return OK
	}
	name := strings.TrimSpace(p.Name + " " + cmd.Name)
	flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
	flags.SortFlags = false
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	if cmd.Flags != nil {
		cmd.Flags(flags)
	}
	if err := flags.Parse(rest); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			cmd.help(env.Stdout, name, flags)
			return OK
		}
		hint := fmt.Sprintf("run '%s --help'", name)
		if near := nearestFlag(err, flags); near != "" {
			hint = fmt.Sprintf("did you mean --%s? '%s --help' lists the flags", near, name)
		}
		if slices.ContainsFunc(rest, operandLikeFlag) {
			hint = "an operand that begins with - stands after --"
		}
		Report(env.Stderr, name, Hint(err, "%s", hint))
		return Usage
	}
	out := &output{Writer: env.Stdout}
	err = cmd.Run(ctx, &Env{env.Stdin, out, env.Stderr, env.Getenv}, flags.Args())
	if out.err != nil && (err == nil || errors.Is(err, errSilent)) { // a fault that no one sees is not listed
		err = fmt.Errorf("standard output: %w", out.err)
	}
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = Fail(Interrupted, errors.New("interrupted"))
	}
	Report(env.Stderr, name, err)
	return Status(err)
}

// otherWords are names that other tools give to flags of ours.
var otherWords = map[string]string{
	"out": "to", "output": "to", "dest": "to", "destination": "to", "target": "to",
	"to": "out", "o": "out", "dir": "to",
	"mem": "memory", "memory-limit": "memory", "force": "rebuild", "silent": "quiet",
	"input": "file", "query": "file", "lang": "language", "port": "listen", "address": "listen", "addr": "listen",
}

// nearestFlag is the flag that an unknown one was most likely meant to be.
func nearestFlag(err error, flags *pflag.FlagSet) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	word := unknown.GetSpecifiedName()
	if other := otherWords[word]; flags.Lookup(other) != nil {
		return other
	}
	var known []string
	flags.VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	return nearest.Likely(word, known)
}

// output remembers that something could not be written, so that a command which
// prints line by line need not look after each.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// IsTerminal reports whether w is a terminal, which lines may be written over on.
func IsTerminal(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width is how many characters fit on a line of w, 0 where it is no terminal.
func Width(w io.Writer) int {
	if !IsTerminal(w) {
		return 0
	}
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	n, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || n <= 0 {
		return 80
	}
	return n
}

// operandLikeFlag tells a text that begins with -, such as a query under a
// comment, from a flag: no flag's name has white space.
func operandLikeFlag(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return strings.HasPrefix(name, "-") && strings.ContainsAny(name, " \t\n")
}

const versionFlag = "--version"

// find resolves the subcommand whose name the arguments start with.
func (p *Program) find(args []string) (*Command, []string, error) {
	if len(args) > 0 && args[0] == versionFlag {
		return nil, nil, nil
	}
	if p.Default != nil {
		for _, c := range p.Commands {
			if len(args) > 0 && args[0] == c.Name {
				return c, args[1:], nil
			}
		}
		return p.Default, args, nil
	}
	if len(args) == 0 || args[0] == "--help" || args[0] == "-h" || args[0] == "help" {
		return nil, nil, nil
	}
	for _, c := range p.Commands {
		words := strings.Fields(c.Name)
		if len(args) >= len(words) && slices.Equal(args[:len(words)], words) {
			return c, args[len(words):], nil
		}
	}
	names := make([]string, len(p.Commands))
	for i, c := range p.Commands {
		names[i] = c.Name
	}
	err := Usagef("unknown command %q", args[0])
	if near := nearest.Likely(args[0], names); near != "" {
		err = Hint(err, "did you mean '%s %s'?", p.Name, near)
	} else {
		err = Hint(err, "commands are %s", strings.Join(names, ", "))
	}
	return nil, nil, err
}

func (p *Program) help(w io.Writer) {
	fmt.Fprintf(w, "%s - %s\n\n", p.Name, p.Short)
	if p.Long != "" {
		fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(p.Long))
	}
	width := 0
	for _, c := range p.Commands {
		width = max(width, len(c.Name))
	}
	for _, c := range p.Commands {
		fmt.Fprintf(w, "  %s %-*s  %s\n", p.Name, width, c.Name, c.Short)
	}
	fmt.Fprintf(w, "\n'%s COMMAND --help' tells more, '%s --version' which build this is.\n%s\n", p.Name, p.Name, exitHelp)
}

const exitHelp = "Exit status: 0 done, 1 faults in the data, 2 usage, 3 a gate failed,\n4 I/O or environment, 130 interrupted."

func (c *Command) help(w io.Writer, name string, flags *pflag.FlagSet) {
	fmt.Fprintf(w, "usage: %s %s\n\n%s\n", name, c.Args, c.Short)
	if c.Long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.Long))
	}
	if u := flags.FlagUsages(); u != "" {
		fmt.Fprintf(w, "\n%s", u)
	}
}

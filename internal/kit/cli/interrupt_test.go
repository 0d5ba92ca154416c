//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// behave names what the program does when this test's binary runs as one.
const behave = "AIRCHECK_TEST_INTERRUPT"

func TestMain(m *testing.M) {
	kind := os.Getenv(behave)
	if kind == "" {
		os.Exit(m.Run())
	}
	p := program(func(ctx context.Context, env *Env, _ []string) error {
		fmt.Fprintln(env.Stdout, "running")
		switch kind {
		case "deaf": // an engine inside one call, or a pipe that nobody writes to
			select {}
		case "heeds":
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	})
	p.Grace = 100 * time.Millisecond
	if kind == "heeds" { // however busy the machine is
		p.Grace = time.Hour
	}
	os.Exit(Main(p))
}

// An interrupt cancels the command; one that does not return within the grace is
// left behind, and the process ends.
func TestInterrupted(t *testing.T) {
	for kind, want := range map[string]string{
		"heeds": "prog build: interrupted\n",
		"deaf":  "prog: interrupted; what was running did not stop within 100ms\n",
	} {
		t.Run(kind, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			c := exec.CommandContext(ctx, os.Args[0], "build")
			c.Env = append(os.Environ(), behave+"="+kind)
			var stderr bytes.Buffer
			c.Stderr = &stderr
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, "running") {
				t.Fatalf("%q, %v", line, err)
			}
			c.Process.Signal(syscall.SIGINT)
			c.Wait()
			if status := c.ProcessState.ExitCode(); status != Interrupted || stderr.String() != want {
				t.Errorf("status %d, stderr %q; want %d, %q", status, stderr.String(), Interrupted, want)
			}
		})
	}
}

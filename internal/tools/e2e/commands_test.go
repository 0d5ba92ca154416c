package e2e

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// bin is where record, analyze and report are, built once for all tests; root
// is the project.
var bin, root string

func TestMain(m *testing.M) {
	status := 2
	defer func() { os.Exit(status) }()
	var err error
	if root, err = filepath.Abs("../../.."); err != nil {
		panic(err)
	}
	if bin, err = os.MkdirTemp("", "aircheck-e2e-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(bin)
	build := exec.Command("go", "build", "-o", bin, "./cmd/...")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the commands: %v\n%s", err, out)
		return
	}
	status = m.Run()
}

// depend counts what the build reads as read by the test that calls it, so that
// no cached result outlives a change of the commands.
var depend = sync.OnceFunc(func() {
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains([]string{".git", "bin", "demo", "site", "traces"}, d.Name()) {
			return fs.SkipDir
		}
		return err
	})
})

// command is what a command came to.
type command struct {
	stdout, stderr string
	status         int
}

// run runs a command in a directory, with variables added to a small environment.
func run(t *testing.T, dir string, env []string, name string, args ...string) command {
	t.Helper()
	depend()
	cmd := exec.Command(filepath.Join(bin, name), args...)
	cmd.Dir, cmd.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("%s: %v", name, err)
	}
	return command{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// must is run for what has to succeed.
func must(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	c := run(t, dir, env, name, args...)
	if c.status != 0 {
		t.Fatalf("%s %s: status %d\n%s%s", name, strings.Join(args, " "), c.status, c.stdout, c.stderr)
	}
	return c.stdout
}

// fleet starts `record simulate`, and gives its address and a function that
// ends it.
func fleet(t *testing.T, dir, file string, args ...string) (address string, stop func()) {
	t.Helper()
	depend()
	cmd := exec.Command(filepath.Join(bin, "record"), append([]string{"simulate", file}, args...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	stop = func() {
		if ended {
			return
		}
		ended = true
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the fleet ended with %v: %s", err, stderr.String())
		}
	}
	t.Cleanup(stop)
	line := make([]byte, 200)
	n, _ := out.Read(line)
	_, address, ok := strings.Cut(strings.TrimSpace(string(line[:n])), "http://")
	if !ok {
		t.Fatalf("no address in %q", line[:n])
	}
	return address, stop
}

// copyFile copies a file of testdata, with texts replaced.
func copyFile(t *testing.T, from, to string, replace ...string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, []byte(strings.NewReplacer(replace...).Replace(string(data))), 0o644); err != nil {
		t.Fatal(err)
	}
}

// files lists the files below a directory.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

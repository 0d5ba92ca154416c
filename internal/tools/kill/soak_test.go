package kill

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"aircheck/internal/record/journal"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/runner"
	"aircheck/schema"
)

var soak = flag.Duration("soak", 0, "how long the soak lasts; each fault comes once at least")

// TestSoak records for long, round after round, while things go wrong: a kill, an
// interrupt, a paused process, a disk that is full, connections that are cut. At
// the end no journal is left, verify finds nothing, no frame was recorded that was
// not sent, and each answer that came to its end is whole. While a process lives,
// its descriptors and its memory stay what they were.
func TestSoak(t *testing.T) {
	if *soak == 0 || runtime.GOOS != "linux" {
		t.Skip("with -soak, on Linux: make check, make soak")
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "record")
	if out, err := exec.Command("go", "build", "-o", bin, "aircheck/cmd/record").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := &sender{began: make(chan struct{}, 1)}
	server := httptest.NewServer(s)
	defer server.Close()
	if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), fmt.Appendf(nil, plans, server.URL, 32), 0o644); err != nil {
		t.Fatal(err)
	}
	traces := filepath.Join(dir, "traces")
	faults := []string{"kill", "interrupt", "pause", "disk", "cut"}
	done := map[string]int{}
	for end := time.Now().Add(*soak); len(done) < len(faults) || time.Now().Before(end); {
		fault := faults[len(done)%len(faults)] // each at least once, then by chance
		if len(done) == len(faults) {
			fault = faults[rand.IntN(len(faults))]
		}
		done[fault]++
		c := exec.Command(bin, "run", "plan.yaml", "--to", traces)
		if fault == "disk" { // a file of 4 MB is the largest that can be written
			c = exec.Command("sh", "-c", "ulimit -f 8192; exec "+bin+" run plan.yaml --to "+traces)
		}
		var out bytes.Buffer
		c.Dir, c.Stdout, c.Stderr = dir, &out, &out
		select {
		case <-s.began:
		default:
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- c.Wait() }()
		select {
		case <-s.began:
		case err := <-over:
			t.Fatalf("%s: ended before the first request: %v\n%s", fault, err, out.String())
		case <-time.After(time.Minute):
			t.Fatalf("%s: nothing was sent: %s", fault, out.String())
		}
		round := 300*time.Millisecond + min(*soak/20, 20*time.Second)
		time.Sleep(round / 3)
		files, memory := usage(c.Process.Pid)
		switch fault {
		case "pause":
			c.Process.Signal(syscall.SIGSTOP)
			time.Sleep(300 * time.Millisecond)
			c.Process.Signal(syscall.SIGCONT)
		case "cut":
			server.CloseClientConnections()
		}
		if fault != "disk" {
			time.Sleep(round * 2 / 3)
			if f, m := usage(c.Process.Pid); files > 0 && (f > files+40 || m > memory+128<<20) {
				t.Errorf("%s: %d descriptors and %d MB became %d and %d", fault, files, memory>>20, f, m>>20)
			}
		}
		switch fault {
		case "kill":
			c.Process.Kill()
		case "disk":
		default:
			c.Process.Signal(os.Interrupt)
		}
		select {
		case <-over:
		case <-time.After(time.Minute):
			t.Fatalf("%s: it does not end\n%s", fault, out.String())
		}
		if status := c.ProcessState.ExitCode(); fault == "disk" && status != 4 || fault != "disk" && fault != "kill" && status != 130 {
			t.Errorf("%s: status %d\n%s", fault, status, out.String())
		}
		server.CloseClientConnections()
	}
	recover := exec.Command(bin, "recover", traces)
	if out, err := recover.CombinedOutput(); err != nil {
		t.Errorf("recover: %v\n%s", err, out)
	}
	if left, err := journal.Find(traces); err != nil || len(left) > 0 {
		t.Errorf("journals are left: %v %v", left, err)
	}
	if faults, err := schema.Verify(context.Background(), traces); err != nil || len(faults) > 0 {
		t.Errorf("verify: %v %v", faults, err)
	}
	whole, frames := s.whole(t, traces)
	t.Logf("%v: %d answers came to their end, %d frames in all", done, whole, frames)
	if whole == 0 {
		t.Error("no answer came to its end")
	}
}

// usage is a process's open descriptors and resident memory; 0 where it is over.
func usage(pid int) (files int, memory int64) {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	statm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if fields := strings.Fields(string(statm)); len(fields) > 1 {
		pages, _ := strconv.ParseInt(fields[1], 10, 64)
		memory = pages * int64(os.Getpagesize())
	}
	return len(entries), memory
}

// whole counts the answers that came to their end. Each frame is the one that was
// sent, in its place.
func (s *sender) whole(t *testing.T, dir string) (whole, frames int) {
	d := &schema.Dataset{Dir: dir}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, run := range runs {
		if run.State == schema.StateOpen {
			t.Errorf("run %s is open", run.RunID)
		}
		ended := map[int64]bool{}
		if err := d.EachRequest(run, func(r *schema.Request) error { ended[r.RequestID] = *r.EndReason == "eof"; return nil }); err != nil {
			t.Fatal(err)
		}
		err := d.EachResponse(context.Background(), run, func(id int64, chunks []schema.Chunk) error {
			_, after, _ := strings.Cut(string(chunks[0].Raw), `"stream":`)
			number, _, _ := strings.Cut(after, ",")
			st, err := strconv.Atoi(number)
			if err != nil || seen[st] {
				t.Fatalf("stream %q, which nobody sent or which came before", chunks[0].Raw)
			}
			seen[st] = true
			for n, c := range chunks {
				if want := text(st, n); string(c.Raw) != want && (c.Complete || !strings.HasPrefix(want, string(c.Raw))) {
					t.Errorf("stream %d, frame %d: %q", st, n, c.Raw)
				}
			}
			frames += len(chunks)
			if ended[id] {
				if whole++; len(chunks) != length(st) {
					t.Errorf("stream %d came to its end with %d frames of %d", st, len(chunks), length(st))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return whole, frames
}

// Nothing of a run stays behind in the process that made it: no goroutine, no
// descriptor.
func TestRunsLeaveNothing(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	p, err := plan.Parse([]byte(strings.Replace(fmt.Sprintf(plans, server.URL, 8), "trials: 100000", "trials: 16", 1)), "plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	once := func() {
		r, err := runner.New(runner.Options{Plan: p, Dir: t.TempDir(), Getenv: os.Getenv})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Run(t.Context(), t.Context()); err != nil {
			t.Fatal(err)
		}
		server.CloseClientConnections()
	}
	once()
	settle := func(least int) (n int) {
		for range 100 { // those of closed connections end soon
			if n = runtime.NumGoroutine(); n <= least {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		return n
	}
	before := settle(0)
	files, _ := usage(os.Getpid())
	for range 5 {
		once()
	}
	if after := settle(before); after > before+2 {
		t.Errorf("%d goroutines became %d", before, after)
	}
	if now, _ := usage(os.Getpid()); now > files+2 {
		t.Errorf("%d descriptors became %d", files, now)
	}
}

// Package hostile lets providers and files do their worst to the recorder, as a
// process of its own whose memory the kernel measures.
package hostile

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aircheck/schema"
)

var full = flag.Bool("full", false, "the whole matrix at the default memory, with gigabytes sent")

// binary builds record once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hostile-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "record")
	if out, err := exec.Command("go", "build", "-o", bin, "aircheck/cmd/record").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return bin, nil
})

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if bin, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(bin))
	}
	os.Exit(code)
}

// ran is what became of a process.
type ran struct {
	status   int
	peak     int64 // bytes resident at most, as the kernel counted them
	out, err string
}

// record runs the command, and reads its peak of resident memory from the kernel
// while it runs. What rusage says afterwards has that of its parent in it.
func record(t *testing.T, dir string, args ...string) ran {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the peak of memory is read from /proc")
	}
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, bin, args...)
	var out, errs bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &out, &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	over, read := make(chan struct{}), make(chan int64)
	go func() {
		var peak int64
		for {
			peak = max(peak, highWater(c.Process.Pid))
			select {
			case <-over:
				read <- peak
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	err = c.Wait()
	close(over)
	r := ran{c.ProcessState.ExitCode(), <-read, out.String(), errs.String()}
	if r.status < 0 {
		t.Fatalf("%v: %v\n%s%s", args, err, r.out, r.err)
	}
	return r
}

var vmHWM = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// highWater is the most that a process had resident so far; 0 once it is over.
func highWater(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if m := vmHWM.FindSubmatch(status); m != nil {
		kb, _ := strconv.ParseInt(string(m[1]), 10, 64)
		return kb << 10
	}
	return 0
}

// rows reads a data set back, every frame of it.
func rows(t *testing.T, dir string) (rows []*schema.Request, bytes map[int64]int64) {
	t.Helper()
	if faults, err := schema.Verify(context.Background(), dir); err != nil || len(faults) > 0 {
		t.Errorf("verify: %v %v", faults, err)
	}
	d := &schema.Dataset{Dir: dir}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	bytes = map[int64]int64{}
	for _, run := range runs {
		if err := d.EachRequest(run, func(r *schema.Request) error { rows = append(rows, new(*r)); return nil }); err != nil {
			t.Fatal(err)
		}
		groups, err := d.ChunkGroupsOf(run)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.EachFrames(context.Background(), groups, nil, func(f *schema.Frames) error {
			return f.EachRaw(func(i int, raw []byte) error { bytes[f.RequestID[i]] += int64(len(raw)); return nil })
		}); err != nil {
			t.Fatal(err)
		}
	}
	return rows, bytes
}

// quick are the kinds that every run of the tests has; make soak has all, at the
// default memory.
var quick = map[string]bool{"bomb": true, "tiny": true, "frame-beyond": true, "head": true, "silent": true}

// Whatever a provider sends, the recorder stays within its memory, the ending is
// ours, and the rows of the others are whole.
func TestServers(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	memory, streams := 192, 4 // megabytes
	if *full {
		memory, streams = 256, 16
	}
	frame := max(memory/16, 1) << 20
	plain := sse + "\r\n"
	chunked := sse + "Transfer-Encoding: chunked\r\n\r\n"
	below := memory/streams*2 - 1 // megabytes of a body: twice the memory in all
	if *full {
		below = memory - 1
	}
	kinds := []struct {
		name, end string
		do        behaviour
	}{
		{"bomb", "limit", compressed("gzip", bomb(map[bool]int{false: 50, true: 3000}[*full]))},
		{"tiny", "limit", repeat(plain, strings.Repeat(":\n\n", 20_000), -1)},
		{"body-below", "eof", repeat(plain, content(64<<10), below*16)},
		{"body-beyond", "limit", repeat(plain, content(64<<10), -1)},
		{"frame-below", "eof", repeat(plain, content(frame-1), 3)},
		{"frame-beyond", "limit", repeat(plain, content(10*frame), 1)},
		{"frame-endless", "limit", repeat(plain, strings.Repeat("x", 64<<10), -1)},
		{"head", "limit", repeat("HTTP/1.1 200 OK\r\n", "X-Filler: "+strings.Repeat("x", 1000)+"\r\n", -1)},
		{"chunks", "limit", repeat(chunked, "1;"+strings.Repeat("x", 3000)+"\r\n:\r\n", -1)},
		{"garbage", "unexpected_eof", repeat(strings.Repeat("\x00\xff", 2000), "", 0)},
		{"silent", "timeout_first_byte", func(*bufio.Writer) { time.Sleep(3 * time.Second) }},
	}
	for _, k := range kinds {
		if !*full && !quick[k.name] {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			url := serve(t, map[string]behaviour{"fine": fine, "hostile": k.do})
			dir := t.TempDir()
			plan := fmt.Sprintf(`
trials: %d
warmup: 0
on_dead_target: continue
timeouts: {connect: 5s, first_byte: 2s, idle: 20s, total: 300s}
parallel: 2
targets:
  - {provider: hostile, model: m, base_url: "%s/hostile/v1"}
  - {provider: fine, model: m, base_url: "%[2]s/fine/v1"}
scenarios: [{name: s, messages: [{role: user, content: hi}], concurrency: %[1]d}]
`, streams, url)
			if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(plan), 0o644); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			r := record(t, dir, "run", "plan.yaml", "--to", "traces", "--memory", fmt.Sprintf("%dMB", memory))
			t.Logf("%d MB of %d at most, %v", r.peak>>20, memory, time.Since(began).Round(time.Millisecond))
			if r.status != 0 {
				t.Errorf("status %d\n%s%s", r.status, r.out, r.err)
			}
			if r.peak > int64(memory)<<20 {
				t.Errorf("%d MB were resident, of %d MB allowed", r.peak>>20, memory)
			}
			all, bytes := rows(t, filepath.Join(dir, "traces"))
			if len(all) != 2*streams {
				t.Errorf("%d rows", len(all))
			}
			for _, row := range all {
				switch {
				case row.Provider == "fine" && (*row.EndReason != "eof" || bytes[row.RequestID] != int64(len(fineBody()))):
					t.Errorf("the other's row: %s, %d bytes", *row.EndReason, bytes[row.RequestID])
				case row.Provider == "hostile" && *row.EndReason != k.end:
					t.Errorf("ended as %s (%v), want %s", *row.EndReason, *row.ErrorText, k.end)
				}
			}
		})
	}
}

// A crowd loses nothing: each of so many streams at a time, all sending as fast as
// they can, comes back whole.
func TestCrowd(t *testing.T) {
	if !*full {
		t.Skip("with -full: make soak")
	}
	const streams = 4096
	url := serve(t, map[string]behaviour{"fine": fine})
	dir := t.TempDir()
	plan := fmt.Sprintf(`
trials: %d
warmup: 0
timeouts: {connect: 60s, first_byte: 120s, idle: 120s, total: 300s}
targets: [{provider: fine, model: m, base_url: "%s/fine/v1"}]
scenarios: [{name: s, messages: [{role: user, content: hi}], concurrency: %[1]d}]
`, streams, url)
	if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(plan), 0o644); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	r := record(t, dir, "run", "plan.yaml", "--to", "traces", "--memory", "512MB")
	if r.status != 0 {
		t.Fatalf("status %d\n%s%s", r.status, r.out, r.err)
	}
	all, bytes := rows(t, filepath.Join(dir, "traces"))
	for _, row := range all {
		if *row.EndReason != "eof" || bytes[row.RequestID] != int64(len(fineBody())) {
			t.Errorf("%s with %d bytes of %d", *row.EndReason, bytes[row.RequestID], len(fineBody()))
		}
	}
	if len(all) != streams {
		t.Errorf("%d rows of %d", len(all), streams)
	}
	frames := strings.Count(fineBody(), "\n\n") * len(all)
	t.Logf("%d frames of %d streams in %v, %d MB resident", frames, streams, time.Since(began).Round(time.Millisecond), r.peak>>20)
	if r.peak > 512<<20 {
		t.Errorf("%d MB were resident", r.peak>>20)
	}
}

// Analyze measures decoding and building on a generated dataset, beside a plain
// scan of the same bytes and the loops that people write by hand. The figures
// that matter are ratios of processor time: they hold on a busy machine, too.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"syscall"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/tools/bench"
	"aircheck/schema"
)

func main() {
	chunks := flag.Int("chunks", 10_000_000, "frames to generate")
	memory := flag.String("memory", "1GB", "memory limit of the engine")
	dir := flag.String("dir", "", "keep the dataset here, and use it if it is there")
	part := flag.Int("part", 500_000, "frames given to python3 and jq")
	profile := flag.String("profile", "", "write a processor profile of decode and the full build here")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench-analyze:", err)
			os.Exit(1)
		}
		defer pprof.StopCPUProfile()
	}
	if err := run(*chunks, *memory, *dir, *part); err != nil {
		fmt.Fprintln(os.Stderr, "bench-analyze:", err)
		os.Exit(1)
	}
}

// usage is processor time and the largest resident set so far.
func usage(who int) (time.Duration, int64) {
	var r syscall.Rusage
	syscall.Getrusage(who, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), r.Maxrss << 10
}

type report struct {
	chunks int
	scan   time.Duration
}

func (r *report) line(name string, cpu, wall time.Duration, chunks int, note string) {
	per := float64(cpu.Nanoseconds()) / float64(chunks)
	if r.scan == 0 {
		r.scan = cpu
	}
	ratio := per / (float64(r.scan.Nanoseconds()) / float64(r.chunks))
	fmt.Printf("%-34s %9.2f s cpu %9.2f s wall %9.1f ns/frame %8.2f × scan  %s\n", name, cpu.Seconds(), wall.Seconds(), per, ratio, note)
}

func (r *report) measure(name string, chunks int, f func() error) error {
	before, _ := usage(syscall.RUSAGE_SELF)
	start := time.Now()
	if err := f(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	after, _ := usage(syscall.RUSAGE_SELF)
	r.line(name, after-before, time.Since(start), chunks, "")
	return nil
}

func run(chunks int, memory, dir string, part int) error {
	ctx := context.Background()
	if dir == "" {
		tmp, err := os.MkdirTemp("", "aircheck-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		dir = filepath.Join(tmp, "traces")
	}
	if _, err := schema.OpenDataset(dir); err != nil {
		start := time.Now()
		n, m, err := bench.Dataset(dir, chunks, 1)
		if err != nil {
			return err
		}
		fmt.Printf("generated %d requests, %d frames in %.1f s\n", n, m, time.Since(start).Seconds())
	}
	ds, err := schema.OpenDataset(dir)
	if err != nil {
		return err
	}
	runs, err := ds.Runs()
	if err != nil {
		return err
	}
	os.RemoveAll(filepath.Join(dir, "derived"))
	r := &report{chunks: int(runs[0].Chunks)}
	files := ds.ChunkFiles(runs[0])

	scan := func() error { return scanRaw(ctx, files) }
	if err := scan(); err != nil { // warms the page cache
		return err
	}
	if err := r.measure("scan of raw (DuckDB)", r.chunks, scan); err != nil {
		return err
	}
	o := build.Options{Dir: dir, Memory: memory}
	if err := r.measure("decode", r.chunks, func() error { _, err := build.Decode(ctx, o, 1, 1); return err }); err != nil {
		return err
	}
	os.RemoveAll(filepath.Join(dir, "derived"))
	build := func() error { _, err := build.Build(ctx, o); return err }
	if err := r.measure("full build", r.chunks, build); err != nil {
		return err
	}
	if err := r.measure("second build", r.chunks, build); err != nil {
		return err
	}
	_, peak := usage(syscall.RUSAGE_SELF)
	fmt.Printf("peak memory %.0f MB\n", float64(peak)/1e6)
	return naive(ctx, r, ds, runs[0], part)
}

func scanRaw(ctx context.Context, files []string) error {
	db, err := duck.Open(ctx, duck.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = duck.Query(ctx, db, "scan", "SELECT sum(octet_length(raw)), max(t_ns) FROM "+duck.Parquet(files))
	return err
}

// python is the loop that many write first: parse each line, keep the first
// and last time and the gaps of each request.
const python = `
import json, sys
first, last, gaps, chars = {}, {}, {}, {}
for line in sys.stdin:
    row = json.loads(line)
    raw = row["raw"]
    for part in raw.split("\n"):
        if not part.startswith("data: ") or part == "data: [DONE]":
            continue
        d = json.loads(part[6:])
        text = None
        if d.get("choices"):
            delta = d["choices"][0].get("delta", {})
            text = delta.get("content") or delta.get("reasoning_content")
        elif d.get("type") == "content_block_delta":
            text = d["delta"].get("text")
        if text:
            k, t = row["id"], row["t"]
            first.setdefault(k, t)
            if k in last:
                gaps.setdefault(k, []).append(t - last[k])
            last[k] = t
            chars[k] = chars.get(k, 0) + len(text)
print(len(first), sum(chars.values()))
`

const jq = `select(.raw | startswith("data: {")) | .raw[6:] | fromjson | .choices[0].delta.content // empty`

// naive gives the first frames as JSON lines to python3 and jq.
func naive(ctx context.Context, r *report, ds *schema.Dataset, run *schema.Run, part int) error {
	file := filepath.Join(os.TempDir(), fmt.Sprintf("aircheck-bench-%d.jsonl", os.Getpid()))
	defer os.Remove(file)
	n, err := writeLines(ctx, ds, run, file, part)
	if err != nil {
		return err
	}
	for _, c := range [][]string{{"python3", "-c", python}, {"jq", "-r", jq}} {
		path, err := exec.LookPath(c[0])
		if err != nil {
			fmt.Printf("%-34s skipped: not installed\n", c[0])
			continue
		}
		in, err := os.Open(file)
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, path, c[1:]...)
		cmd.Stdin = in
		before, _ := usage(syscall.RUSAGE_CHILDREN)
		start := time.Now()
		err = cmd.Run()
		in.Close()
		if err != nil {
			fmt.Printf("%-34s skipped: %v\n", c[0], err)
			continue
		}
		after, _ := usage(syscall.RUSAGE_CHILDREN)
		r.line(c[0]+" loop", after-before, time.Since(start), n, fmt.Sprintf("on %d frames", n))
	}
	return nil
}

func writeLines(ctx context.Context, ds *schema.Dataset, run *schema.Run, path string, limit int) (n int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	stop := fmt.Errorf("enough")
	err = ds.ChunkGroups(ctx, run, 1, func(_ int, rows []schema.Chunk) error {
		for i := range rows {
			if n == limit {
				return stop
			}
			n++
			fmt.Fprintf(w, `{"id":%d,"t":%d,"raw":%s}`+"\n", rows[i].RequestID, *rows[i].TNs, quoted(rows[i].Raw))
		}
		return nil
	}, "request_id", "t_ns", "raw")
	if err != nil && err != stop {
		return n, err
	}
	return n, w.Flush()
}

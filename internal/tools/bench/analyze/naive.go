package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"aircheck/schema"
)

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

// loop is a loop that people write by hand.
type loop struct {
	name string
	args []string
}

var loops = []loop{{"python3", []string{"-c", python}}, {"jq", []string{"-r", jq}}}

// perFrame gives JSON lines of frames to a loop, and its processor time a frame;
// 0 where the program is not installed.
func (l loop) perFrame(ctx context.Context, lines string, n int) (time.Duration, error) {
	path, err := exec.LookPath(l.name)
	if err != nil {
		return 0, nil
	}
	in, err := os.Open(lines)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	cmd := exec.CommandContext(ctx, path, l.args...)
	cmd.Stdin = in
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("%s: %w", l.name, err)
	}
	r := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return time.Duration(r.Utime.Nano()+r.Stime.Nano()) / time.Duration(n), nil
}

// lines writes the first frames of a dataset as JSON lines.
func lines(ctx context.Context, dir string, limit int) (path string, n int, err error) {
	ds, err := schema.OpenDataset(dir)
	if err != nil {
		return "", 0, err
	}
	runs, err := ds.Runs()
	if err != nil {
		return "", 0, err
	}
	path = filepath.Join(filepath.Dir(dir), "frames.jsonl")
	n, err = writeLines(ctx, ds, runs[0], path, limit)
	return path, n, err
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

// Imports measures `record import`: a large log of lines through a mapping, and a
// folder of many small files. Beside the rates stand ratios to plain work on the
// same bytes, which hold on a busy machine, too, and the largest resident set.
package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"aircheck/internal/record/imports"
)

func main() {
	megabytes := flag.Int("mb", 2048, "size of the log, in megabytes")
	files := flag.Int("files", 1000, "small files")
	profile := flag.String("profile", "", "write a processor profile of the log's import here")
	flag.Parse()
	if err := run(*megabytes<<20, *files, *profile); err != nil {
		fmt.Fprintln(os.Stderr, "bench-import:", err)
		os.Exit(1)
	}
}

func run(size, files int, profile string) error {
	dir, err := os.MkdirTemp("", "bench-import-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	log := filepath.Join(dir, "log.jsonl")
	lines, err := writeLog(log, size)
	if err != nil {
		return err
	}
	fmt.Printf("a log of %d MB, %d lines of %d bytes\n\n", size>>20, lines, size/lines)
	plain, err := measure("read and hash", size, func() error { return hash(log) })
	if err != nil {
		return err
	}
	part := min(size, 256<<20)
	loop, err := measure("encoding/json, a line at a time", part, func() error { return decode(log, part) })
	if err != nil {
		return err
	}
	stop := func() {}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		stop = pprof.StopCPUProfile
	}
	took, err := measure("record import, the format not named", size, func() error {
		res, err := imports.Import(context.Background(), imports.Options{Files: []string{log}, To: filepath.Join(dir, "to")})
		if err == nil && res.Rows() != lines {
			err = fmt.Errorf("%d rows of %d lines, faults %v", res.Rows(), lines, res.Faults())
		}
		return err
	})
	stop()
	if err != nil {
		return err
	}
	fmt.Printf("  processor time against reading and hashing %.1f, against encoding/json %.2f; at most %d MB resident\n\n",
		float64(took)/float64(plain), float64(took)/float64(loop)*float64(part)/float64(size), resident()>>20)
	return small(dir, files)
}

// writeLog writes lines as a proxy writes them, prompts and answers included.
func writeLog(path string, size int) (lines int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the harbour is quiet and ships come in with the \\\"morning\\\" tide\\n over a l\\u00e0 carte sea")
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[rng.IntN(len(words))])
			b.WriteByte(' ')
		}
		return b.String()
	}
	texts := make([]string, 256)
	for i := range texts {
		texts[i] = text(20 + rng.IntN(400))
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for written := 0; written < size; lines++ {
		at := start.Add(time.Duration(lines) * 700 * time.Millisecond)
		first := at.Add(time.Duration(100+rng.IntN(900)) * time.Millisecond)
		end := first.Add(time.Duration(500+rng.IntN(9000)) * time.Millisecond)
		n, err := fmt.Fprintf(w, `{"id":"chatcmpl-%08d","trace_id":"t-%d","call_type":"acompletion","stream":true,"response_cost":%.8f,"status":"success","custom_llm_provider":"groq","total_tokens":%d,"prompt_tokens":%d,"completion_tokens":%d,"startTime":%.6f,"endTime":%.6f,"completionStartTime":%.6f,"response_time":%.4f,"model":"groq/llama-3.3-70b-versatile","model_group":"chat","api_base":"https://api.groq.com/openai/v1","metadata":{"user_api_key_hash":null,"requester_ip_address":"10.0.0.%d"},"cache_hit":false,"request_tags":[],"messages":[{"role":"user","content":"%s"}],"response":{"id":"x","choices":[{"finish_reason":"stop","index":0,"message":{"role":"assistant","content":"%s"}}]}}`+"\n",
			lines, lines/3, rng.Float64()/1000, 900, 300, 600, float64(at.UnixMicro())/1e6, float64(end.UnixMicro())/1e6, float64(first.UnixMicro())/1e6, first.Sub(at).Seconds(), lines%250, texts[rng.IntN(len(texts))], texts[rng.IntN(len(texts))])
		if err != nil {
			return 0, err
		}
		written += n
	}
	return lines, w.Flush()
}

// small imports many files of one result each.
func small(dir string, files int) error {
	from := filepath.Join(dir, "files")
	if err := os.MkdirAll(from, 0o755); err != nil {
		return err
	}
	size := 0
	for i := range files {
		body := fmt.Sprintf("data: {\"id\":\"%d\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", i)
		size += len(body)
		if err := os.WriteFile(filepath.Join(from, fmt.Sprintf("%05d.sse", i)), []byte(body), 0o644); err != nil {
			return err
		}
	}
	began := time.Now()
	res, err := imports.Import(context.Background(), imports.Options{Files: []string{from}, To: filepath.Join(dir, "small"), Set: imports.Declared{Provider: "p"}})
	if err != nil {
		return err
	}
	if res.Rows() != files {
		return fmt.Errorf("%d rows of %d files, faults %v", res.Rows(), files, res.Faults())
	}
	fmt.Printf("%d files of one response: %.0f a second\n", files, float64(files)/time.Since(began).Seconds())
	return nil
}

// measure prints the rate of a step and gives its processor time.
func measure(name string, size int, f func() error) (time.Duration, error) {
	cpu, began := processor(), time.Now()
	if err := f(); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	used, took := processor()-cpu, time.Since(began)
	fmt.Printf("%-36s %7.0f MB/s, %6.1f s of processor time\n", name, float64(size)/1e6/took.Seconds(), used.Seconds())
	return used, nil
}

func processor() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// resident is the largest resident set so far, in bytes.
func resident() int64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return r.Maxrss << 10
}

func hash(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(sha256.New(), f)
	return err
}

func decode(path string, size int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, int64(size)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v map[string]any
		if json.Unmarshal(lines.Bytes(), &v) != nil {
			return nil // the last line, cut
		}
	}
	return lines.Err()
}

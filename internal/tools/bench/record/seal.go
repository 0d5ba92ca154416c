package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"

	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// seal measures the journal and the writer: appends, the size of the journal, the
// speed of sealing and the size of the chunks beside zstd -3 JSONL with the same
// columns. Responses run side by side, as they do.
func seal() error {
	const requests, frames = 2000, 500
	dir, err := os.MkdirTemp("", "aircheck-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	run := &schema.Run{RunID: "bench", Name: "bench", Origin: "recorded"}
	j, err := journal.Create(dir, run, journal.Options{RollBytes: 1 << 40})
	if err != nil {
		return err
	}
	words := []string{" the", " a", " of", " sky", " blue", ",", " because", " light", " scatter", "ing", ".", " is", " short", " wave"}
	rng := rand.New(rand.NewPCG(1, 1))
	rows := make([]*schema.Request, requests)
	var at [requests]int64
	cpu := processCPU()
	for i := range rows {
		rows[i] = &schema.Request{RequestID: int64(i + 1), API: new("openai-chat"), Phase: "measure", HTTPStatus: new(int32(200)), EndReason: new("eof"), EndNs: new(int64(1))}
		j.Begin(rows[i])
	}
	var raw []byte
	for n := range frames {
		for i := range rows {
			at[i] += int64(20e6 * rng.ExpFloat64())
			raw = fmt.Appendf(raw[:0], "data: {\"id\":\"chatcmpl-%08d\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"gpt-oss-120b\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"logprobs\":null,\"finish_reason\":null}]}\n\n", i, words[rng.IntN(len(words))])
			j.Frame(rows[i].RequestID, &journal.Frame{Read: int32(n), At: at[i], ReadAt: at[i] + int64(rng.IntN(80_000)), Lo: at[i] - 1000, Clock: schema.ClockKernel, Complete: true, Raw: raw})
		}
	}
	for _, row := range rows {
		j.End(row)
	}
	if err := j.Flush(); err != nil {
		return err
	}
	appended := processCPU() - cpu
	size, err := sizeOf(journal.Folder(dir, "bench"))
	if err != nil {
		return err
	}
	cpu = processCPU()
	start := time.Now()
	if err := j.Seal(run); err != nil {
		return err
	}
	sealed, wall := processCPU()-cpu, time.Since(start)
	n := float64(requests * frames)
	var chunks int64
	for _, f := range run.Files {
		if bytes.HasPrefix([]byte(f.Path), []byte("chunks/")) {
			chunks += f.Bytes
		}
	}
	lines, err := jsonl(dir, run)
	if err != nil {
		return err
	}
	fmt.Printf("\njournal and files, %.0f chunks of %d responses side by side\n", n, requests)
	fmt.Printf("  journal        %.2f µs of CPU a chunk (making it included), %.0f bytes a chunk\n", float64(appended.Microseconds())/n, float64(size)/n)
	fmt.Printf("  sealing        %.2f million chunks a second a core, %.1f s, %d MB resident\n", n/sealed.Seconds()/1e6, wall.Seconds(), resident())
	fmt.Printf("  chunks on disk %.2f bytes a chunk, %.2f of zstd -3 JSONL\n", float64(chunks)/n, float64(chunks)/float64(lines))
	return nil
}

func sizeOf(dir string) (n int64, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
	}
	return n, err
}

// counted counts what is written.
type counted int64

func (c *counted) Write(p []byte) (int, error) { *c += counted(len(p)); return len(p), nil }

// jsonl is the size of the run's chunks as lines of JSON, compressed.
func jsonl(dir string, run *schema.Run) (int64, error) {
	var n counted
	z, err := zstd.NewWriter(&n, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(3)), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return 0, err
	}
	enc := json.NewEncoder(z)
	enc.SetEscapeHTML(false)
	d := &schema.Dataset{Dir: dir}
	err = d.EachResponse(context.Background(), run, func(id int64, chunks []schema.Chunk) error {
		for i := range chunks {
			c := &chunks[i]
			line := struct {
				RunID     string `json:"run_id"`
				RequestID int64  `json:"request_id"`
				Seq       int32  `json:"seq"`
				ReadSeq   int32  `json:"read_seq"`
				TNs       *int64 `json:"t_ns"`
				TReadNs   *int64 `json:"t_read_ns"`
				TLoNs     *int64 `json:"t_lo_ns"`
				Clock     string `json:"clock"`
				Complete  bool   `json:"complete"`
				Raw       string `json:"raw"`
			}{c.RunID, c.RequestID, c.Seq, c.ReadSeq, c.TNs, c.TReadNs, c.TLoNs, c.Clock, c.Complete, string(c.Raw)}
			if err := enc.Encode(&line); err != nil {
				return err
			}
		}
		return nil
	})
	return int64(n), joinClose(err, z)
}

func joinClose(err error, z *zstd.Encoder) error {
	if closed := z.Close(); err == nil {
		err = closed
	}
	return err
}

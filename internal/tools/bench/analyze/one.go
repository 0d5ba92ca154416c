package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"syscall"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/tools/bench"
	"aircheck/schema"
)

// measured is what one process says of the one thing that it did.
type measured struct {
	CPU  time.Duration
	Wall time.Duration
	Peak int64 // bytes resident
}

// one does a named thing over a dataset. Each is done in a process of its own, so
// that none finds another's memory; what it needs beforehand is not measured.
func one(ctx context.Context, what, dir, memory, profile string) error {
	ds, err := schema.OpenDataset(dir)
	if err != nil {
		return err
	}
	runs, err := ds.Runs()
	if err != nil {
		return err
	}
	o := build.Options{Dir: dir, Memory: memory, Cache: filepath.Join(filepath.Dir(dir), "cache")}
	do := map[string]func() error{
		"scan":   func() error { return scan(ctx, dir, ds.ChunkFiles(runs[0])) },
		"decode": func() error { _, err := build.Decode(ctx, o, 1, 1); return err },
		"build":  func() error { _, err := build.Build(ctx, o); return err },
		"all":    func() error { _, err := build.Build(ctx, o, build.All); return err },
		"events": func() error { _, err := build.Build(ctx, o, build.Events); return err },
		"again":  func() error { _, err := build.Build(ctx, o); return err },
	}[what]
	switch what {
	case "scan":
		err = do() // warms the page cache
	case "again": // after what ran before it
	default:
		err = os.RemoveAll(o.Cache)
	}
	if err != nil {
		return err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	before, start := bench.Processor(), time.Now()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	m := measured{CPU: bench.Processor() - before, Wall: time.Since(start)}
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return err
	}
	m.Peak = r.Maxrss << 10
	return json.NewEncoder(os.Stdout).Encode(m)
}

func scan(ctx context.Context, dir string, names []string) error {
	var files []string
	for _, name := range names {
		files = append(files, filepath.Join(dir, filepath.FromSlash(name)))
	}
	db, err := duck.Open(ctx, duck.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = duck.Query(ctx, db, "scan", "SELECT sum(octet_length(raw)), max(t_ns) FROM "+duck.Parquet(files))
	return err
}

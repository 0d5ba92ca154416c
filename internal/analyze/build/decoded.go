package build

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"aircheck/internal/analyze/decode"
	"aircheck/internal/analyze/derived"
)

// layoutsDir holds what is known of each run's files, so that a second build
// opens none of them.
const layoutsDir = "layouts"

func (b *builder) layoutFile(r *run) string {
	return filepath.Join(b.opts.CacheDir(), layoutsDir, r.key+".json")
}

// lay finds out where a run is cut. A cache that cannot be written costs reading
// the footers each time.
func (b *builder) lay(r *run) error {
	if r.Requests == 0 {
		return nil
	}
	file := b.layoutFile(r)
	data, err := os.ReadFile(file)
	if err == nil && json.Unmarshal(data, &r.layout) == nil && r.layout != nil {
		return nil
	}
	if r.layout, err = decode.LayoutOf(b.ds, r.Run); err != nil {
		return err
	}
	if data, err = json.Marshal(r.layout); err != nil {
		return err
	}
	if os.MkdirAll(filepath.Dir(file), 0o755) == nil {
		if tmp, err := derived.TempFile(file); err == nil {
			defer os.Remove(tmp)
			if os.WriteFile(tmp, data, 0o644) == nil {
				os.Rename(tmp, file)
			}
		}
	}
	return nil
}

// decodedDir holds what was decoded of a run, a directory for each part.
func (b *builder) decodedDir(r *run, events bool) string {
	return filepath.Join(b.opts.CacheDir(), decode.DirName(events), r.key)
}

// jobs are what decoding the given runs comes to, done or not. Events are decoded
// by row group, those of requests that are wanted: a query for one request reads
// one row group.
func (b *builder) jobs(runs []*run, events bool) (out []decode.Job) {
	for _, r := range runs {
		if r.Requests == 0 {
			continue
		}
		ends := r.layout.Pieces
		if events {
			ends = r.layout.Groups
		}
		from := &decode.Run{Dataset: b.ds, Run: r.Run}
		for _, at := range decode.Ranges(ends) {
			if events && b.only != nil && !slices.ContainsFunc(b.only, at.Has) {
				continue
			}
			out = append(out, decode.Job{Run: from, Range: at, Events: events,
				Dir: filepath.Join(b.decodedDir(r, events), fmt.Sprintf("%05d", at.Number))})
		}
	}
	return out
}

// undecoded are the jobs that are still to be done.
func (b *builder) undecoded(events bool) []decode.Job {
	return slices.DeleteFunc(b.jobs(b.runs, events), func(j decode.Job) bool {
		return (!b.rebuild || b.fresh[j.Dir]) && decode.Whole(j.Dir, events)
	})
}

func (b *builder) decode(ctx context.Context, jobs []decode.Job) error {
	if len(jobs) == 0 {
		return nil
	}
	defer b.opts.Report("", 0, 0)
	n := 0
	runs := map[string]bool{}
	b.opts.Report("decode", n, len(jobs))
	workers, lift := b.opts.ForDecoding()
	defer lift()
	return decode.Do(ctx, jobs, workers, func(j decode.Job) {
		b.fresh[j.Dir] = true
		if !j.Events && !runs[j.Run.RunID] {
			runs[j.Run.RunID] = true
			b.summary.Decoded++
		}
		n++
		b.opts.Report("decode", min(n, len(jobs)-1), len(jobs))
	})
}

// Decode brings the decoded tables up to date, and no more: [Build] does it by
// itself. Of several shards, counted from 1, it does the given one's pieces. It
// gives the number of pieces decoded.
func Decode(ctx context.Context, o Options, shard, shards int) (int, error) {
	b, err := prepare(o)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(b.opts.CacheDir(), 0o755); err != nil {
		return 0, fmt.Errorf("make the cache of derived files: %w", err)
	}
	var mine []decode.Job
	for i, j := range b.jobs(b.runs, false) {
		if i%shards == shard-1 && !decode.Whole(j.Dir, false) {
			mine = append(mine, j)
		}
	}
	return len(mine), b.decode(ctx, mine)
}

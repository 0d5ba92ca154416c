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
	"aircheck/internal/kit/store"
)

// layoutsDir holds what is known of each run's files, so that a second build
// opens none of them.
const layoutsDir = "layouts"

func (b *builder) layoutFile(r *run) string {
	return filepath.Join(b.opts.CacheDir(), layoutsDir, r.key+".json")
}

// lay finds out where a run is cut, and sees at its first time that the run's files
// are what its record says, checksums included where these are wanted. A cache
// that cannot be written costs that each time.
func (b *builder) lay(ctx context.Context, r *run, sums bool) error {
	sums = sums && !store.Remote(b.opts.Dir) // which checks what it hands out
	file := b.layoutFile(r)
	if err := b.mirror.fetchSmall(file); err != nil {
		return err
	}
	known := func(at *decode.Layout) bool { return at != nil && (at.Checked || !sums) }
	if data, err := derived.ReadSmall(file); err == nil && json.Unmarshal(data, &r.layout) == nil && known(r.layout) {
		return nil
	}
	if err := b.ds.Check(ctx, r.Run, sums); err != nil {
		return err
	}
	var err error
	if r.layout, err = decode.LayoutOf(b.ds, r.Run); err != nil {
		return err
	}
	r.layout.Checked = sums
	b.keepSmall(file, r.layout)
	return nil
}

// keepSmall writes a small derived file, if the cache lets it.
func (b *builder) keepSmall(file string, value any) {
	data, err := json.Marshal(value)
	if err != nil || os.MkdirAll(filepath.Dir(file), 0o755) != nil {
		return
	}
	tmp, err := derived.TempFile(file)
	if err != nil {
		return
	}
	defer os.Remove(tmp)
	if os.WriteFile(tmp, data, 0o644) == nil && os.Rename(tmp, file) == nil {
		b.mirror.put(file) // else another finds it out again
	}
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
		from := &decode.Run{Dataset: b.ds, Run: r.Run, ReadClock: b.opts.ReadClock}
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
		return (!b.rebuild || b.fresh[j.Dir]) && b.decoded(j)
	})
}

// decoded reports whether a piece is decoded, here or in the store.
func (b *builder) decoded(j decode.Job) bool {
	return decode.Whole(j.Dir, j.Events) || b.mirror.has(decode.Paths(j.Dir, j.Events)...)
}

func (b *builder) decode(ctx context.Context, jobs []decode.Job) error {
	if len(jobs) == 0 {
		return nil
	}
	defer b.opts.Report("", 0, 0)
	n := 0
	runs, broken := map[string]bool{}, map[string]bool{}
	b.opts.Report("decode", n, len(jobs))
	workers, lift := b.opts.ForDecoding()
	defer lift()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return decode.Do(ctx, jobs, workers, func(j decode.Job, err error) {
		if err == nil {
			if err := b.mirror.put(j.Dir); err != nil {
				cancel(err)
			}
		}
		if err != nil {
			if !broken[j.Run.RunID] {
				broken[j.Run.RunID] = true
				b.leave(b.faultOf(j.Run.RunID, err))
			}
			return
		}
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
	b, err := prepare(ctx, o, false)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(b.opts.CacheDir(), 0o755); err != nil {
		return 0, fmt.Errorf("make the cache of derived files: %w", err)
	}
	var mine []decode.Job
	jobs := b.jobs(b.runs, false)
	which := b.shares(jobs, shards)
	for i, j := range jobs {
		if which[i] == shard-1 && !b.decoded(j) {
			mine = append(mine, j)
		}
	}
	if err := b.decode(ctx, mine); err != nil {
		return 0, err
	}
	return len(mine), b.remain()
}

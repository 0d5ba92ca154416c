package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/store"
	"aircheck/schema"
)

// A run that is damaged, foreign or kept twice is left out and named; the others
// are built.

// leave takes a run out of what is built, and tells why.
func (b *builder) leave(fault schema.Fault) {
	b.runs = slices.DeleteFunc(slices.Clone(b.runs), func(r *run) bool { return fault.Path == recordOf(r.RunID) })
	b.summary.Left = append(slices.Clone(b.summary.Left), fault)
	b.count()
	if b.opts.LeftOut != nil {
		b.opts.LeftOut(fault)
	}
}

func recordOf(runID string) string { return "runs/" + runID + ".json" }

func (b *builder) count() {
	b.summary.Runs, b.summary.Requests, b.summary.Chunks = len(b.runs), 0, 0
	for _, r := range b.runs {
		b.summary.Requests += r.Requests
		b.summary.Chunks += r.Chunks
	}
}

// faultOf names the run that an error is about.
func (b *builder) faultOf(runID string, err error) schema.Fault {
	what := strings.ReplaceAll(err.Error(), b.opts.Dir+string(filepath.Separator), "")
	return schema.Fault{Path: recordOf(runID), What: what}
}

// admit looks at runs that are new, and leaves out those that are not what their
// records say, or are kept twice.
func (b *builder) admit(ctx context.Context, sums bool) error {
	b.count()
	var damaged *schema.DamagedError
	for _, r := range b.runs {
		if r.Requests == 0 {
			continue
		}
		switch err := b.lay(ctx, r, sums); {
		case errors.As(err, &damaged):
			b.leave(b.faultOf(r.RunID, err))
		case err != nil:
			return fmt.Errorf("run %s: %w", r.RunID, err)
		}
	}
	var spans []schema.Spanned
	for _, r := range b.runs {
		if r.layout != nil {
			spans = append(spans, schema.Spanned{Run: r.Run, First: r.layout.First, Last: r.layout.Last})
		}
	}
	clashes, err := b.clashes(spans)
	if err != nil {
		return err
	}
	for _, r := range b.runs {
		if fault, ok := clashes[r.RunID]; ok {
			b.leave(fault)
		}
	}
	if len(b.summary.Left) == 0 {
		return nil
	}
	if err := b.remain(); err != nil {
		return err
	}
	return b.strict()
}

// remain names rows again after a run was left out.
func (b *builder) remain() error {
	if len(b.runs) == 0 {
		return &schema.DamagedError{Err: fmt.Errorf("%s: no run can be read: %s", b.opts.Dir, b.summary.Left[0])}
	}
	return b.name()
}

// strict is the error for runs that are left out, where none may be.
func (b *builder) strict() error {
	if !b.opts.Strict || len(b.summary.Left) == 0 {
		return nil
	}
	return &schema.DamagedError{Err: fmt.Errorf("%s: %d of its runs cannot be read, the first: %s", b.opts.Dir, len(b.summary.Left), b.summary.Left[0])}
}

// culprit finds the run whose file an error of the engine is about.
func (b *builder) culprit(err error) (schema.Fault, bool) {
	var engine *duck.Error
	if err == nil || !errors.As(err, &engine) || !aboutFile(err) || !ofRun(engine.File()) {
		return schema.Fault{}, false
	}
	id, _ := strings.CutPrefix(filepath.Base(filepath.Dir(engine.File())), "run=")
	if !slices.ContainsFunc(b.runs, func(r *run) bool { return r.RunID == id }) {
		return schema.Fault{}, false
	}
	return b.faultOf(id, err), true
}

// guard sees that derived files of the dataset's own go into directories of its
// own: a link would lead what is written elsewhere. A cache that was named is the
// user's.
func guard(o *Options) error {
	if o.Cache != "" || store.Remote(o.Dir) {
		return nil
	}
	folder, err := store.OpenFolder(o.Dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	dirs := []string{"derived"}
	for depth := range 3 { // derived/<kind>/<run>
		var below []string
		for _, dir := range dirs {
			if err := folder.CheckDir(dir); err != nil {
				return refused(err)
			}
			if depth == 2 {
				continue
			}
			entries, err := os.ReadDir(folder.Path(dir))
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			for _, e := range entries {
				if (depth > 0 || ours.MatchString(e.Name())) && !e.Type().IsRegular() {
					below = append(below, dir+"/"+e.Name())
				}
			}
		}
		dirs = below
	}
	return nil
}

func refused(err error) error {
	var odd *store.OddError
	if errors.As(err, &odd) {
		return &schema.DamagedError{Err: fmt.Errorf("%w: derived files are written below the dataset only; --cache names another place for them", err)}
	}
	return err
}

// clashes finds the runs that are kept twice. What was found for these runs is
// kept: ids that lie between each other's must be read.
func (b *builder) clashes(spans []schema.Spanned) (out map[string]schema.Fault, err error) {
	if len(spans) < 2 {
		return nil, nil
	}
	var keys []string
	for _, r := range b.runs {
		keys = append(keys, r.key)
	}
	file := filepath.Join(b.opts.CacheDir(), layoutsDir, "clashes-"+digest(keys...)+".json")
	if data, err := derived.ReadSmall(file); err == nil && json.Unmarshal(data, &out) == nil && out != nil {
		return out, nil
	}
	if out, err = b.ds.Clashes(spans); err == nil {
		b.keepSmall(file, out)
	}
	return out, err
}

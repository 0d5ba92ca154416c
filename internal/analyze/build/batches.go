package build

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"aircheck/internal/analyze/decode"
	"aircheck/internal/kit/duck"
	"aircheck/queries"
)

// batch is what one statement computes of a node that is stored by run: a slice of
// a run, or several small runs whole. A statement over a hundred columns takes a
// tenth of a second however few rows it has.
type batch struct {
	runs []*run
	at   decode.Range // of a run that is alone
}

// batchRequests is so many requests that computing them takes as long as preparing
// the statement that does.
const batchRequests = 8 << 10

// batches cut the runs that have requests. Small ones are cut where the hash of a
// run's key says so, or a batch is full: a run more or less changes one batch or two.
func (b *builder) batches() (out []batch) {
	var small []*run
	var n int64
	together := func() {
		if len(small) > 0 {
			out = append(out, batch{runs: small})
		}
		small, n = nil, 0
	}
	for _, r := range b.runs {
		switch {
		case r.Requests == 0:
		case len(r.layout.Slices) > 0 || r.Requests > batchRequests/2:
			for _, at := range decode.Ranges(r.layout.Slices) {
				out = append(out, batch{[]*run{r}, at})
			}
		default:
			if n += r.Requests; n > batchRequests {
				together()
				n = r.Requests
			}
			if small = append(small, r); endsBatch(r.key) {
				together()
			}
		}
	}
	together()
	return out
}

// endsBatch holds for one key in 256.
func endsBatch(key string) bool { return sha256.Sum256([]byte(key))[0] == 0 }

// name is that of a batch's files.
func (a batch) name() string {
	if len(a.runs) == 1 {
		return fmt.Sprintf("%s.%05d.parquet", a.runs[0].key, a.at.Number)
	}
	keys := make([]string, len(a.runs))
	for i, r := range a.runs {
		keys[i] = r.key
	}
	return digest(keys...) + ".parquet"
}

// batchFile is where the rows of a batch are, for a node stored by run.
func (b *builder) batchFile(n *Node, a batch) string {
	return filepath.Join(b.opts.CacheDir(), strings.TrimLeft(n.Name, "_")+"-"+b.kernel[n.Name], a.name())
}

// makeByRun computes a node batch by batch, whose rows take a bounded part of the
// memory.
func (b *builder) makeByRun(ctx context.Context, n *Node, build bool) error {
	var files []string
	var todo []batch
	for _, a := range b.batches() {
		file := b.batchFile(n, a)
		files = append(files, file)
		if build && !b.have(file) {
			todo = append(todo, a)
		}
	}
	if len(todo) > 0 || len(files) == 0 {
		if err := duck.Exec(ctx, b.conn, n.File.Path, n.File.Definition()); err != nil {
			return err
		}
	}
	for i, a := range todo {
		b.opts.Report(n.Name, i, len(todo))
		err := b.narrow(ctx, n, a)
		if err == nil {
			err = b.store(ctx, n, n.Name, b.batchFile(n, a))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", a, err)
		}
	}
	if len(todo) > 0 {
		b.summary.Built = append(b.summary.Built, n.Name)
		if err := b.widen(ctx, n); err != nil {
			return err
		}
	}
	if len(files) == 0 {
		return nil // the view over no run's events stays, and is empty
	}
	return b.viewOver(ctx, n, files)
}

// String names a batch in errors.
func (a batch) String() string {
	if len(a.runs) == 1 {
		return "run " + a.runs[0].RunID
	}
	return fmt.Sprintf("%d runs from %s to %s", len(a.runs), a.runs[0].RunID, a.runs[len(a.runs)-1].RunID)
}

// narrow restricts what is known by run to a batch; widen takes that back.
func (b *builder) narrow(ctx context.Context, n *Node, a batch) error {
	for i := range b.making {
		switch src := &b.making[i]; {
		case src.Name == n.Name:
			return nil // what follows in order is not needed
		case src.Source != nil:
			if err := b.sourceOver(ctx, src, a.runs, a.at); err != nil {
				return err
			}
		case src.stored() == queries.PerRun:
			if err := b.viewOver(ctx, src, []string{b.batchFile(src, a)}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) widen(ctx context.Context, n *Node) error {
	for i := range b.making {
		src := &b.making[i]
		if src.Name == n.Name {
			return nil
		}
		if src.Source != nil || src.stored() == queries.PerRun {
			if err := b.make(ctx, src, false); err != nil {
				return err
			}
		}
	}
	return nil
}

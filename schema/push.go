package schema

import (
	"context"
	"path/filepath"

	"aircheck/internal/kit/store"
)

// Pushed says what was copied, and what was there already.
type Pushed struct {
	Runs, There  int
	Files, Bytes int64
}

// Push copies sealed runs to a store, each with its files first and its record
// last, so that a reader there sees whole runs only. Checksums are compared before
// anything of a run is sent. What is there already stays, and what was broken off
// goes on with the next call. Runs that are damaged are not sent; they are told of.
func Push(ctx context.Context, dir string, to store.Store, damaged func(Fault)) (p Pushed, err error) {
	d, err := OpenDataset(dir)
	if err != nil {
		return p, err
	}
	runs, left, err := d.Sound(ctx)
	if err != nil {
		return p, err
	}
	for _, fault := range left {
		damaged(fault)
	}
	for _, run := range runs {
		name := "runs/" + run.RunID + ".json"
		if run.State == StateOpen {
			continue // more files follow
		}
		put := false
		for _, f := range append(run.Files[:len(run.Files):len(run.Files)], File{Path: name}) {
			if err := ctx.Err(); err != nil {
				return p, err
			}
			from := filepath.Join(dir, filepath.FromSlash(f.Path))
			if put, err = to.PutIfAbsent(f.Path, from); err != nil {
				return p, err
			}
			if put {
				p.Files++
				p.Bytes += f.Bytes
				continue
			}
			if err := same(d.store, to, f.Path); err != nil {
				return p, err
			}
		}
		if put {
			p.Runs++
		} else {
			p.There++
		}
	}
	return p, nil
}

// same sees that a store has under a name what the dataset has.
func same(d, to store.Store, name string) error {
	mine, err := d.Stat(name)
	if err != nil {
		return err
	}
	its, err := to.Stat(name)
	if err != nil {
		return err
	}
	if mine.Size != its.Size {
		return damagedf("%s is there with %d bytes, here it has %d: another run of this name, or a broken copy", to.Path(name), its.Size, mine.Size)
	}
	return nil
}

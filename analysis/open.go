package analysis

import (
	"context"
	"database/sql"
	"path/filepath"
	"regexp"

	"aircheck/internal/duck"
	"aircheck/queries"
)

// Reader is a built dataset, open for queries: all public views, on one
// connection.
type Reader struct {
	*sql.Conn
	Summary Summary // of the build that opening found necessary
	db      *duck.DB
	views   []string
	macros  []string
	dirs    []string // that a locked reader reads
	paths   []string // and single files
	locked  bool
}

// Open builds what is new and opens the public views. The reader's connection
// can do all that the engine can, for queries of our own; those of others go
// through [Reader.Select].
func Open(ctx context.Context, o Options) (*Reader, error) {
	if err := o.recall(); err != nil {
		return nil, err
	}
	b, err := prepare(o)
	if err != nil {
		return nil, err
	}
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	if err := b.open(ctx, false); err != nil {
		return nil, err
	}
	r := &Reader{Conn: b.conn, db: b.db, Summary: b.summary}
	r.dirs = []string{b.opts.cache(), filepath.Join(b.opts.Dir, "requests"), filepath.Join(b.opts.Dir, "chunks")}
	for _, n := range b.visible() {
		if err := b.make(ctx, &n, false); err != nil {
			r.Close()
			return nil, err
		}
		if n.File != nil && n.File.Public() {
			if len(n.File.Key) > 0 {
				r.views = append(r.views, n.Name)
			} else {
				for _, m := range macroName.FindAllStringSubmatch(n.File.SQL, -1) {
					r.macros = append(r.macros, m[1])
				}
			}
		}
	}
	return r, nil
}

var macroName = regexp.MustCompile(`(?m)^CREATE OR REPLACE MACRO (\w+)`)

// visible lists the nodes that readers see, and what those of them that are
// not stored are made of.
func (b *builder) visible() []Node {
	want := map[string]bool{}
	var out []Node
	for i := len(b.nodes) - 1; i >= 0; i-- {
		n := b.nodes[i]
		if !want[n.Name] && (n.File == nil || !n.File.Public()) {
			continue
		}
		if n.stored() == queries.Never {
			for _, need := range n.Needs {
				want[need] = true
			}
		}
		out = append([]Node{n}, out...)
	}
	return out
}

// Views lists the public views.
func (r *Reader) Views() []string { return r.views }

// Close closes the connection and the database.
func (r *Reader) Close() error {
	err := r.Conn.Close()
	if e := r.db.Close(); err == nil {
		err = e
	}
	return err
}

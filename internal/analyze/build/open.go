package build

import (
	"context"
	"database/sql"
	"path/filepath"

	"aircheck/queries"
)

// Reader is a built dataset, open for queries: all public views, on one
// connection.
type Reader struct {
	*sql.Conn
	Summary Summary // of the build that opening found necessary
	b       *builder
	nodes   []Node // what there is to define, each after its needs
	defined map[string]bool
	views   []string
	macros  map[string]string // names of macros → the node that has them
	dirs    []string          // that a locked reader reads
	paths   []string          // and single files
	locked  bool
}

// Open builds what is new and opens the public views. The reader's connection
// can do all that the engine can, for queries of our own; those of others go
// through [Reader.Select].
func Open(ctx context.Context, o Options) (*Reader, error) {
	r, err := OpenForSelect(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := r.defineAll(ctx); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// OpenForSelect is Open for few queries through [Reader.Select], which then
// defines only the views that they name: with many views, defining takes longer
// than most queries.
func OpenForSelect(ctx context.Context, o Options) (*Reader, error) {
	if err := o.Recall(); err != nil {
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
	r := &Reader{Conn: b.conn, b: b, Summary: b.summary, nodes: b.visible(), defined: map[string]bool{}, macros: map[string]string{}}
	r.dirs = []string{b.opts.CacheDir(), filepath.Join(b.opts.Dir, "requests"), filepath.Join(b.opts.Dir, "chunks")}
	for _, n := range r.nodes {
		if n.File == nil || !n.File.Public() {
			continue
		}
		if len(n.File.Key) > 0 {
			r.views = append(r.views, n.Name)
		}
		for _, name := range n.File.Macros() {
			r.macros[name] = n.Name
		}
	}
	return r, nil
}

func (r *Reader) defineAll(ctx context.Context) error {
	var names []string
	for _, n := range r.nodes {
		names = append(names, n.Name)
	}
	return r.define(ctx, names...)
}

// define brings the named views into the database, with what they are made of.
func (r *Reader) define(ctx context.Context, names ...string) error {
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	for i := len(r.nodes) - 1; i >= 0; i-- {
		if n := &r.nodes[i]; want[n.Name] && n.stored() == queries.Never {
			for _, need := range n.Needs {
				want[need] = true
			}
		}
	}
	for i := range r.nodes {
		n := &r.nodes[i]
		if !want[n.Name] || r.defined[n.Name] {
			continue
		}
		if err := r.b.make(ctx, n, false); err != nil {
			return err
		}
		r.defined[n.Name] = true
	}
	return nil
}

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
	if e := r.b.db.Close(); err == nil {
		err = e
	}
	return err
}

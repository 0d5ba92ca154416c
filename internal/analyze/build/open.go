package build

import (
	"context"
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/store"
	"aircheck/queries"
	"aircheck/schema"
)

// Reader is a dataset, open for queries: all public views, on one connection.
type Reader struct {
	*sql.Conn
	Summary    Summary // of what was found necessary to build so far
	b          *builder
	nodes      []Node // what queries may name, each after its needs
	defined    map[string]bool
	overEvents []string
	views      []string
	macros     map[string]string // names of macros → the node that has them
	dirs       []string          // that a locked reader reads
	paths      []string          // and single files
	attached   []string          // names of these
	locked     bool
	spool      string // where large results go, within a limit of memory; "" where there is none
}

// Open brings results up to date and opens the dataset. Every other view is
// made when a query first names it, and its rows are kept for the next reader.
// The reader's connection can do all that the engine can, for queries of our own;
// those of others go through [Reader.Select].
func Open(ctx context.Context, o Options) (*Reader, error) {
	if err := o.Fill(); err != nil {
		return nil, err
	}
	b, err := prepare(ctx, o, true)
	if err != nil {
		return nil, err
	}
	if err := b.ensure(ctx, "results"); err != nil {
		return nil, err
	}
	memory, lift := b.opts.ForEngine()
	defer lift()
	spool := ""
	if memory != "" {
		if spool, err = os.MkdirTemp("", "aircheck-"); err != nil {
			return nil, err
		}
		b.spill = spool
	}
	if err := b.open(ctx, false, memory); err != nil {
		os.RemoveAll(spool)
		return nil, err
	}
	r := &Reader{Conn: b.conn, b: b, spool: spool, Summary: b.summary, nodes: b.visible(), defined: map[string]bool{}, macros: map[string]string{}, overEvents: overEvents(b.nodes)}
	r.dirs = []string{b.opts.CacheDir()}
	if raw := b.opts.Dir; store.Remote(raw) {
		r.dirs = append(r.dirs, filepath.Join(store.CacheFor(raw), "raw"))
	} else {
		r.dirs = append(r.dirs, filepath.Join(raw, "requests"), filepath.Join(raw, "chunks"))
	}
	for _, n := range r.nodes {
		if n.File == nil || !n.File.Public() {
			continue
		}
		if len(n.File.Key) > 0 {
			r.views = append(r.views, n.Name)
		}
		for _, name := range n.File.Macros() {
			if queries.Public(name) {
				r.macros[name] = n.Name
			}
		}
	}
	return r, nil
}

// define brings the named views into the database, with what they are made of,
// and first makes those of their rows that are not stored yet. Of views over
// events, those of some requests may do, as a statement before this one had it.
func (r *Reader) define(ctx context.Context, names ...string) error {
	names = slices.DeleteFunc(names, func(n string) bool { return r.defined[n] && !slices.Contains(r.overEvents, n) })
	if len(names) == 0 {
		return nil
	}
	runs := len(r.b.runs)
	if err := r.b.ensure(ctx, names...); err != nil {
		return err
	}
	if len(r.b.runs) < runs { // what is defined has rows of runs that are now left out
		names = append(names, slices.Sorted(maps.Keys(r.defined))...)
		clear(r.defined)
		if err := r.b.ensure(ctx, names...); err != nil {
			return err
		}
	}
	r.Summary = r.b.summary
	load := r.b.plan(names...).load
	for i := range load {
		n := &load[i]
		if r.defined[n.Name] && !n.events {
			continue
		}
		if err := r.b.make(ctx, n, false); err != nil {
			return err
		}
		r.defined[n.Name] = true
	}
	return nil
}

// restrict leaves out the events of requests that a statement does not ask for.
func (r *Reader) restrict(named duck.Names) {
	if len(r.overEvents) == 0 {
		return // no dataset behind it
	}
	var macros []string
	for name, node := range r.macros {
		if slices.Contains(r.overEvents, node) {
			macros = append(macros, name)
		}
	}
	r.b.only = named.Restricted("request_id", r.overEvents, macros)
}

// overEvents lists the nodes that are views over events, with no stored rows of
// their own.
func overEvents(nodes []Node) (out []string) {
	for _, n := range nodes { // each after its needs
		if n.events || n.stored() == queries.Never && slices.ContainsFunc(n.Needs, func(need string) bool { return slices.Contains(out, need) }) {
			out = append(out, n.Name)
		}
	}
	return out
}

// QueryContext answers a query of our own, once the views that it names are there.
func (r *Reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := r.defineNamed(ctx, query); err != nil {
		return nil, err
	}
	return r.Conn.QueryContext(ctx, query, args...)
}

// QueryRowContext is QueryContext for one row.
func (r *Reader) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	if err := r.defineNamed(ctx, query); err != nil {
		gone, cancel := context.WithCancelCause(ctx)
		cancel(err)
		return r.Conn.QueryRowContext(gone, query, args...)
	}
	return r.Conn.QueryRowContext(ctx, query, args...)
}

// ExecContext runs statements of our own, which may define views over others.
func (r *Reader) ExecContext(ctx context.Context, statements string, args ...any) (sql.Result, error) {
	if err := r.defineNamed(ctx, statements); err != nil {
		return nil, err
	}
	return r.Conn.ExecContext(ctx, statements, args...)
}

var sqlWord = regexp.MustCompile(`\w+`)

// defineNamed defines the views that a statement names. Of one that is no SELECT
// the parser says nothing: then those whose names stand anywhere in it.
func (r *Reader) defineNamed(ctx context.Context, statement string) error {
	named, err := duck.NamesIn(ctx, r.Conn, statement)
	if err != nil {
		named = duck.Names{Tables: sqlWord.FindAllString(statement, -1)}
		named.Macros = named.Tables
	}
	r.restrict(named)
	return r.define(ctx, r.nodesOf(named)...)
}

// nodesOf are the names of what a statement reads, as far as the reader has them.
func (r *Reader) nodesOf(named duck.Names) (names []string) {
	for _, m := range named.Macros {
		if node, ok := r.macros[m]; ok {
			names = append(names, node)
		}
	}
	for _, n := range r.nodes {
		if named.Catalog || slices.Contains(named.Tables, n.Name) {
			names = append(names, n.Name)
		}
	}
	return names
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

// Runs lists the runs that the reader's rows are made of.
func (r *Reader) Runs() []*schema.Run { return r.b.input().Runs }

// Views lists the public views.
func (r *Reader) Views() []string { return r.views }

// Close closes the connection and the database.
func (r *Reader) Close() error {
	err := r.Conn.Close()
	if e := r.b.db.Close(); err == nil {
		err = e
	}
	if r.spool != "" {
		os.RemoveAll(r.spool)
	}
	return err
}

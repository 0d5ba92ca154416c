package build

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aircheck/internal/analyze/decode"
	"aircheck/internal/analyze/derived"
	"aircheck/internal/analyze/inference"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/store"
	"aircheck/queries"
	"aircheck/schema"
)

// Summary says what a build found and did.
type Summary struct {
	Runs     int
	Requests int64
	Chunks   int64
	Decoded  int            // runs decoded now
	Built    []string       // tables computed now, in order; none when all was there
	Left     []schema.Fault // runs that are left out, with why
}

// run is a sealed run with the key that names its derived files: the run's id
// and a hash of its raw files, so that a run replaced under its old name is new.
type run struct {
	*schema.Run
	key    string
	layout *decode.Layout // nil where it has no requests
}

// inputs is what a build starts from.
type inputs struct {
	ds   *schema.Dataset
	runs []*run
	opts Options
}

// input is what steps see of it.
func (in *inputs) input() *inference.Input {
	runs := make([]*schema.Run, len(in.runs))
	for i, r := range in.runs {
		runs[i] = r.Run
	}
	return &inference.Input{Dataset: in.ds, Runs: runs, Options: &in.opts}
}

// builder brings the derived files up to date.
type builder struct {
	inputs
	nodes  []Node
	making []Node // those that a build loads: no view over chunks is among them
	// full names a node's rows: its definition and all that it depends on, the
	// runs included. kernel leaves the runs out, and so names what is computed
	// run by run.
	full, kernel map[string]string
	paths        map[string]string // of raw files, by name
	mirror       *mirror           // of a dataset that lives elsewhere
	rebuild      bool              // what the cache has is not taken, but for
	fresh        map[string]bool   // files made by this build
	only         []int64           // requests whose events are wanted; nil for all
	spill        string            // directory that large sorts go to
	guard        string            // condition on all rows that are read from files; "" for none
	db           *duck.DB
	conn         *sql.Conn
	summary      Summary
}

// Order is what a build is told to do beyond bringing results up to date. It
// says nothing of the numbers, and so is no option that readers share.
type Order int

// The orders.
const (
	All     Order = iota // store every table now, rather than when it is first read
	Events               // decode all events now, rather than those that a query needs
	Rebuild              // make again all that is stored, and take nothing from the cache
)

// Build decodes what is new in a dataset and derives results; all else is derived
// when it is first read, see [Open]. A build over unchanged data and options reads
// the runs' records, and no chunk. Options that are not given
// are those of the build before, and all are kept with the dataset: [Open] and
// [Export] use them where they are given none.
func Build(ctx context.Context, o Options, orders ...Order) (*Summary, error) {
	if err := o.Fill(); err != nil {
		return nil, err
	}
	b, err := prepare(ctx, o, true)
	if err != nil {
		return nil, err
	}
	names := []string{"results"}
	if o.Workloads != "" {
		names = append(names, "_limits") // says what is wrong with the file
	}
	if slices.Contains(orders, Events) {
		names = append(names, "events")
	}
	all, rebuild := slices.Contains(orders, All), slices.Contains(orders, Rebuild)
	for i := range b.nodes {
		n := &b.nodes[i]
		if n.stored() != queries.Never && all || rebuild && b.haveRows(n) {
			names = append(names, n.Name)
		}
	}
	b.rebuild = rebuild
	if b.mirror != nil {
		b.mirror.fresh = rebuild
	}
	if err := b.ensure(ctx, names...); err != nil {
		return nil, err
	}
	if err := o.Keep(); err != nil {
		return nil, fmt.Errorf("keep the settings of the build: %w", err)
	}
	return &b.summary, nil
}

func prepare(ctx context.Context, o Options, sums bool) (*builder, error) {
	if _, err := schema.OpenDataset(o.Dir); err != nil { // names the directory as it was given
		return nil, err
	}
	var err error
	if store.Remote(o.Dir) {
		o.Dir = strings.TrimRight(o.Dir, "/")
	} else {
		if o.Dir, err = filepath.Abs(o.Dir); err != nil {
			return nil, err
		}
	}
	if _, err := o.MemoryLimit(); err != nil {
		return nil, err
	}
	if o.Cache != "" {
		if o.Cache, err = filepath.Abs(o.Cache); err != nil {
			return nil, err
		}
	}
	ds, err := schema.OpenDataset(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := guard(&o); err != nil {
		return nil, err
	}
	records, left, err := ds.Survey()
	if err != nil {
		return nil, err
	}
	far, err := ds.Store()
	if err != nil {
		return nil, err
	}
	at, err := newMirror(far, o.DerivedDir(), false)
	if err != nil {
		return nil, err
	}
	b := &builder{mirror: at, inputs: inputs{ds: ds, opts: o}, fresh: map[string]bool{}, paths: map[string]string{}}
	for _, r := range records {
		at := &run{Run: r, key: runKey(r)}
		b.runs = append(b.runs, at)
	}
	for _, fault := range left {
		b.leave(fault)
	}
	if b.nodes, err = Graph(o.Definitions); err != nil {
		return nil, err
	}
	if err := b.name(); err != nil { // faults of options, before anything is written
		return nil, err
	}
	return b, b.admit(ctx, sums)
}

func runKey(r *schema.Run) string {
	var sums []string
	for _, f := range r.Files {
		sums = append(sums, f.SHA256)
	}
	return r.RunID + "." + digest(sums...)[:8]
}

func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// name computes the names of all rows.
func (b *builder) name() error {
	b.full, b.kernel = map[string]string{}, map[string]string{}
	var keys []string
	for _, r := range b.runs {
		keys = append(keys, r.key)
	}
	runs := digest(keys...)
	for i := range b.nodes {
		n := &b.nodes[i]
		var parts []string
		switch {
		case n.Source != nil:
			parts = []string{fmt.Sprint(n.Source), fmt.Sprint(schema.Version, decode.Decoders.Version, decode.TablesVersion)}
			if b.opts.ReadClock {
				parts = append(parts, "read clock")
			}
			b.kernel[n.Name] = digest(append(parts, n.Name)...)
			b.full[n.Name] = digest(b.kernel[n.Name], runs)
			continue
		case n.Step != nil:
			parts = []string{n.Step.Columns, fmt.Sprint(n.Step.Version, n.Step.Key)}
			if n.Step.Salt != nil {
				salt, err := n.Step.Salt(b.input())
				if err != nil {
					return err
				}
				parts = append(parts, salt)
			}
		default:
			parts = []string{n.File.Definition()}
		}
		full, kernel := append([]string{n.Name}, parts...), append([]string{n.Name}, parts...)
		for _, need := range n.Needs {
			full, kernel = append(full, b.full[need]), append(kernel, b.kernel[need])
		}
		b.full[n.Name], b.kernel[n.Name] = digest(full...), digest(kernel...)
	}
	return nil
}

// tableFile is where a stored node's rows are.
func (b *builder) tableFile(n *Node) string {
	return filepath.Join(b.opts.CacheDir(), "tables", n.Name+"-"+b.full[n.Name]+".parquet")
}

// tableSlice is where a slice of a stored node's rows is.
func (b *builder) tableSlice(n *Node, slice int) string {
	return filepath.Join(b.opts.CacheDir(), "tables", fmt.Sprintf("%s-%s.%05d.parquet", n.Name, b.full[n.Name], slice))
}

// have reports whether a derived file is there and whole.
func (b *builder) have(path string) bool {
	if b.rebuild && !b.fresh[path] {
		return false
	}
	return derived.Whole(path) || b.mirror.has(path)
}

// haveRows reports whether all rows of a node are stored.
func (b *builder) haveRows(n *Node) bool {
	for _, file := range b.files(n) {
		if !b.have(file) {
			return false
		}
	}
	return len(b.files(n)) > 0
}

// files are those that hold a stored node's rows: none of one that is not, or is
// stored by run where no run has a request.
func (b *builder) files(n *Node) []string {
	var out []string
	switch n.stored() {
	case queries.Once:
		return []string{b.tableFile(n)}
	case queries.Sliced, queries.Metrics:
		for i := range b.partCount(n) {
			out = append(out, b.tableSlice(n, i))
		}
		return out
	case queries.Never:
		return nil
	}
	for _, a := range b.batches() {
		out = append(out, b.batchFile(n, a))
	}
	return out
}

// plan is what is to be done for the rows of some nodes.
type plan struct {
	load    []Node // the nodes, and those that make what is missing of them, in the graph's order
	decode  []decode.Job
	missing bool // some rows are not stored
}

// plan walks from the named nodes down to what is stored already.
func (b *builder) plan(names ...string) (p plan) {
	want, need := map[string]bool{}, map[bool]bool{}
	for _, n := range names {
		want[n] = true
	}
	for i := len(b.nodes) - 1; i >= 0; i-- {
		n := b.nodes[i]
		if !want[n.Name] {
			continue
		}
		p.load = append(p.load, n)
		switch {
		case n.raw():
		case n.Source != nil:
			if !need[n.events] {
				need[n.events] = true
				p.decode = append(p.decode, b.undecoded(n.events)...)
			}
		case b.haveRows(&n):
		default:
			p.missing = p.missing || len(b.files(&n)) > 0
			for _, need := range n.Needs {
				want[need] = true
			}
		}
	}
	slices.Reverse(p.load)
	return p
}

// ensure brings the rows that the named nodes are made of up to date, in an
// engine of its own: that of a reader may not write.
func (b *builder) ensure(ctx context.Context, names ...string) error {
	for {
		runs := len(b.runs)
		err := b.attempt(ctx, names...)
		if fault, ok := b.culprit(err); ok {
			b.leave(fault)
			err = nil
		}
		switch {
		case err != nil:
			return err
		case len(b.runs) == runs:
			return b.strict()
		}
		if err := b.remain(); err != nil { // without the runs that were left out
			return err
		}
	}
}

// attempt is ensure with the runs that are known to be sound. Those that prove to
// be damaged are left out, and the rows are then to be made again.
func (b *builder) attempt(ctx context.Context, names ...string) error {
	p := b.plan(names...)
	if !p.missing && len(p.decode) == 0 {
		return nil
	}
	if err := os.MkdirAll(b.opts.CacheDir(), 0o755); err != nil {
		return fmt.Errorf("make the cache of derived files: %w", err)
	}
	w := *b
	defer func() { b.runs, b.summary = w.runs, w.summary }()
	if err := w.decode(ctx, p.decode); err != nil || len(w.runs) < len(b.runs) {
		return err
	}
	if p.missing {
		if err := w.derive(ctx, p.load); err != nil {
			return err
		}
	}
	return w.sweep()
}

// derive makes nodes, and stores the rows of those that are missing.
func (b *builder) derive(ctx context.Context, nodes []Node) error {
	defer b.opts.Report("", 0, 0)
	memory, lift := b.opts.ForEngine()
	defer lift()
	if err := b.open(ctx, true, memory); err != nil {
		return err
	}
	defer b.close()
	b.making = nodes
	for i := range b.making {
		if err := b.make(ctx, &b.making[i], true); err != nil {
			return err
		}
	}
	return nil
}

// open opens the database. A build spills into the cache; a query where the reader
// says, if anywhere.
func (b *builder) open(ctx context.Context, spill bool, memory string) error {
	o := duck.Options{Memory: memory, Threads: b.opts.Workers}
	if spill {
		var err error
		if b.spill, err = os.MkdirTemp(b.opts.CacheDir(), "spill.*.tmp"); err != nil {
			return err
		}
	}
	o.TempDir = b.spill
	db, err := duck.Open(ctx, o)
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return err
	}
	b.db, b.conn = db, conn
	return nil
}

func (b *builder) close() {
	b.conn.Close()
	b.db.Close()
	if b.spill != "" {
		os.RemoveAll(b.spill)
	}
}

// sweep removes derived files that no build with these runs and options would
// use, but for tables of other options younger than a day: a reader may have
// them open, and alternating between two price tables should not cost a build
// each time.
func (b *builder) sweep() error {
	cache := b.opts.CacheDir()
	keep := map[string]bool{filepath.Join(cache, "tables"): true}
	for _, r := range b.runs {
		keep[b.layoutFile(r)], keep[filepath.Dir(b.layoutFile(r))] = true, true
		for _, events := range []bool{false, true} {
			dir := b.decodedDir(r, events)
			keep[dir], keep[filepath.Dir(dir)] = true, true
		}
	}
	for i := range b.nodes {
		for _, file := range b.files(&b.nodes[i]) {
			keep[file] = true
			keep[filepath.Dir(file)] = true
		}
	}
	top, err := os.ReadDir(cache)
	if err != nil {
		return err
	}
	var errs []error
	for _, dir := range top {
		path := filepath.Join(cache, dir.Name())
		if !dir.IsDir() || !ours.MatchString(dir.Name()) {
			continue
		}
		if !keep[path] {
			errs = append(errs, removeOld(path, dir))
			continue
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if p := filepath.Join(path, e.Name()); !keep[p] {
				errs = append(errs, removeOld(p, e))
			}
		}
	}
	return errors.Join(slices.DeleteFunc(errs, func(e error) bool { return e == nil })...)
}

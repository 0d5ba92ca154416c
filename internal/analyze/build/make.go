package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"aircheck/internal/analyze/decode"
	"aircheck/internal/analyze/derived"
	"aircheck/internal/analyze/inference"
	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/duck"
	"aircheck/queries"
	"aircheck/schema"
)

// make brings one node into the database. With build set, missing rows of
// stored nodes are computed; without, all must be there.
func (b *builder) make(ctx context.Context, n *Node, build bool) error {
	switch {
	case n.Source != nil:
		return b.sourceOver(ctx, n, b.runs, decode.Range{})
	case n.stored() == queries.Never:
		return duck.Exec(ctx, b.conn, n.File.Path, n.File.Definition())
	case n.stored() == queries.PerRun:
		return b.makeByRun(ctx, n, build)
	case n.stored() == queries.Sliced, n.stored() == queries.Metrics:
		return b.makeSlices(ctx, n, build)
	}
	file := b.tableFile(n)
	if build && !b.have(file) {
		if err := b.compute(ctx, n, file); err != nil {
			return err
		}
		b.summary.Built = append(b.summary.Built, n.Name)
	}
	return b.viewOver(ctx, n, []string{file})
}

// makeSlices computes a node that takes much memory a part at a time: one of a wide
// row a request, or of all values of a metric.
func (b *builder) makeSlices(ctx context.Context, n *Node, build bool) error {
	var todo []int
	files := b.files(n)
	for i, file := range files {
		if build && !b.have(file) {
			todo = append(todo, i)
		}
	}
	var where []string
	if len(todo) > 0 {
		err := duck.Exec(ctx, b.conn, n.File.Path, n.File.Definition())
		if err == nil {
			where, err = b.parts(ctx, n)
		}
		if err != nil {
			return err
		}
		b.summary.Built = append(b.summary.Built, n.Name)
	}
	for done, i := range todo {
		b.opts.Report(n.Name, done, len(todo))
		if err := b.store(ctx, n, n.Name+where[i], files[i]); err != nil {
			return err
		}
	}
	return b.viewOver(ctx, n, files)
}

// metricParts is how many parts a node of all values of each metric is made in.
const metricParts = 4

// partCount is how many parts a node is made in, one at least.
func (b *builder) partCount(n *Node) int {
	if n.stored() == queries.Metrics {
		return metricParts
	}
	return len(b.slices())
}

// parts are the conditions of the parts of a node. Metrics are named one by one:
// the engine then reads no others, which it does where they are computed with.
func (b *builder) parts(ctx context.Context, n *Node) ([]string, error) {
	if n.stored() == queries.Sliced {
		return b.slices(), nil
	}
	names, err := duck.Query(ctx, b.conn, n.source(), "SELECT metric FROM metrics ORDER BY metric")
	if err != nil {
		return nil, err
	}
	lists := make([][]string, metricParts)
	for i, row := range names.Rows {
		lists[i%metricParts] = append(lists[i%metricParts], duck.Literal(fmt.Sprint(row[0])))
	}
	var out []string
	for _, l := range lists { // NULL is equal to nothing: a part may be empty
		out = append(out, " WHERE metric IN ("+strings.Join(append(l, "NULL"), ", ")+")")
	}
	return out, nil
}

// slices cut all requests into conditions: runs together that have few, and parts
// of runs that have many. There is one at least.
func (b *builder) slices() []string {
	out := []string{}
	var small []string
	var n int64
	together := func() {
		if len(small) > 0 {
			out = append(out, " WHERE run_id IN ("+strings.Join(small, ", ")+")")
		}
		small, n = nil, 0
	}
	for _, r := range b.runs {
		id := duck.Literal(r.RunID)
		if r.Requests == 0 || len(r.layout.Slices) == 0 {
			if n += r.Requests; n > decode.SliceRequests {
				together()
				n = r.Requests
			}
			small = append(small, id)
			continue
		}
		for _, at := range decode.Ranges(r.layout.Slices) {
			out = append(out, where(at)+" AND run_id = "+id)
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	together()
	return out
}

// compute evaluates a node over the whole dataset and stores its rows.
func (b *builder) compute(ctx context.Context, n *Node, file string) error {
	b.opts.Report(n.Name, 0, 1)
	if n.Step != nil {
		return b.step(ctx, n, file)
	}
	if err := duck.Exec(ctx, b.conn, n.File.Path, n.File.Definition()); err != nil {
		return err
	}
	return b.store(ctx, n, n.Name, file)
}

// store copies rows into a Parquet file, ordered by the node's key.
func (b *builder) store(ctx context.Context, n *Node, from, file string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	tmp, err := derived.TempFile(file)
	if err != nil {
		return err
	}
	defer os.Remove(tmp)
	order := make([]string, len(n.Key()))
	for i, k := range n.Key() {
		order[i] = duck.Ident(k) + " NULLS FIRST"
	}
	copyTo := fmt.Sprintf("COPY (SELECT * FROM %s ORDER BY %s) TO %s (FORMAT parquet, COMPRESSION lz4_raw)",
		from, strings.Join(order, ", "), duck.Literal(tmp))
	if err := duck.Exec(ctx, b.conn, n.source(), copyTo); err != nil {
		return err
	}
	if b.opts.Memory != "" {
		duck.Trim()
	}
	b.fresh[file] = true
	if err := os.Rename(tmp, file); err != nil {
		return err
	}
	return b.mirror.put(file)
}

// source is the name that errors of the node carry.
func (n *Node) source() string {
	if n.File != nil {
		return "queries/" + n.File.Path
	}
	return n.Name
}

// viewOver defines the node's name over stored rows, beside the macros of its file.
func (b *builder) viewOver(ctx context.Context, n *Node, files []string) error {
	if n.File != nil && len(n.File.Macros()) > 0 {
		if err := duck.Exec(ctx, b.conn, n.source(), n.File.Definition()); err != nil {
			return err
		}
	}
	for _, file := range files {
		if err := b.mirror.fetch(file); err != nil {
			return err
		}
	}
	from := duck.Parquet(files)
	err := duck.Exec(ctx, b.conn, n.source(), fmt.Sprintf("CREATE OR REPLACE VIEW %s AS SELECT * FROM %s", n.Name, from+guarded(" WHERE ", b.guard)))
	if aboutFile(err) {
		return &CacheError{err}
	}
	return err
}

func guarded(word, guard string) string {
	if guard == "" {
		return ""
	}
	return word + guard
}

// sourceOver defines a source over the files of runs, for the requests of a range.
func (b *builder) sourceOver(ctx context.Context, n *Node, runs []*run, at decode.Range) error {
	view, err := b.sourceView(ctx, n, runs, at)
	if err == nil {
		err = duck.Exec(ctx, b.conn, n.Name, view)
	}
	switch {
	case !aboutFile(err):
		return err
	case n.raw():
		return &schema.DamagedError{Err: err}
	}
	return &CacheError{err}
}

// step runs a Go step into a table, whose rows are then stored like a view's.
func (b *builder) step(ctx context.Context, n *Node, file string) error {
	table := n.Name + "_rows"
	if err := duck.Exec(ctx, b.conn, n.Name, fmt.Sprintf("CREATE OR REPLACE TEMP TABLE %s (%s)", table, n.Step.Columns)); err != nil {
		return err
	}
	if err := b.fill(ctx, n, table); err != nil {
		return err
	}
	if err := b.store(ctx, n, table, file); err != nil {
		return err
	}
	return duck.Exec(ctx, b.conn, n.Name, "DROP TABLE "+table)
}

// fill runs a Go step into an empty table.
func (b *builder) fill(ctx context.Context, n *Node, table string) error {
	rows, err := duck.NewAppender(b.conn, table)
	if err != nil {
		return duck.Wrap(n.Name, err)
	}
	err = n.Step.Run(ctx, &inference.Call{Conn: b.conn, Append: rows.Append, In: b.input()})
	var engine *duck.Error
	switch {
	case err == nil:
		return duck.Wrap(n.Name, rows.Close())
	case n.Step.Salt != nil && ctx.Err() == nil && !errors.As(err, &engine):
		err = settings.Wrap(err) // nothing else is read that can be wrong
	default:
		err = fmt.Errorf("%s: %w", n.Name, err)
	}
	rows.Close()
	return err
}

// ours matches the names that builds give to directories of the cache.
var ours = regexp.MustCompile(`^(tables|layouts|(decoded|events)-d[0-9.]+|[a-z_]+-[0-9a-f]{16}|spill\.[0-9]+\.tmp)$`)

// removeOld removes a derived file or directory that was not touched for a day.
func removeOld(path string, e os.DirEntry) error {
	info, err := e.Info()
	if err != nil || time.Since(info.ModTime()) < 24*time.Hour {
		return nil // gone already, or young
	}
	return os.RemoveAll(path)
}

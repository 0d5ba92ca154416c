package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

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
		return b.sourceOver(ctx, n, b.runs, "")
	case n.stored() == queries.Never:
		return duck.Exec(ctx, b.conn, n.File.Path, n.File.Definition())
	case n.stored() == queries.PerRun:
		return b.makeByRun(ctx, n, build)
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
	b.fresh[file] = true
	return os.Rename(tmp, file)
}

// source is the name that errors of the node carry.
func (n *Node) source() string {
	if n.File != nil {
		return "queries/" + n.File.Path
	}
	return n.Name
}

// viewOver defines the node's name over stored rows, beside the macros of its file.
func (b *builder) viewOver(ctx context.Context, n *Node, files []string, where ...string) error {
	if n.File != nil && len(n.File.Macros()) > 0 {
		if err := duck.Exec(ctx, b.conn, n.source(), n.File.SQL); err != nil {
			return err
		}
	}
	from := duck.Parquet(files) + strings.Join(where, "")
	err := duck.Exec(ctx, b.conn, n.source(), fmt.Sprintf("CREATE OR REPLACE VIEW %s AS SELECT * FROM %s", n.Name, from))
	if aboutFile(err) {
		return &CacheError{err}
	}
	return err
}

// sourceOver defines a source over the files of runs; where restricts it.
func (b *builder) sourceOver(ctx context.Context, n *Node, runs []*run, where string) error {
	view, err := b.sourceView(ctx, n, runs, where)
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

// sliceEvents bounds how many events one reduction holds: its lists of times
// do not spill to disk.
const sliceEvents = 4 << 20

// makeByRun computes a node run by run, in slices of whole requests.
func (b *builder) makeByRun(ctx context.Context, n *Node, build bool) error {
	var files []string
	var todo []*run
	for _, r := range b.runs {
		if r.Requests == 0 {
			continue
		}
		files = append(files, b.runFile(n, r))
		if build && !b.have(b.runFile(n, r)) {
			todo = append(todo, r)
		}
	}
	if len(todo) > 0 || len(files) == 0 {
		if err := duck.Exec(ctx, b.conn, n.File.Path, n.File.Definition()); err != nil {
			return err
		}
	}
	for i, r := range todo {
		b.opts.Report(n.Name, i, len(todo))
		if err := b.computeRun(ctx, n, r); err != nil {
			return fmt.Errorf("run %s: %w", r.RunID, err)
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

func (b *builder) computeRun(ctx context.Context, n *Node, r *run) error {
	wheres := []string{""}
	if b.readsEvents(n) {
		var err error
		if wheres, err = b.slices(ctx, r); err != nil {
			return err
		}
	}
	for i, where := range wheres {
		if err := b.narrow(ctx, n, r, where); err != nil {
			return err
		}
		into := "INSERT INTO _slices SELECT * FROM " + n.Name
		if i == 0 {
			into = "CREATE OR REPLACE TEMP TABLE _slices AS SELECT * FROM " + n.Name
		}
		if err := duck.Exec(ctx, b.conn, n.source(), into); err != nil {
			return err
		}
	}
	if err := b.store(ctx, n, "_slices", b.runFile(n, r)); err != nil {
		return err
	}
	return duck.Exec(ctx, b.conn, n.source(), "DROP TABLE _slices")
}

// narrow restricts what is known by run to one run, and to the requests of a
// condition; widen takes that back.
func (b *builder) narrow(ctx context.Context, n *Node, r *run, where string) error {
	for i := range b.making {
		switch src := &b.making[i]; {
		case src.Name == n.Name:
			return nil // what follows in order is not needed
		case src.Source != nil:
			if err := b.sourceOver(ctx, src, []*run{r}, where); err != nil {
				return err
			}
		case src.stored() == queries.PerRun:
			if err := b.viewOver(ctx, src, []string{b.runFile(src, r)}, where); err != nil {
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

// readsEvents reports whether computing a node reads every event, rather than
// what is stored of them.
func (b *builder) readsEvents(n *Node) bool {
	for i := range b.making {
		need := &b.making[i]
		if slices.Contains(n.Needs, need.Name) &&
			(need.Name == "_events" || need.stored() == queries.Never && b.readsEvents(need)) {
			return true
		}
	}
	return false
}

// slices cuts a run into conditions on request_id, along the row groups of its
// events, which hold whole requests.
func (b *builder) slices(ctx context.Context, r *run) ([]string, error) {
	events := filepath.Join(b.decodedDir(r), "events.parquet")
	groups, err := duck.Query(ctx, b.conn, events, `
		SELECT stats_max_value::BIGINT, row_group_num_rows FROM parquet_metadata(`+duck.Path(events)+`)
		WHERE path_in_schema = 'request_id' ORDER BY row_group_id`)
	if err != nil {
		return nil, err
	}
	var out []string
	var rows int64
	above := ""
	for i, g := range groups.Rows {
		rows += g[1].(int64)
		if rows >= sliceEvents && i+1 < len(groups.Rows) {
			last := fmt.Sprint(g[0])
			out = append(out, where(above, "request_id <= "+last))
			above, rows = "request_id > "+last, 0
		}
	}
	return append(out, where(above, "")), nil
}

func where(conditions ...string) string {
	var list []string
	for _, c := range conditions {
		if c != "" {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(list, " AND ")
}

// ours matches the names that builds give to directories of the cache.
var ours = regexp.MustCompile(`^(tables|decoded-d[0-9.]+|[a-z_]+-[0-9a-f]{16}|spill\.[0-9]+\.tmp)$`)

// removeOld removes a derived file or directory that was not touched for a day.
func removeOld(path string, e os.DirEntry) error {
	info, err := e.Info()
	if err != nil || time.Since(info.ModTime()) < 24*time.Hour {
		return nil // gone already, or young
	}
	return os.RemoveAll(path)
}

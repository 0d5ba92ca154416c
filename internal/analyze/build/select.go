package build

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/nearest"
)

// RefusedError says that a query is not one that may be run.
type RefusedError struct{ err error }

func (e *RefusedError) Error() string { return "query refused: " + e.err.Error() }
func (e *RefusedError) Unwrap() error { return e.err }

// Attach makes a CSV or Parquet file readable under its base name without the
// ending. It must come before the first Select.
func (r *Reader) Attach(ctx context.Context, path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(abs)
	if err != nil {
		return fmt.Errorf("attach: %w", err)
	}
	if !info.Mode().IsRegular() { // the engine would wait for a pipe, and hear of no interrupt
		return fmt.Errorf("attach %s: no regular file", path)
	}
	ext := strings.ToLower(filepath.Ext(abs))
	from := ""
	switch ext {
	case ".csv", ".tsv":
		from = "read_csv(" + duck.Path(abs) + ")"
	case ".parquet":
		from = duck.Parquet([]string{abs})
	default:
		return fmt.Errorf("attach %s: want a .csv, .tsv or .parquet file", path)
	}
	base := filepath.Base(abs)
	name := notWord.ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "_")
	if slices.ContainsFunc(r.nodes, func(n Node) bool { return strings.EqualFold(n.Name, name) }) {
		return fmt.Errorf("attach %s: %s is a view of the dataset already: rename the file", path, name)
	}
	if err := duck.Exec(ctx, r.Conn, "attach "+path, fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM %s", duck.Ident(name), from)); err != nil {
		return err
	}
	r.paths, r.attached = append(r.paths, abs), append(r.attached, name)
	return nil
}

var notWord = regexp.MustCompile(`[^0-9A-Za-z_]`)

// lock shuts the engine in: from now on it reads the dataset, the derived files
// and what was attached, writes below dirs only, and no setting can change that.
func (r *Reader) lock(ctx context.Context, dirs ...string) error {
	if r.locked {
		return nil
	}
	var directories, paths []string
	for _, d := range append(dirs, r.dirs...) {
		directories = append(directories, duck.Literal(d), duck.Path(d))
	}
	for _, p := range r.paths {
		paths = append(paths, duck.Literal(p), duck.Path(p))
	}
	for _, s := range []string{
		"SET GLOBAL allowed_directories = [" + strings.Join(directories, ", ") + "]",
		"SET GLOBAL allowed_paths = [" + strings.Join(paths, ", ") + "]",
		"SET GLOBAL enable_external_access = false",
		"SET GLOBAL lock_configuration = true",
	} {
		if err := duck.Exec(ctx, r.Conn, "lock", s); err != nil {
			return err
		}
	}
	r.locked = true
	return nil
}

// prepare refuses whatever is not one SELECT over views, and defines those that
// the query names.
func (r *Reader) prepare(ctx context.Context, query string) error {
	named, err := duck.CheckSelect(ctx, r.Conn, query, slices.Collect(maps.Keys(r.macros))...)
	if err != nil {
		return &RefusedError{err}
	}
	for _, name := range named.Tables {
		if near := nearest.Likely(name, r.views); near != "" && !r.knows(name) {
			return &RefusedError{fmt.Errorf("no view %s; did you mean %s?", name, near)}
		}
	}
	r.restrict(named)
	return r.define(ctx, r.nodesOf(named)...)
}

// knows reports whether a name is that of a view or of an attached file.
func (r *Reader) knows(name string) bool {
	return slices.ContainsFunc(r.nodes, func(n Node) bool { return n.Name == name }) ||
		slices.ContainsFunc(r.attached, func(a string) bool { return strings.EqualFold(a, name) })
}

// Stream answers one query of a stranger. From the first on, the reader can
// reach nothing but the dataset.
func (r *Reader) Stream(ctx context.Context, query string) (*duck.Rows, error) {
	if err := r.prepare(ctx, query); err != nil {
		return nil, err
	}
	if err := r.lock(ctx); err != nil {
		return nil, err
	}
	var rows *duck.Rows
	var err error
	if r.spool != "" {
		rows, err = duck.Spooled(ctx, r.Conn, "query", query)
	} else {
		rows, err = duck.Stream(ctx, r.Conn, "query", query)
	}
	return rows, blame(err)
}

// Select is Stream with all rows at once.
func (r *Reader) Select(ctx context.Context, query string) (*duck.Table, error) {
	rows, err := r.Stream(ctx, query)
	if err != nil {
		return nil, err
	}
	t, err := rows.Collect()
	return t, blame(err)
}

// Explain runs a query and gives the engine's account of where its time went.
func (r *Reader) Explain(ctx context.Context, query string) (string, error) {
	if err := r.prepare(ctx, query); err != nil {
		return "", err
	}
	if err := r.lock(ctx); err != nil {
		return "", err
	}
	t, err := duck.Query(ctx, r.Conn, "query", "EXPLAIN ANALYZE "+query)
	if err != nil {
		return "", blame(err)
	}
	return t.Rows[0][1].(string), nil
}

// Parquet answers one query as a Parquet file and gives the number of its rows.
// It must be the reader's first.
func (r *Reader) Parquet(ctx context.Context, query string, w io.Writer) (int64, error) {
	if err := r.prepare(ctx, query); err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "aircheck-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if err := r.lock(ctx, dir); err != nil {
		return 0, err
	}
	// The query was seen to be one SELECT, so that nothing in it ends the
	// statement that it is put into.
	file := filepath.Join(dir, "answer.parquet")
	query = strings.TrimRight(query, "; \t\r\n")
	done, err := r.Conn.ExecContext(ctx, "COPY ("+query+"\n) TO "+duck.Literal(file)+" (FORMAT parquet, COMPRESSION zstd)")
	if err != nil {
		return 0, blame(duck.Wrap("query", err))
	}
	n, err := done.RowsAffected()
	if err != nil {
		return 0, err
	}
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return n, err
}

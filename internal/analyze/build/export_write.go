package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/duck"
	"aircheck/queries"
)

// directory writes a file for each table, and the statements that define views
// over them.
func (e *exporter) directory(ctx context.Context, to string) error {
	tmp, err := derived.TempDir(filepath.Clean(to))
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var sql strings.Builder
	at, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	// The engine splits the setting at commas, and has no way to write one.
	if strings.Contains(at, ",") {
		at = "."
	}
	fmt.Fprintf(&sql, "SET file_search_path = %s; -- where the files are: change it when they move\n\n-- The public views, over the files beside this one, from any folder:\n--\n--\tduckdb -init OUT/views.sql\n\n", duck.Literal(at))
	tables := e.tables()
	for i, n := range tables {
		e.opts.Report("export "+n.Name, i, len(tables))
		if err := e.write(ctx, n, tmp); err != nil {
			return err
		}
		fmt.Fprintf(&sql, "CREATE OR REPLACE VIEW %s AS SELECT * FROM read_parquet('%s.parquet');\n%s\n", n.Name, n.Name, e.schema.comments("VIEW", n.Name))
	}
	for i := range e.rest {
		fmt.Fprintf(&sql, "%s\n\n", strings.TrimRight(e.definition(&e.rest[i]), "\n"))
	}
	if err := os.WriteFile(filepath.Join(tmp, viewsFile), []byte(sql.String()), 0o644); err != nil {
		return err
	}
	return replaceDir(tmp, to)
}

// write writes a node's rows as Parquet, and as CSV where its view is public.
func (e *exporter) write(ctx context.Context, n *Node, dir string) error {
	formats := map[string]string{".parquet": "FORMAT parquet, COMPRESSION zstd"}
	if queries.Public(n.Name) {
		formats[".csv"] = "FORMAT csv, HEADER true"
	}
	for ext, format := range formats {
		copyTo := fmt.Sprintf("COPY (%s) TO %s (%s)", n.query(), duck.Literal(filepath.Join(dir, n.Name+ext)), format)
		if err := duck.Exec(ctx, e.conn, n.source(), copyTo); err != nil {
			return err
		}
	}
	return nil
}

// replaceDir puts a finished directory in the place of an earlier export.
func replaceDir(from, to string) error {
	if !derived.Exists(to) {
		return os.Rename(from, to)
	}
	old, err := derived.TempDir(filepath.Clean(to))
	if err != nil {
		return err
	}
	defer os.RemoveAll(old)
	earlier := filepath.Join(old, "earlier")
	if err := os.Rename(to, earlier); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return errors.Join(err, os.Rename(earlier, to))
	}
	return nil
}

// database writes a table for each, with the same names, comments and macros.
func (e *exporter) database(ctx context.Context, to string) error {
	dir, err := derived.TempDir(to)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tmp := filepath.Join(dir, "views.duckdb")
	if err := duck.Exec(ctx, e.conn, to, "ATTACH "+duck.Literal(tmp)+" AS export"); err != nil {
		return err
	}
	tables := e.tables()
	for i, n := range tables {
		e.opts.Report("export "+n.Name, i, len(tables))
		if err := duck.Exec(ctx, e.conn, n.source(), fmt.Sprintf("CREATE TABLE export.main.%s AS %s", n.Name, n.query())); err != nil {
			return err
		}
	}
	// From here on names mean those of the export.
	if err := duck.Exec(ctx, e.conn, to, "USE export"); err != nil {
		return err
	}
	for _, n := range tables {
		if err := duck.Exec(ctx, e.conn, n.source(), e.schema.comments("TABLE", n.Name)); err != nil {
			return err
		}
	}
	for i := range e.rest {
		if err := duck.Exec(ctx, e.conn, e.rest[i].source(), e.definition(&e.rest[i])); err != nil {
			return err
		}
	}
	if err := duck.Exec(ctx, e.conn, to, "USE memory; DETACH export"); err != nil { // writes it all
		return err
	}
	return os.Rename(tmp, to)
}

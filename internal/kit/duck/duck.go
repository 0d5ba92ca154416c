// Package duck opens DuckDB the way this project uses it: in memory, UTC, no
// extension fetched from anywhere, errors that name the SQL file. Only analysis
// and what stands on it link DuckDB, and they reach it through here.
package duck

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"syscall"

	duckdb "github.com/duckdb/duckdb-go/v2"
)

// Options set the engine's limits. The zero value takes DuckDB's defaults.
type Options struct {
	Memory  string // soft limit, such as "1GB"
	Threads int
	TempDir string // where large sorts spill; none where empty
}

// DB is one in-memory database. Views are shared by its connections; settings
// and temporary objects belong to one (see [sql.Conn]).
type DB struct{ *sql.DB }

// Open opens an empty in-memory database.
func Open(ctx context.Context, o Options) (*DB, error) {
	connector, err := duckdb.NewConnector("", func(e driver.ExecerContext) error {
		_, err := e.ExecContext(context.Background(), "SET TimeZone = 'UTC'", nil)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open duckdb: %w", err)
	}
	db := &DB{sql.OpenDB(connector)}
	settings := []string{
		"SET GLOBAL autoinstall_known_extensions = false",
		"SET GLOBAL autoload_known_extensions = false",
		"SET GLOBAL temp_directory = " + Literal(o.TempDir),
		"SET GLOBAL enable_external_file_cache = false", // a copy of what the system caches
	}
	if o.Memory != "" {
		settings = append(settings, "SET GLOBAL memory_limit = "+Literal(o.Memory))
	}
	if o.Threads > 0 {
		settings = append(settings, fmt.Sprintf("SET GLOBAL threads = %d", o.Threads))
	}
	for _, s := range settings {
		if _, err := db.ExecContext(ctx, s); err != nil {
			db.Close()
			return nil, fmt.Errorf("open duckdb: %s: %w", s, err)
		}
	}
	return db, nil
}

// Execer is a database, a connection or a transaction.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Exec runs statements. An error names the source that they came from, such as
// "metrics/latency.sql", and keeps DuckDB's line and caret.
func Exec(ctx context.Context, e Execer, source, statements string) error {
	_, err := e.ExecContext(ctx, statements)
	return Wrap(source, err)
}

// Wrap prefixes an error with its source and takes DuckDB's own words apart
// from the driver's. It keeps a cancelled context recognisable.
func Wrap(source string, err error) error {
	if err == nil {
		return nil
	}
	var e *duckdb.Error
	if errors.As(err, &e) {
		if e.Type == duckdb.ErrorTypeInterrupt {
			return fmt.Errorf("%s: %w", source, context.Canceled)
		}
		return fmt.Errorf("%s: %w", source, &Error{e})
	}
	return fmt.Errorf("%s: %w", source, err)
}

// Error is DuckDB's error: what is wrong, then the place with a caret.
type Error struct{ engine *duckdb.Error }

func (e *Error) Error() string {
	msg := e.engine.Msg
	if len(msg) > 1 && msg[1] >= 'a' {
		msg = strings.ToLower(msg[:1]) + msg[1:]
	}
	return strings.TrimSpace(msg)
}

func (e *Error) Unwrap() error { return e.engine }

// Is finds the system's error behind one that the engine only words.
func (e *Error) Is(target error) bool {
	no, ok := target.(syscall.Errno)
	return ok && e.engine.Type == duckdb.ErrorTypeIO && strings.HasSuffix(strings.ToLower(strings.TrimSpace(e.engine.Msg)), no.Error())
}

// File is the Parquet file that the error is about, "" where it names none. One
// of conversion quotes a value, which may look like a path.
func (e *Error) File() string {
	if e.engine.Type == duckdb.ErrorTypeConversion {
		return ""
	}
	return parquetFile.FindString(e.engine.Msg)
}

var parquetFile = regexp.MustCompile(`/[^"'\n]*\.parquet\b`)

// Asked reports whether the error is in what was asked, not in the engine's
// surroundings: files, memory.
func (e *Error) Asked() bool {
	switch e.engine.Type {
	case duckdb.ErrorTypeIO, duckdb.ErrorTypeOutOfMemory, duckdb.ErrorTypeInternal, duckdb.ErrorTypeFatal, duckdb.ErrorTypeInterrupt:
		return false
	}
	return e.File() == ""
}

// Literal writes a string as an SQL literal.
func Literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// Ident writes a name as a quoted SQL identifier.
func Ident(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// globs makes each glob character match itself only.
var globs = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]")

// Path writes a file's path as an SQL literal for a reading function: DuckDB
// takes it for a pattern, so a directory named "a[1]" must be escaped.
func Path(path string) string { return Literal(globs.Replace(path)) }

// Glob writes the pattern of files in a directory as an SQL literal.
func Glob(dir, pattern string) string { return Literal(globs.Replace(dir) + pattern) }

// Parquet is the table function over Parquet files, at least one.
func Parquet(files []string, options ...string) string {
	list := make([]string, len(files))
	for i, f := range files {
		list[i] = Path(f)
	}
	args := append([]string{"[" + strings.Join(list, ", ") + "]", "hive_partitioning = false"}, options...)
	return "read_parquet(" + strings.Join(args, ", ") + ")"
}

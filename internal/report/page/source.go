package page

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strings"
)

// Source answers queries over the public views. A *sql.DB or *sql.Conn is one.
type Source interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

//go:embed sql/*.sql sql/pages/*.sql
var queries embed.FS

// query is the text of sql/<name>.sql. A page shows it as it was run.
func query(name string) string {
	text, err := queries.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic(err) // a name misspelled in this package
	}
	return strings.TrimSpace(string(text))
}

// load runs sql/<name>.sql and scans each row into a T by the pointers that
// fields gives, in the order of the query's columns.
func load[T any](ctx context.Context, src Source, name string, fields func(*T) []any) ([]T, error) {
	return loadText(ctx, src, name+".sql", query(name), fields)
}

// loadText is load for a query that is no file; name says which in errors.
func loadText[T any](ctx context.Context, src Source, name, text string, fields func(*T) []any) ([]T, error) {
	rows, err := src.QueryContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var row T
		if err := rows.Scan(fields(&row)...); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

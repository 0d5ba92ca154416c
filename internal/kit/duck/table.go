package duck

import (
	"context"
	"database/sql"

	duckdb "github.com/duckdb/duckdb-go/v2"
)

// Table is a whole query result in memory.
type Table struct {
	Columns []string
	Types   []string // DuckDB's names: BIGINT, DOUBLE, TIMESTAMP, ...
	Rows    [][]any  // as the driver gives them; nil is NULL
}

// Query runs one query and keeps its result. Errors name the source.
func Query(ctx context.Context, e Execer, source, query string, args ...any) (*Table, error) {
	r, err := Stream(ctx, e, source, query, args...)
	if err != nil {
		return nil, err
	}
	return r.Collect()
}

// Column describes a column of a table or view.
type Column struct{ Name, Type string }

// Describe lists the columns that a query would give, without running it.
func Describe(ctx context.Context, e Execer, source, query string) ([]Column, error) {
	t, err := Query(ctx, e, source, "DESCRIBE "+query)
	if err != nil {
		return nil, err
	}
	var out []Column
	for _, r := range t.Rows {
		out = append(out, Column{r[0].(string), r[1].(string)})
	}
	return out, nil
}

// TableNames lists the tables and views that a query refers to.
func TableNames(conn *sql.Conn, query string) ([]string, error) {
	names, err := duckdb.GetTableNames(conn, query, false)
	return names, Wrap("query", err)
}

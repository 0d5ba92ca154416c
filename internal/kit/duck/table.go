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
	rows, err := e.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, Wrap(source, err)
	}
	defer rows.Close()
	t, err := Collect(rows)
	return t, Wrap(source, err)
}

// Collect reads rows to their end.
func Collect(rows *sql.Rows) (*Table, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, err
	}
	t := &Table{}
	for _, c := range types {
		t.Columns = append(t.Columns, c.Name())
		t.Types = append(t.Types, c.DatabaseTypeName())
	}
	for rows.Next() {
		row := make([]any, len(types))
		into := make([]any, len(types))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
	}
	return t, rows.Err()
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

package duck

import (
	"context"
	"database/sql"
	"errors"
)

// Rows are the rows of a query, read one by one.
type Rows struct {
	Columns []string
	Types   []string // DuckDB's names: BIGINT, DOUBLE, TIMESTAMP, ...
	source  string
	rows    *sql.Rows
	rest    *rest // of a spooled answer
	read    int   // rows of the batch at hand
}

// Stream runs one query. Errors name the source.
func Stream(ctx context.Context, e Execer, source, query string, args ...any) (*Rows, error) {
	rows, err := e.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, Wrap(source, err)
	}
	r := &Rows{source: source, rows: rows}
	types, err := rows.ColumnTypes()
	if err != nil {
		rows.Close()
		return nil, Wrap(source, err)
	}
	for _, c := range types {
		r.Columns = append(r.Columns, c.Name())
		r.Types = append(r.Types, c.DatabaseTypeName())
	}
	return r, nil
}

// Next gives the next row, nil after the last: values as the driver gives them,
// nil for NULL.
func (r *Rows) Next() ([]any, error) {
	if !r.rows.Next() {
		if more, err := r.next(); err != nil || !more {
			return nil, errors.Join(err, Wrap(r.source, r.rows.Err()))
		}
	}
	row, into := make([]any, len(r.Types)), make([]any, len(r.Types))
	for i := range row {
		into[i] = &row[i]
	}
	if err := r.rows.Scan(into...); err != nil {
		return nil, Wrap(r.source, err)
	}
	if r.read++; r.rest != nil {
		r.rest.size += sizeOf(row)
	}
	return row, nil
}

// Close ends the query.
func (r *Rows) Close() error { return r.rows.Close() }

// Collect reads the rows that are left, and closes.
func (r *Rows) Collect() (*Table, error) {
	defer r.Close()
	t := &Table{Columns: r.Columns, Types: r.Types}
	for {
		row, err := r.Next()
		if err != nil {
			return nil, err
		}
		if row == nil {
			return t, nil
		}
		t.Rows = append(t.Rows, row)
	}
}

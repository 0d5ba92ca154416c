package duck

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	duckdb "github.com/duckdb/duckdb-go/v2"
)

// Spooled is Stream within the engine's memory: the driver builds a whole result
// beside the engine's limit, so that the rows go to a temporary table first, which
// spills, and are read from there a batch at a time.
func Spooled(ctx context.Context, conn *sql.Conn, source, query string) (*Rows, error) {
	names, err := columnNames(ctx, conn, query)
	if err != nil {
		return nil, Wrap(source, err)
	}
	if err := Exec(ctx, conn, source, "CREATE OR REPLACE TEMP TABLE _answer AS SELECT * FROM ("+strings.TrimRight(query, "; \t\r\n")+"\n)"); err != nil {
		return nil, err
	}
	r := &Rows{source: source, Columns: names, rest: &rest{ctx: ctx, conn: conn, batch: leastBatch}}
	if err := r.more(); err != nil {
		return nil, err
	}
	return r, nil
}

// rest are the rows of a spooled answer that were not read yet.
type rest struct {
	ctx   context.Context
	conn  *sql.Conn
	at    int64 // the first of them
	batch int64
	size  int64 // of the values of the batch at hand, about
}

// Batches grow while they are small, and shrink where rows are large.
const (
	leastBatch = 16
	mostBatch  = 16 << 10
	batchBytes = 4 << 20
)

// more opens the next batch.
func (r *Rows) more() error {
	rows, err := r.rest.conn.QueryContext(r.rest.ctx, fmt.Sprintf("SELECT * FROM _answer WHERE rowid >= %d AND rowid < %d", r.rest.at, r.rest.at+r.rest.batch))
	if err != nil {
		return Wrap(r.source, err)
	}
	r.rest.at += r.rest.batch
	r.rest.size = 0
	r.rows = rows
	if r.Types == nil {
		types, err := rows.ColumnTypes()
		if err != nil {
			return Wrap(r.source, err)
		}
		for _, c := range types {
			r.Types = append(r.Types, c.DatabaseTypeName())
		}
	}
	return nil
}

// next goes on to the following batch; false where there is none.
func (r *Rows) next() (bool, error) {
	if r.rest == nil || r.rows.Err() != nil || r.read == 0 {
		return false, nil
	}
	r.read = 0
	r.rows.Close()
	switch {
	case r.rest.size > batchBytes:
		r.rest.batch = max(1, r.rest.batch/2)
	case r.rest.size < batchBytes/4:
		r.rest.batch = min(mostBatch, r.rest.batch*2)
	}
	if err := r.more(); err != nil {
		return false, err
	}
	return r.rows.Next(), nil
}

func sizeOf(row []any) (n int64) {
	for _, v := range row {
		switch v := v.(type) {
		case string:
			n += int64(len(v))
		case []byte:
			n += int64(len(v))
		}
		n += 16
	}
	return n
}

// columnNames are those that a query gives, as it words them.
func columnNames(ctx context.Context, conn *sql.Conn, query string) (names []string, err error) {
	err = conn.Raw(func(c any) error {
		dc, ok := c.(driver.ConnPrepareContext)
		if !ok {
			return errors.New("not a duckdb connection")
		}
		s, err := dc.PrepareContext(ctx, query)
		if err != nil {
			return err
		}
		defer s.Close()
		stmt := s.(*duckdb.Stmt)
		n, err := stmt.ColumnCount()
		for i := 0; err == nil && i < n; i++ {
			var name string
			if name, err = stmt.ColumnName(i); err == nil {
				names = append(names, name)
			}
		}
		return err
	})
	return names, err
}

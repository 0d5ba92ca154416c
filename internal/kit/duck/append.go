package duck

import (
	"database/sql"
	"database/sql/driver"
	"errors"

	duckdb "github.com/duckdb/duckdb-go/v2"
)

// Appender adds rows to a table, many times faster than INSERT does.
type Appender struct {
	conn *sql.Conn
	app  *duckdb.Appender
}

// NewAppender opens a table of the connection, temporary or not.
func NewAppender(conn *sql.Conn, table string) (*Appender, error) {
	a := &Appender{conn: conn}
	err := conn.Raw(func(c any) error {
		dc, ok := c.(driver.Conn)
		if !ok {
			return errors.New("not a duckdb connection")
		}
		var err error
		a.app, err = duckdb.NewAppenderFromConn(dc, "", table)
		return err
	})
	return a, err
}

// Append adds one row; nil is NULL.
func (a *Appender) Append(values ...any) error {
	row := make([]driver.Value, len(values))
	for i, v := range values {
		row[i] = v
	}
	return a.app.AppendRow(row...)
}

// Close writes what is left.
func (a *Appender) Close() error { return a.app.Close() }

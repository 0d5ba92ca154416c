package columnar

import (
	"fmt"
	"iter"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// Tables of many millions of rows are read and written column by column: no
// struct a row, no pointer a value, and the same buffers for every row group.

// Group is one row group, read column by column into the caller's buffers.
type Group struct {
	rows  int
	group *file.RowGroupReader
	index func(name string) (column, int)
}

// Group opens a row group. Several goroutines may read different groups.
func (r *Reader[T]) Group(group int) *Group {
	g := r.file.RowGroup(group)
	return &Group{int(g.NumRows()), g, func(name string) (column, int) {
		for i, c := range r.table.columns {
			if c.Name == name {
				return c, r.index[i]
			}
		}
		panic("columnar: no column " + name)
	}}
}

func (g *Group) column(at int) (cr file.ColumnChunkReader, err error) {
	defer hostile(&err)
	return g.group.Column(at)
}

// Rows is the number of rows.
func (g *Group) Rows() int { return g.rows }

// Int32 reads a column that is never NULL.
func (g *Group) Int32(name string, into []int32) ([]int32, error) {
	into = sized(into, g.rows)
	_, at := g.index(name)
	cr, err := g.column(at)
	if err == nil {
		defer cr.Close()
		err = fill(g.rows, cr, func(row int) (int64, error) {
			n, _, err := cr.(*file.Int32ColumnChunkReader).ReadBatch(int64(g.rows-row), into[row:], nil, nil)
			return n, err
		})
	}
	return into, named(name, err)
}

// Bool reads a column that is never NULL.
func (g *Group) Bool(name string, into []bool) ([]bool, error) {
	into = sized(into, g.rows)
	_, at := g.index(name)
	cr, err := g.column(at)
	if err == nil {
		defer cr.Close()
		err = fill(g.rows, cr, func(row int) (int64, error) {
			n, _, err := cr.(*file.BooleanColumnChunkReader).ReadBatch(int64(g.rows-row), into[row:], nil, nil)
			return n, err
		})
	}
	return into, named(name, err)
}

// Int64 reads a column; valid says where it is not NULL, for one that may be.
func (g *Group) Int64(name string, into []int64, valid []bool) ([]int64, []bool, error) {
	into = sized(into, g.rows)
	c, at := g.index(name)
	if c.Nullable {
		valid = sized(valid, g.rows)
		clear(valid)
	}
	if at < 0 {
		return into, valid, nil
	}
	cr, err := g.column(at)
	if err != nil {
		return into, valid, named(name, err)
	}
	defer cr.Close()
	var def []int16
	if c.Nullable {
		def = make([]int16, min(g.rows, 8192))
	}
	err = fill(g.rows, cr, func(row int) (int64, error) {
		if !c.Nullable {
			n, _, err := cr.(*file.Int64ColumnChunkReader).ReadBatch(int64(g.rows-row), into[row:], nil, nil)
			return n, err
		}
		n, got, err := cr.(*file.Int64ColumnChunkReader).ReadBatch(int64(min(g.rows-row, len(def))), into[row:], def, nil)
		// The values came packed: spread them from the end.
		for i, v := int(n)-1, got-1; i >= 0; i-- {
			if def[i] > 0 {
				into[row+i], valid[row+i] = into[row+v], true
				v--
			}
		}
		return n, err
	})
	return into, valid, named(name, err)
}

// EachNumber calls f with every value of a BIGINT or DOUBLE column that is not
// NULL, of lists too, in order.
func (g *Group) EachNumber(name string, f func(integer int64, float float64) error) error {
	_, at := g.index(name)
	if at < 0 {
		return nil
	}
	cr, err := g.column(at)
	if err != nil {
		return named(name, err)
	}
	defer cr.Close()
	batch := int64(min(max(g.rows, 16), 4096))
	integers, floats := make([]int64, batch), make([]float64, batch)
	def, rep := make([]int16, batch), make([]int16, batch)
	for {
		var got int
		n, err := careful(func(int) (n int64, err error) {
			switch cr := cr.(type) {
			case *file.Int64ColumnChunkReader:
				n, got, err = cr.ReadBatch(batch, integers, def, rep)
			case *file.Float64ColumnChunkReader:
				n, got, err = cr.ReadBatch(batch, floats, def, rep)
			}
			return n, err
		}, 0)
		if err == nil && n == 0 {
			err = cr.Err()
		}
		if err != nil || n == 0 {
			return named(name, err)
		}
		for i := range got {
			if err := f(integers[i], floats[i]); err != nil {
				return err
			}
		}
	}
}

// EachBytes calls f with every value of a column that is never NULL, in order.
// A value is valid until f returns: it lies in the file's page, which is not
// copied.
func (g *Group) EachBytes(name string, f func(row int, value []byte) error) error {
	_, at := g.index(name)
	cr, err := g.column(at)
	if err != nil {
		return named(name, err)
	}
	defer cr.Close()
	values := make([]parquet.ByteArray, min(g.rows, 1024))
	total := 0
	for row := 0; row < g.rows; {
		n, err := careful(func(row int) (int64, error) {
			n, _, err := cr.(*file.ByteArrayColumnChunkReader).ReadBatchInPage(int64(min(g.rows-row, len(values))), values, nil, nil)
			return n, err
		}, row)
		if err != nil {
			return named(name, err)
		}
		if n == 0 {
			return named(name, ended(cr, row, g.rows))
		}
		for i, v := range values[:n] {
			if total += len(v); total > maxGroupBytes {
				return named(name, errTooLarge)
			}
			if err := f(row+i, v); err != nil {
				return err
			}
		}
		row += int(n)
	}
	return nil
}

func fill(rows int, cr file.ColumnChunkReader, read func(row int) (int64, error)) error {
	for row := 0; row < rows; {
		n, err := careful(read, row)
		if err != nil {
			return err
		}
		if n == 0 {
			return ended(cr, row, rows)
		}
		row += int(n)
	}
	return nil
}

// careful reads a batch, where a file may hold anything.
func careful(read func(row int) (int64, error), row int) (n int64, err error) {
	defer hostile(&err)
	return read(row)
}

// ended says why a column has no more rows: a page that cannot be read looks
// like the end of the file to who reads batches.
func ended(cr file.ColumnChunkReader, row, rows int) error {
	if err := cr.Err(); err != nil {
		return fmt.Errorf("after %d of %d rows: %w", row, rows, err)
	}
	return fmt.Errorf("file ends after %d of %d rows", row, rows)
}

func named(name string, err error) error {
	if err != nil {
		return fmt.Errorf("column %s: %w", name, err)
	}
	return nil
}

func sized[V any](s []V, n int) []V {
	if cap(s) < n {
		return make([]V, n)
	}
	return s[:n]
}

// Nullable is a column that may be NULL: its values without the NULLs, and for
// each row 1 where there is a value, 0 where not.
type Nullable struct {
	Values []int64
	Def    []int16
}

// WriteGroup writes one row group from whole columns, in the table's order:
// []int32, []int64, []bool, Nullable, or bytes as iter.Seq[[][]byte], whose
// batches are written as they come. They may be reused afterwards.
func (w *Writer[T]) WriteGroup(columns ...any) error {
	if err := w.CutRowGroup(); err != nil {
		return err
	}
	group, err := w.file.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	rows := 0
	for i, values := range columns {
		cw, err := group.NextColumn()
		if err != nil {
			return err
		}
		switch v := values.(type) {
		case []int32:
			rows = len(v)
			_, err = cw.(*file.Int32ColumnChunkWriter).WriteBatch(v, nil, nil)
		case []int64:
			rows = len(v)
			_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(v, nil, nil)
		case []bool:
			_, err = cw.(*file.BooleanColumnChunkWriter).WriteBatch(v, nil, nil)
		case iter.Seq[[][]byte]:
			err = writeBytes(cw.(*file.ByteArrayColumnChunkWriter), v)
		case Nullable:
			rows = len(v.Def)
			_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(v.Values, v.Def, nil)
		default:
			err = fmt.Errorf("no column form for %T", v)
		}
		if err == nil {
			err = cw.Close()
		}
		if err != nil {
			return named(w.table.columns[i].Name, err)
		}
	}
	w.total += int64(rows)
	return group.Close()
}

// writeBytes hands over at most a page's worth of bytes at a time: the encoder
// looks at the size of its page only between batches.
func writeBytes(cw *file.ByteArrayColumnChunkWriter, batches iter.Seq[[][]byte]) error {
	var values []parquet.ByteArray
	for batch := range batches {
		for len(batch) > 0 {
			values = values[:0]
			for size := 0; len(values) < len(batch) && size < pageBytes; size += len(values[len(values)-1]) {
				values = append(values, batch[len(values)])
			}
			if _, err := cw.WriteBatch(values, nil, nil); err != nil {
				return err
			}
			batch = batch[len(values):]
		}
	}
	return nil
}

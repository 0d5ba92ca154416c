package columnar

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// batchRows is how many rows go to the encoder at once: PROBES found batches
// under 2,000 rows 15 % slower and nothing gained beyond 8,000.
const batchRows = 4096

// Writer writes rows of T. It is not safe for concurrent use.
type Writer[T any] struct {
	table *Table[T]
	buf   *bufio.Writer
	file  *file.Writer
	group file.BufferedRowGroupWriter
	rows  int64 // in the open row group
	total int64
	batch []T
	bufs  []*buffers
}

type buffers struct {
	bools    []bool
	i32      []int32
	i64      []int64
	f64      []float64
	bytes    []parquet.ByteArray
	def, rep []int16
}

// NewWriter starts a Parquet file on w. The key-values go into its footer.
func (t *Table[T]) NewWriter(w io.Writer, keyValues map[string]string) (*Writer[T], error) {
	buf := bufio.NewWriterSize(w, 1<<20)
	fw := file.NewParquetWriter(buf, t.root, file.WithWriterProps(parquet.NewWriterProperties(t.props...)))
	for _, k := range slices.Sorted(maps.Keys(keyValues)) { // the same rows give the same bytes
		if err := fw.AppendKeyValueMetadata(k, keyValues[k]); err != nil {
			return nil, err
		}
	}
	out := &Writer[T]{table: t, buf: buf, file: fw}
	for range t.columns {
		out.bufs = append(out.bufs, &buffers{})
	}
	return out, nil
}

// Write appends rows. What they point to may be reused afterwards only once
// the row group is cut or the writer closed, so callers pass owned memory.
func (w *Writer[T]) Write(rows ...T) error {
	for len(rows) > 0 {
		n := min(len(rows), batchRows-len(w.batch))
		w.batch = append(w.batch, rows[:n]...)
		rows = rows[n:]
		if len(w.batch) == batchRows {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// GroupRows is the number of rows in the open row group.
func (w *Writer[T]) GroupRows() int64 { return w.rows + int64(len(w.batch)) }

// Rows is the number of rows written so far.
func (w *Writer[T]) Rows() int64 { return w.total + int64(len(w.batch)) }

// CutRowGroup ends the open row group, if it has rows, and hands all of it to the
// underlying writer.
func (w *Writer[T]) CutRowGroup() error {
	if err := w.flush(); err != nil {
		return err
	}
	if w.group == nil {
		return nil
	}
	group := w.group
	w.group, w.rows = nil, 0
	if err := group.Close(); err != nil {
		return err
	}
	return w.buf.Flush()
}

// Close writes the footer. The underlying writer stays open.
func (w *Writer[T]) Close() error {
	if err := w.CutRowGroup(); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	return w.buf.Flush()
}

func (w *Writer[T]) flush() error {
	if len(w.batch) == 0 {
		return nil
	}
	if w.group == nil {
		group, err := w.file.AppendBufferedRowGroupChecked()
		if err != nil {
			return err
		}
		w.group = group
	}
	for i := range w.table.columns {
		c := &w.table.columns[i]
		cw, err := w.group.Column(i)
		if err == nil {
			err = writeColumn(c, cw, w.bufs[i], w.batch)
		}
		if err != nil {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	w.rows += int64(len(w.batch))
	w.total += int64(len(w.batch))
	clear(w.batch)
	w.batch = w.batch[:0]
	return nil
}

func writeColumn[T any](c *column, cw file.ColumnChunkWriter, b *buffers, rows []T) error {
	var err error
	switch c.kind {
	case kindBool:
		b.bools, b.def = gather(c, rows, b.bools[:0], b.def[:0], same[bool])
		_, err = cw.(*file.BooleanColumnChunkWriter).WriteBatch(b.bools, b.def, nil)
	case kindInt32:
		b.i32, b.def = gather(c, rows, b.i32[:0], b.def[:0], same[int32])
		_, err = cw.(*file.Int32ColumnChunkWriter).WriteBatch(b.i32, b.def, nil)
	case kindInt64:
		b.i64, b.def = gather(c, rows, b.i64[:0], b.def[:0], same[int64])
		_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(b.i64, b.def, nil)
	case kindFloat64:
		b.f64, b.def = gather(c, rows, b.f64[:0], b.def[:0], same[float64])
		_, err = cw.(*file.Float64ColumnChunkWriter).WriteBatch(b.f64, b.def, nil)
	case kindString:
		b.bytes, b.def = gather(c, rows, b.bytes[:0], b.def[:0], text)
		_, err = cw.(*file.ByteArrayColumnChunkWriter).WriteBatch(b.bytes, b.def, nil)
	case kindBytes:
		b.bytes, b.def = gather(c, rows, b.bytes[:0], b.def[:0], func(v []byte) parquet.ByteArray { return v })
		_, err = cw.(*file.ByteArrayColumnChunkWriter).WriteBatch(b.bytes, b.def, nil)
	case kindList:
		b.i64, b.def, b.rep = gatherLists(c, rows, b.i64[:0], b.def[:0], b.rep[:0])
		_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(b.i64, b.def, b.rep)
	}
	return err
}

func same[V any](v V) V { return v }

// text makes a string fit a UTF-8 column: readers abort on anything else.
func text(s string) parquet.ByteArray {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

// gather collects a column of the rows: the values that are there, and for a
// nullable column one definition level a row.
func gather[T, V, P any](c *column, rows []T, values []P, def []int16, convert func(V) P) ([]P, []int16) {
	if !c.Nullable {
		for i := range rows {
			values = append(values, convert(*(*V)(c.field(unsafe.Pointer(&rows[i])))))
		}
		return values, nil
	}
	for i := range rows {
		p := *(**V)(c.field(unsafe.Pointer(&rows[i])))
		if p == nil {
			def = append(def, 0)
			continue
		}
		def = append(def, 1)
		values = append(values, convert(*p))
	}
	return values, def
}

func gatherLists[T any](c *column, rows []T, values []int64, def, rep []int16) ([]int64, []int16, []int16) {
	for i := range rows {
		list := *(*[]int64)(c.field(unsafe.Pointer(&rows[i])))
		if len(list) == 0 {
			def, rep = append(def, 0), append(rep, 0)
			continue
		}
		for j, v := range list {
			def, rep = append(def, 2), append(rep, int16(min(j, 1)))
			values = append(values, v)
		}
	}
	return values, def, rep
}

package columnar

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"unsafe"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// Reader reads rows of T from one Parquet file.
type Reader[T any] struct {
	table *Table[T]
	file  *file.Reader
	index []int // column of the file for each column of the table, -1 where absent
}

// Open opens the Parquet file at path. A nullable column that the file lacks
// reads as NULL; any other missing column, or one of another type, is an error.
func (t *Table[T]) Open(path string) (*Reader[T], error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := t.OpenFrom(path, f)
	if err != nil {
		f.Close()
	}
	return r, err
}

// OpenFrom is Open for a file that is open already; errors call it by path. The
// reader closes it.
func (t *Table[T]) OpenFrom(path string, from parquet.ReaderAtSeeker) (r *Reader[T], err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	defer hostile(&err)
	f, err := file.NewParquetReader(from, file.WithReadProps(streamed))
	if err != nil {
		return nil, err
	}
	r = &Reader[T]{table: t, file: f}
	have := f.MetaData().Schema
	for _, c := range t.columns {
		name := c.Name
		if c.kind == kindList {
			name += ".list.element"
		}
		i := have.ColumnIndexByName(name)
		if i < 0 && !c.Nullable {
			return nil, fmt.Errorf("no column %s: not a table of this kind", c.Name)
		}
		if i >= 0 {
			if got, want := have.Column(i).PhysicalType(), c.physical(); got != want {
				return nil, fmt.Errorf("column %s is %s, want %s", c.Name, got, want)
			}
			if col := have.Column(i); col.MaxDefinitionLevel() != c.definition() || col.MaxRepetitionLevel() != c.repetition() {
				return nil, fmt.Errorf("column %s may hold NULLs or lists where it must not, or none where it may", c.Name)
			}
		}
		r.index = append(r.index, i)
	}
	for g := range f.NumRowGroups() {
		if n := f.RowGroup(g).NumRows(); n < 0 || n > maxGroupRows {
			return nil, fmt.Errorf("row group %d claims %d rows, more than the %d that are read at once", g, n, maxGroupRows)
		}
	}
	return r, nil
}

// definition and repetition are the levels of the column's values.
func (c *column) definition() int16 {
	switch {
	case c.kind == kindList:
		return 2
	case c.Nullable:
		return 1
	}
	return 0
}

func (c *column) repetition() int16 {
	if c.kind == kindList {
		return 1
	}
	return 0
}

func (c *column) physical() parquet.Type {
	switch c.kind {
	case kindBool:
		return parquet.Types.Boolean
	case kindInt32:
		return parquet.Types.Int32
	case kindInt64, kindList:
		return parquet.Types.Int64
	case kindFloat64:
		return parquet.Types.Double
	}
	return parquet.Types.ByteArray
}

// Close closes the file. Rows read stay valid.
func (r *Reader[T]) Close() error { return r.file.Close() }

// NumRowGroups is the number of row groups.
func (r *Reader[T]) NumRowGroups() int { return r.file.NumRowGroups() }

// GroupRows is the number of rows of a row group.
func (r *Reader[T]) GroupRows(group int) int64 { return r.file.RowGroup(group).NumRows() }

// Bounds are the least and the greatest value of a BIGINT column that is never
// NULL, in a row group that has rows.
func (r *Reader[T]) Bounds(group int, name string) (least, greatest int64, err error) {
	defer hostile(&err)
	if least, greatest, ok := r.Extremes(group, name); ok {
		return least.(int64), greatest.(int64), nil
	}
	values, _, err := r.Group(group).Int64(name, nil, nil)
	if err != nil || len(values) == 0 {
		return 0, 0, err
	}
	return slices.Min(values), slices.Max(values), nil
}

// Extremes are Bounds as the file states them, without a look at the values; ok
// is false where it states none.
func (r *Reader[T]) Extremes(group int, name string) (least, greatest any, ok bool) {
	var err error
	defer hostile(&err)
	_, at := r.Group(group).index(name)
	if at < 0 {
		return nil, nil, false
	}
	chunk, err := r.file.RowGroup(group).MetaData().ColumnChunk(at)
	if err != nil {
		return nil, nil, false
	}
	stats, err := chunk.Statistics()
	if err != nil || stats == nil || !stats.HasMinMax() {
		return nil, nil, false
	}
	switch s := stats.(type) {
	case *metadata.Int64Statistics:
		return s.Min(), s.Max(), true
	case *metadata.ByteArrayStatistics:
		return string(s.Min()), string(s.Max()), true
	}
	return nil, nil, false
}

// NumRows is the number of rows.
func (r *Reader[T]) NumRows() int64 { return r.file.NumRows() }

// KeyValue looks a key of the footer up.
func (r *Reader[T]) KeyValue(key string) (string, bool) {
	v := r.file.MetaData().KeyValueMetadata().FindValue(key)
	if v == nil {
		return "", false
	}
	return *v, true
}

// ReadRowGroup returns all rows of a row group. Several goroutines may read
// different groups of one Reader. Only the named columns are filled when any
// are named.
func (r *Reader[T]) ReadRowGroup(group int, columns ...string) (rows []T, err error) {
	defer hostile(&err)
	g := r.file.RowGroup(group)
	var row T
	if n := g.NumRows() * int64(unsafe.Sizeof(row)); n > maxGroupBytes {
		return nil, fmt.Errorf("%d rows, more than are read at once", g.NumRows())
	}
	rows = make([]T, g.NumRows())
	for i := range r.table.columns {
		c := &r.table.columns[i]
		if r.index[i] < 0 || len(rows) == 0 || (len(columns) > 0 && !slices.Contains(columns, c.Name)) {
			continue
		}
		cr, err := g.Column(r.index[i])
		if err == nil {
			err = errors.Join(readColumn(c, cr, rows), cr.Close())
		}
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
	}
	return rows, nil
}

// readColumn fills a field of all rows.
func readColumn[T any](c *column, cr file.ColumnChunkReader, rows []T) error {
	switch c.kind {
	case kindBool:
		return scatter(c, rows, cr, cr.(*file.BooleanColumnChunkReader).ReadBatch, same[bool])
	case kindInt32:
		return scatter(c, rows, cr, cr.(*file.Int32ColumnChunkReader).ReadBatch, same[int32])
	case kindInt64:
		return scatter(c, rows, cr, cr.(*file.Int64ColumnChunkReader).ReadBatch, same[int64])
	case kindFloat64:
		return scatter(c, rows, cr, cr.(*file.Float64ColumnChunkReader).ReadBatch, same[float64])
	case kindString:
		a := &arena{}
		words := map[string]string{} // columns of words repeat themselves
		return scatter(c, rows, cr, cr.(*file.ByteArrayColumnChunkReader).ReadBatchInPage, func(v parquet.ByteArray) string {
			if s, ok := words[string(v)]; ok {
				return s
			}
			own := a.copy(v)
			s := unsafe.String(unsafe.SliceData(own), len(own))
			if len(words) < 256 {
				words[s] = s
			}
			return s
		})
	case kindBytes:
		a := &arena{}
		return scatter(c, rows, cr, cr.(*file.ByteArrayColumnChunkReader).ReadBatchInPage, func(v parquet.ByteArray) []byte { return a.copy(v) })
	default:
		return scatterLists(c, rows, cr.(*file.Int64ColumnChunkReader))
	}
}

// arena keeps the bytes of a column in few large pieces, since one allocation
// a frame would cost more than decoding it.
type arena struct {
	free  []byte
	next  int
	total int64
}

func (a *arena) copy(v []byte) []byte {
	if a.total += int64(len(v)); a.total > maxGroupBytes {
		panic(errTooLarge)
	}
	if len(v) > len(a.free) {
		a.next = min(max(2*a.next, 4<<10), 1<<20) // small files come by the thousand
		a.free = make([]byte, max(a.next, len(v)))
	}
	out := a.free[:len(v):len(v)]
	copy(out, v)
	a.free = a.free[len(v):]
	return out
}

func scatter[T, P, V any](c *column, rows []T, cr file.ColumnChunkReader, read func(int64, []P, []int16, []int16) (int64, int, error), convert func(P) V) error {
	const batch = 8192
	values := make([]P, min(batch, len(rows)))
	var def []int16
	if c.Nullable {
		def = make([]int16, len(values))
	}
	for row := 0; row < len(rows); {
		n, got, err := read(int64(min(len(values), len(rows)-row)), values, def, nil)
		if err != nil {
			return err
		}
		if n == 0 {
			return ended(cr, row, len(rows))
		}
		if !c.Nullable {
			for i := range got {
				*(*V)(c.field(unsafe.Pointer(&rows[row+i]))) = convert(values[i])
			}
			row += got
			continue
		}
		slab := make([]V, got) // one allocation for all the pointers of the batch
		v := 0
		for i := range int(n) {
			if def[i] > 0 {
				slab[v] = convert(values[v])
				*(**V)(c.field(unsafe.Pointer(&rows[row+i]))) = &slab[v]
				v++
			}
		}
		row += int(n)
	}
	return nil
}

func scatterLists[T any](c *column, rows []T, cr *file.Int64ColumnChunkReader) error {
	const batch = 8192
	values, def, rep := make([]int64, batch), make([]int16, batch), make([]int16, batch)
	row := -1
	for {
		n, _, err := cr.ReadBatch(batch, values, def, rep)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		v := 0
		for i := range int(n) {
			if rep[i] == 0 {
				row++
			}
			if row >= len(rows) {
				return fmt.Errorf("more lists than the %d rows of the group", len(rows))
			}
			if def[i] == 2 {
				list := (*[]int64)(c.field(unsafe.Pointer(&rows[row])))
				*list = append(*list, values[v])
				v++
			}
		}
	}
	if row != len(rows)-1 {
		return ended(cr, row+1, len(rows))
	}
	return nil
}

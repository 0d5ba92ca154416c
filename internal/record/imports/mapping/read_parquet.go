package mapping

import (
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/ledger"
)

// parquet reads rows: columns of structs by their dotted path, lists of plain
// values as lists. Only columns that the mapping asks for are read, a batch of
// each at a time. Timestamps come as text, in RFC 3339 where they are UTC.
func (r *reading) parquet() error {
	f, err := file.OpenParquetFile(r.path, false)
	if err != nil {
		return r.parquetFault(err)
	}
	defer f.Close()
	wanted := r.wantedMembers()
	var leaves []*leaf
	for i := range f.MetaData().Schema.NumColumns() {
		l := newLeaf(f.MetaData().Schema.Column(i), i)
		if l != nil && wanted(l.path) {
			leaves = append(leaves, l)
		}
	}
	for g := range f.NumRowGroups() {
		group := f.RowGroup(g)
		err := safely(func() error {
			for _, l := range leaves {
				if err := l.open(group); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return r.parquetFault(err)
		}
		for range group.NumRows() {
			record := map[string]any{}
			err := safely(func() error {
				for _, l := range leaves {
					v, err := l.next()
					if err != nil {
						return fmt.Errorf("row group %d: %w", g, err)
					}
					put(record, l.path, v)
				}
				return nil
			})
			if err != nil {
				return r.parquetFault(err)
			}
			if r.seen == 0 {
				if err := r.refuse(record); err != nil {
					return err
				}
			}
			if err := r.record(record, nil, record, ledger.Place{Record: r.seen + 1}); err != nil {
				return err
			}
		}
	}
	return nil
}

// safely turns the panics of the Parquet reader on damaged files into errors.
func safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged: %v", p)
		}
	}()
	return f()
}

// parquetFault refuses a file that cannot be read, or says where it broke off.
func (r *reading) parquetFault(err error) error {
	if r.seen == 0 {
		r.account.Refuse(ledger.Place{}, "not a Parquet file that can be read: %v", err)
		return errRefused
	}
	r.account.Fault(ledger.Place{Record: r.seen + 1}, "cannot be read further: %v", err)
	return nil
}

// wantedMembers tells whether the mapping looks at a member of the record.
func (r *reading) wantedMembers() func(path []string) bool {
	var wants [][]jsonstream.Step
	add := func(p *jsonstream.Path) {
		if p.Up == 0 {
			wants = append(wants, p.Steps)
		}
	}
	r.m.everyPath(add)
	for i := range r.m.Refuse {
		r.m.Refuse[i].When.paths(add)
	}
	return func(path []string) bool {
		return slices.ContainsFunc(wants, func(steps []jsonstream.Step) bool {
			for i, s := range steps {
				if i == len(path) || s.Kind != jsonstream.Member {
					return true
				}
				if s.Key != path[i] {
					return false
				}
			}
			return true
		})
	}
}

func put(record map[string]any, path []string, v any) {
	if v == nil {
		return
	}
	for _, key := range path[:len(path)-1] {
		next, _ := record[key].(map[string]any)
		if next == nil {
			next = map[string]any{}
			record[key] = next
		}
		record = next
	}
	record[path[len(path)-1]] = v
}

// leaf is a column that is read row by row.
type leaf struct {
	index    int
	path     []string
	column   *schema.Column
	listed   int16 // definition level from which a list has an element; 0 for no list
	read     func(n int) (levels int, err error)
	def, rep []int16
	values   []any // of the levels that have a value
	at, val  int   // next level, next value
	levels   int
}

// newLeaf is nil for columns that have no form here: lists of structs or lists.
func newLeaf(c *schema.Column, index int) *leaf {
	l := &leaf{index: index, column: c}
	parts := c.ColumnPath()
	switch c.MaxRepetitionLevel() {
	case 0:
		l.path = parts
		return l
	case 1:
	default:
		return nil
	}
	// Find the repeated node, and the level at which an element is there.
	var node schema.Node = c.SchemaNode()
	depth := len(parts)
	level := c.MaxDefinitionLevel()
	for node.RepetitionType() != parquet.Repetitions.Repeated {
		if node.RepetitionType() == parquet.Repetitions.Optional {
			level--
		}
		node = node.Parent()
		depth--
	}
	l.listed = level
	switch {
	case node.Type() == schema.Primitive: // repeated int64 x
		l.path = parts
	case len(parts) == depth+1 && node.Parent().LogicalType() != nil && node.Parent().LogicalType().Equals(schema.NewListLogicalType()):
		l.path = parts[:depth-1] // x.list.element
	default:
		return nil
	}
	return l
}

const batch = 1024

func (l *leaf) open(g *file.RowGroupReader) error {
	cr, err := g.Column(l.index)
	if err != nil {
		return err
	}
	if l.def == nil {
		l.def, l.rep = make([]int16, batch), make([]int16, batch)
	}
	l.at, l.levels = 0, 0
	convert := converter(l.column)
	switch cr := cr.(type) {
	case *file.BooleanColumnChunkReader:
		l.read = reader(l, cr.ReadBatch, convert)
	case *file.Int32ColumnChunkReader:
		l.read = reader(l, cr.ReadBatch, convert)
	case *file.Int64ColumnChunkReader:
		l.read = reader(l, cr.ReadBatch, convert)
	case *file.Int96ColumnChunkReader:
		l.read = reader(l, cr.ReadBatch, convert)
	case *file.Float32ColumnChunkReader:
		l.read = reader(l, cr.ReadBatch, convert)
	case *file.Float64ColumnChunkReader:
		l.read = reader(l, cr.ReadBatch, convert)
	case *file.ByteArrayColumnChunkReader:
		l.read = reader(l, cr.ReadBatch, convert)
	case *file.FixedLenByteArrayColumnChunkReader:
		l.read = reader(l, cr.ReadBatch, convert)
	default:
		return fmt.Errorf("column %s: type %T", l.column.Path(), cr)
	}
	return nil
}

// reader fills a leaf's batch.
func reader[T any](l *leaf, read func(int64, []T, []int16, []int16) (int64, int, error), convert func(any) any) func(int) (int, error) {
	buf := make([]T, batch)
	return func(n int) (int, error) {
		levels, got, err := read(int64(n), buf, l.def, l.rep)
		if err != nil {
			return 0, err
		}
		l.values = l.values[:0]
		for _, v := range buf[:got] {
			l.values = append(l.values, convert(v))
		}
		return int(levels), nil
	}
}

// level makes sure that there is a next level; false at the end of the group.
func (l *leaf) level() (bool, error) {
	if l.at < l.levels {
		return true, nil
	}
	n, err := l.read(batch)
	l.at, l.val, l.levels = 0, 0, n
	return n > 0, err
}

// next is the column's value in the next row.
func (l *leaf) next() (any, error) {
	ok, err := l.level()
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("column %s ends early", l.column.Path())
	}
	if l.listed == 0 {
		v, _ := l.take()
		return v, nil
	}
	var list []any
	for {
		v, listed := l.take()
		if listed {
			list = append(list, v)
		}
		if ok, err = l.level(); err != nil || !ok || l.rep[l.at] == 0 {
			if list == nil {
				return nil, err
			}
			return list, err
		}
	}
}

// take consumes one level: its value, nil where that is NULL, and whether it is
// an element of a list.
func (l *leaf) take() (v any, listed bool) {
	def := l.column.MaxDefinitionLevel()
	if def > 0 {
		def = l.def[l.at]
	}
	l.at++
	if def == l.column.MaxDefinitionLevel() {
		v = l.values[l.val]
		l.val++
	}
	return v, def >= l.listed
}

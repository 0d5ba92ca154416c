// Package columnar writes slices of structs as Parquet and reads them back.
//
// A struct type is the table's definition: each field with a `col` tag is a
// column of that name, a pointer field may be NULL, `doc` and `unit` describe
// it. Fields may be bool, int32, int64, float64, string and []byte, pointers to
// these, and []int64 (a list, NULL when empty). It sits on the low-level
// parquet/file package, which is faster than pqarrow and links no gRPC.
package columnar

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// Column describes one column of a table.
type Column struct {
	Name     string
	Type     string // SQL type as DuckDB shows it: BIGINT, VARCHAR, ...
	Unit     string // "" where there is none
	Doc      string
	Nullable bool
}

type kind uint8

const (
	kindBool kind = iota
	kindInt32
	kindInt64
	kindFloat64
	kindString
	kindBytes
	kindList // []int64
)

var sqlTypes = [...]string{"BOOLEAN", "INTEGER", "BIGINT", "DOUBLE", "VARCHAR", "BLOB", "BIGINT[]"}

type column struct {
	Column
	kind   kind
	offset uintptr
}

// pageBytes is the size of a page: PROBES found larger ones slower to read.
const pageBytes = 1 << 20

// Table is the Parquet form of the struct T.
type Table[T any] struct {
	columns []column
	root    *schema.GroupNode
	props   []parquet.WriterProperty
}

// Fast trades size for speed: for caches that are written once and read soon.
// Nothing is compressed: integers are packed by their differences, which leaves
// little to find, and the named columns (long texts) are written plainly.
func Fast(texts ...string) []parquet.WriterProperty {
	out := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Uncompressed)}
	for _, c := range texts {
		out = append(out, parquet.WithEncodingFor(c, parquet.Encodings.Plain), parquet.WithDictionaryFor(c, false), parquet.WithStatsFor(c, false))
	}
	return out
}

// Plain writes the named columns of numbers as they are: twice the size of
// packed ones where they hardly repeat, in a fifth of the time.
func Plain(columns ...string) []parquet.WriterProperty {
	var out []parquet.WriterProperty
	for _, c := range columns {
		out = append(out, parquet.WithEncodingFor(c, parquet.Encodings.Plain))
	}
	return out
}

// Searched keeps statistics, which let readers skip row groups, of the named
// columns only.
func Searched(columns ...string) []parquet.WriterProperty {
	out := []parquet.WriterProperty{parquet.WithStats(false)}
	for _, c := range columns {
		out = append(out, parquet.WithStatsFor(c, true))
	}
	return out
}

// NewTable reads the tags of T and of the structs embedded in it. It panics on a field type that has no column
// form, which is a fault of the program. Properties override the usual ones.
func NewTable[T any](properties ...parquet.WriterProperty) *Table[T] {
	t := &Table[T]{}
	var fields schema.FieldList
	typ := reflect.TypeFor[T]()
	for _, f := range flat(typ, 0) {
		name := f.Tag.Get("col")
		if name == "" {
			continue
		}
		c := column{Column: Column{Name: name, Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc")}, offset: f.Offset}
		ft := f.Type
		if ft.Kind() == reflect.Pointer {
			c.Nullable, ft = true, ft.Elem()
		}
		c.kind = kindOf(ft)
		c.Type = sqlTypes[c.kind]
		if c.kind == kindList {
			c.Nullable = true
		}
		fields = append(fields, c.node())
		t.columns = append(t.columns, c)
		t.props = append(t.props, c.properties()...)
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		panic(fmt.Sprintf("columnar: %s: %v", typ, err))
	}
	t.root = root
	t.props = append(t.props,
		parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(3),
		parquet.WithDataPageSize(pageBytes), parquet.WithMaxRowGroupLength(1<<40),
		parquet.WithDictionaryDefault(false), parquet.WithStats(true))
	t.props = append(t.props, properties...)
	return t
}

// flat lists the fields of a struct with those of embedded structs in their
// place, each with its offset from the outermost one.
func flat(typ reflect.Type, offset uintptr) []reflect.StructField {
	var out []reflect.StructField
	for i := range typ.NumField() {
		f := typ.Field(i)
		f.Offset += offset
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			out = append(out, flat(f.Type, f.Offset)...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// Columns lists the table's columns in order.
func (t *Table[T]) Columns() []Column {
	out := make([]Column, len(t.columns))
	for i, c := range t.columns {
		out[i] = c.Column
	}
	return out
}

func kindOf(t reflect.Type) kind {
	switch t.Kind() {
	case reflect.Bool:
		return kindBool
	case reflect.Int32:
		return kindInt32
	case reflect.Int64:
		return kindInt64
	case reflect.Float64:
		return kindFloat64
	case reflect.String:
		return kindString
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.Uint8:
			return kindBytes
		case reflect.Int64:
			return kindList
		}
	}
	panic(fmt.Sprintf("columnar: no column form for %s", t))
}

func (c *column) node() schema.Node {
	rep := parquet.Repetitions.Required
	if c.Nullable {
		rep = parquet.Repetitions.Optional
	}
	switch c.kind {
	case kindBool:
		return schema.NewBooleanNode(c.Name, rep, -1)
	case kindInt32:
		return schema.NewInt32Node(c.Name, rep, -1)
	case kindInt64:
		return schema.NewInt64Node(c.Name, rep, -1)
	case kindFloat64:
		return schema.NewFloat64Node(c.Name, rep, -1)
	case kindString:
		return schema.Must(schema.NewPrimitiveNodeLogical(c.Name, rep, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
	case kindBytes:
		return schema.NewByteArrayNode(c.Name, rep, -1)
	default:
		element := schema.NewInt64Node("element", parquet.Repetitions.Required, -1)
		list := schema.MustGroup(schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{element}, -1))
		return schema.MustGroup(schema.NewGroupNodeLogical(c.Name, rep, schema.FieldList{list}, schema.NewListLogicalType(), -1))
	}
}

// properties picks the encoding that PROBES measured as smallest for its kind:
// delta for integers, a dictionary for words, plain for bytes, whose statistics
// would only copy frames into the footer.
func (c *column) properties() []parquet.WriterProperty {
	switch c.kind {
	case kindInt32, kindInt64:
		return []parquet.WriterProperty{parquet.WithEncodingFor(c.Name, parquet.Encodings.DeltaBinaryPacked)}
	case kindString:
		return []parquet.WriterProperty{parquet.WithDictionaryFor(c.Name, true)}
	case kindBytes:
		return []parquet.WriterProperty{parquet.WithEncodingFor(c.Name, parquet.Encodings.Plain), parquet.WithStatsFor(c.Name, false)}
	}
	return nil
}

// field points at the column's field in the row at base.
func (c *column) field(base unsafe.Pointer) unsafe.Pointer { return unsafe.Add(base, c.offset) }

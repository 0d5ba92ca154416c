package build

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/duck"
	"aircheck/queries"
)

// Exported says what an export wrote.
type Exported struct {
	Views []string // public views, in order of the catalogue
	Path  string   // where to
}

// Export builds what is new and writes the public views (all of them, or those
// named) where any tool can read them: to a directory, as Parquet and CSV with
// a views.sql that a DuckDB shell loads, or to one database where the path ends
// in .duckdb. It is written aside and renamed, so that a reader of an earlier
// export sees the one or the other.
func Export(ctx context.Context, o Options, to string, views ...string) (*Exported, error) {
	if err := exportable(to); err != nil {
		return nil, err
	}
	if err := o.Fill(); err != nil {
		return nil, err
	}
	b, err := prepare(ctx, o, true)
	if err != nil {
		return nil, err
	}
	e := &exporter{builder: b}
	if err := e.choose(ctx, views); err != nil {
		return nil, err
	}
	names := e.names()
	if err := b.ensure(ctx, names...); err != nil {
		return nil, err
	}
	memory, lift := o.ForEngine()
	defer lift()
	if err := b.open(ctx, true, memory); err != nil {
		return nil, err
	}
	defer b.close()
	defer o.Report("", 0, 0)
	load := b.plan(names...).load
	for i := range load {
		if err := b.make(ctx, &load[i], false); err != nil {
			return nil, err
		}
	}
	if isDatabase(to) {
		err = e.database(ctx, to)
	} else {
		err = e.directory(ctx, to)
	}
	if err != nil {
		return nil, err
	}
	return &Exported{e.views, to}, nil
}

func isDatabase(to string) bool { return strings.EqualFold(filepath.Ext(to), ".duckdb") }

// viewsFile is written last, and so marks a directory as an export.
const viewsFile = "views.sql"

// ErrOccupied says that a path holds something that no export wrote.
var ErrOccupied = errors.New("exists, and is no earlier export")

// UnknownViewError says that no public view has a name.
type UnknownViewError struct {
	Name  string
	Views []string // those that there are
}

func (e *UnknownViewError) Error() string { return fmt.Sprintf("no view %q", e.Name) }

// exportable refuses to write over what is not an export.
func exportable(to string) error {
	info, err := os.Stat(to)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		return err
	case isDatabase(to):
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", to, ErrOccupied)
		}
		return nil
	case !info.IsDir():
		return fmt.Errorf("%s: %w", to, ErrOccupied)
	}
	entries, err := os.ReadDir(to)
	if err != nil {
		return err
	}
	if len(entries) > 0 && !derived.Exists(filepath.Join(to, viewsFile)) {
		return fmt.Errorf("%s: %w", to, ErrOccupied)
	}
	return nil
}

// exporter writes views, and what the macros among them are made of.
type exporter struct {
	*builder
	schema *Schema
	views  []string        // public views to write
	rows   map[string]bool // nodes whose rows are written: views and, for macros, private tables
	rest   []Node          // what is defined on top of them, in the graph's order
}

// choose decides what is written: the named views, or all of them and the
// macros with all that these need below the views.
func (e *exporter) choose(ctx context.Context, named []string) error {
	var err error
	if e.schema, err = schemaOf(ctx, e.nodes); err != nil {
		return err
	}
	e.rows = map[string]bool{}
	var macros, all []string
	for _, f := range e.schema.Public() {
		if len(f.Key) == 0 && !slices.Contains(named, f.Name) {
			macros = append(macros, f.Name) // a view of all that a macro gives is written where it is asked for
			continue
		}
		all = append(all, f.Name)
		if len(named) == 0 || slices.Contains(named, f.Name) {
			e.views, e.rows[f.Name] = append(e.views, f.Name), true
		}
	}
	for _, name := range named {
		if !e.rows[name] {
			return &UnknownViewError{name, all}
		}
	}
	if len(named) == 0 {
		e.below(macros)
	}
	return nil
}

// below adds macros, and what they are made of: rows where there are stored
// ones, definitions where there are none.
func (e *exporter) below(macros []string) {
	want := map[string]bool{}
	for _, m := range macros {
		want[m] = true
	}
	for i := len(e.nodes) - 1; i >= 0; i-- {
		n := e.nodes[i]
		switch {
		case !want[n.Name] || e.rows[n.Name]:
		case n.File != nil && n.stored() == queries.Never:
			for _, need := range n.Needs {
				want[need] = true
			}
			e.rest = append([]Node{n}, e.rest...)
		case e.over(&n) != "":
			e.rest = append([]Node{n}, e.rest...)
		default:
			e.rows[n.Name] = true
		}
	}
}

// over is the public view that holds all that a source has, under its name
// without the "_"; "" where there is none.
func (e *exporter) over(n *Node) string {
	view := strings.TrimPrefix(n.Name, "_")
	if n.Source == nil || !e.rows[view] {
		return ""
	}
	has := e.schema.Columns(view)
	for _, c := range n.Source {
		if !slices.Contains(has, c) {
			return ""
		}
	}
	return view
}

// names are those of all that is written.
func (e *exporter) names() []string {
	names := slices.Collect(maps.Keys(e.rows))
	for _, n := range e.rest {
		names = append(names, n.Name)
	}
	return names
}

// tables lists the nodes whose rows are written, in the graph's order.
func (e *exporter) tables() []*Node {
	var out []*Node
	for i := range e.nodes {
		if e.rows[e.nodes[i].Name] {
			out = append(out, &e.nodes[i])
		}
	}
	return out
}

// query gives a node's rows in the order of its key. Frames are recorded in
// that order, and sorting them would cost more than all the rest.
func (n *Node) query() string {
	if n.Source != nil || n.Name == "chunks" {
		return "SELECT * FROM " + n.Name
	}
	order := []string{"ALL"}
	if len(n.Key()) > 0 {
		order = nil
	}
	for _, k := range n.Key() {
		order = append(order, duck.Ident(k)+" NULLS FIRST")
	}
	return "SELECT * FROM " + n.Name + " ORDER BY " + strings.Join(order, ", ")
}

// definition is the statement that defines a node of rest over what is written.
func (e *exporter) definition(n *Node) string {
	if n.File != nil {
		return n.File.SQL
	}
	var list []string
	for _, c := range n.Source {
		list = append(list, duck.Ident(c.Name))
	}
	return fmt.Sprintf("CREATE OR REPLACE VIEW %s AS SELECT %s FROM %s;", n.Name, strings.Join(list, ", "), e.over(n))
}

// comments documents a view or table; kind says which.
func (s *Schema) comments(kind, name string) string {
	var b strings.Builder
	doc := s.Doc(name)
	if doc.Comment != "" {
		fmt.Fprintf(&b, "COMMENT ON %s %s IS %s;\n", kind, name, duck.Literal(doc.Comment))
	}
	for _, c := range s.Columns(name) {
		if text := doc.Columns[c.Name]; text != "" {
			fmt.Fprintf(&b, "COMMENT ON COLUMN %s.%s IS %s;\n", name, duck.Ident(c.Name), duck.Literal(text))
		}
	}
	return b.String()
}

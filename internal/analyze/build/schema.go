package build

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/kit/duck"
	"aircheck/queries"
)

// Schema is the shape of every view and table without any data: columns and
// types, and the comments on them. Tests load SQL files on it, and the catalogue
// is made of it.
type Schema struct {
	nodes   []Node
	columns map[string][]duck.Column
	docs    map[string]Doc
}

// Doc is what the SQL files say of a view.
type Doc struct {
	Comment string
	Columns map[string]string
}

// LoadSchema loads every SQL file into a schema of its own that holds empty
// tables of just what the file's header names. An undeclared or upward reference
// fails here, with the file's name. With views named, it loads these and what
// they are made of.
func LoadSchema(ctx context.Context, views ...string) (*Schema, error) {
	return SchemaOf(ctx, nil, views...)
}

// SchemaOf is LoadSchema of other files than those of package queries.
func SchemaOf(ctx context.Context, files []queries.File, views ...string) (*Schema, error) {
	nodes, err := Graph(files)
	if err != nil {
		return nil, err
	}
	if len(views) > 0 {
		nodes = closure(nodes, views...)
	}
	return schemaOf(ctx, nodes)
}

func schemaOf(ctx context.Context, nodes []Node) (*Schema, error) {
	s := &Schema{nodes: nodes, columns: map[string][]duck.Column{}, docs: map[string]Doc{}}
	db, err := duck.Open(ctx, duck.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	for i := range nodes {
		if err := s.add(ctx, conn, &nodes[i]); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Schema) add(ctx context.Context, db duck.Execer, n *Node) error {
	if n.Source != nil {
		s.columns[n.Name], s.docs[n.Name] = n.Source, Doc{Columns: n.docs}
		return nil
	}
	// A schema of its own is as good as a database of its own, and a tenth of the
	// time: names resolve in it and among the engine's own only.
	if err := duck.Exec(ctx, db, n.Name, "CREATE SCHEMA alone; SET schema = 'alone'"); err != nil {
		return err
	}
	defer duck.Exec(ctx, db, n.Name, "DROP SCHEMA alone CASCADE")
	if n.Step != nil {
		if err := duck.Exec(ctx, db, n.Name, n.Empty()); err != nil {
			return err
		}
		columns, err := duck.Describe(ctx, db, n.Name, "FROM "+n.Name)
		s.columns[n.Name] = columns
		return err
	}
	for _, need := range n.Needs {
		if err := s.stand(ctx, db, need); err != nil {
			return err
		}
	}
	if err := duck.Exec(ctx, db, n.source(), n.File.SQL); err != nil {
		return err
	}
	views, err := duck.Query(ctx, db, n.source(), "SELECT count(*) FROM duckdb_views() WHERE NOT internal AND view_name = "+duck.Literal(n.Name))
	if err != nil {
		return err
	}
	if views.Rows[0][0].(int64) == 0 {
		return nil // macros only
	}
	if s.columns[n.Name], err = duck.Describe(ctx, db, n.source(), "FROM "+n.Name); err != nil {
		return err
	}
	doc, err := docOf(ctx, db, n.Name)
	if err != nil {
		return err
	}
	s.inherit(n, doc)
	s.docs[n.Name] = doc
	return nil
}

// inherit completes a view's column comments: a column that the file says
// nothing of means what the column of that name means in what the file needs,
// so that each thing is explained once.
func (s *Schema) inherit(n *Node, doc Doc) {
	for _, c := range s.columns[n.Name] {
		for _, need := range n.Needs {
			if doc.Columns[c.Name] == "" {
				doc.Columns[c.Name] = s.docs[need].Columns[c.Name]
			}
		}
	}
}

// stand puts a stand-in for a needed node into a database: an empty table of
// its columns, or, where the file defines macros, itself with what it needs.
func (s *Schema) stand(ctx context.Context, db duck.Execer, name string) error {
	n := s.node(name)
	if n.File == nil || len(n.File.Macros()) == 0 {
		create, err := s.Create(name)
		if err != nil {
			return err
		}
		return duck.Exec(ctx, db, name, create)
	}
	for _, need := range n.Needs {
		if err := s.stand(ctx, db, need); err != nil {
			return err
		}
	}
	return duck.Exec(ctx, db, n.source(), n.File.SQL)
}

func (s *Schema) node(name string) *Node {
	i := slices.IndexFunc(s.nodes, func(n Node) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	return &s.nodes[i]
}

func docOf(ctx context.Context, db duck.Execer, view string) (Doc, error) {
	t, err := duck.Query(ctx, db, view, `
		SELECT NULL, comment FROM duckdb_views() WHERE NOT internal AND view_name = $1
		UNION ALL SELECT column_name, comment FROM duckdb_columns() WHERE NOT internal AND table_name = $1`, view)
	if err != nil {
		return Doc{}, err
	}
	d := Doc{Columns: map[string]string{}}
	for _, r := range t.Rows {
		comment, _ := r[1].(string)
		if name, ok := r[0].(string); ok {
			d.Columns[name] = comment
		} else {
			d.Comment = comment
		}
	}
	return d, nil
}

// Create is the statement that makes an empty table with the columns of a view,
// step or source.
func (s *Schema) Create(name string) (string, error) {
	cols := s.columns[name]
	if cols == nil {
		return "", fmt.Errorf("no view or table %s", name)
	}
	var list []string
	for _, c := range cols {
		list = append(list, duck.Ident(c.Name)+" "+c.Type)
	}
	return fmt.Sprintf("CREATE TABLE %s (%s)", name, strings.Join(list, ", ")), nil
}

// Load brings what a query needs into a database that already has the given
// tables: SQL files are loaded, steps are run, sources are empty.
func (s *Schema) Load(ctx context.Context, conn *sql.Conn, query string, given map[string]bool) error {
	names, err := duck.TableNames(conn, query)
	if err != nil {
		return err
	}
	for _, n := range s.nodes { // macros do not show as tables
		if n.File != nil && n.calledIn(query) {
			names = append(names, n.Name)
		}
	}
	b := &builder{conn: conn}
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	var load []*Node
	for i := len(s.nodes) - 1; i >= 0; i-- {
		n := &s.nodes[i]
		if !want[n.Name] || given[n.Name] {
			continue
		}
		for _, need := range n.Needs {
			want[need] = true
		}
		load = append(load, n)
	}
	slices.Reverse(load)
	for _, n := range load {
		switch {
		case n.Source != nil:
			err = duck.Exec(ctx, conn, n.Name, n.Empty())
		case n.Step != nil:
			if err = duck.Exec(ctx, conn, n.Name, n.Empty()); err == nil {
				err = b.fill(ctx, n, n.Name)
			}
		default:
			err = duck.Exec(ctx, conn, n.source(), n.File.SQL)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// calledIn reports whether a query calls a macro of the node's file.
func (n *Node) calledIn(query string) bool {
	return slices.ContainsFunc(n.File.Macros(), func(name string) bool { return strings.Contains(query, name+"(") })
}

// Public lists the names of the public views and macros, in order of folder and
// name.
func (s *Schema) Public() []queries.File {
	var out []queries.File
	for _, n := range s.nodes {
		if n.File != nil && n.File.Public() {
			out = append(out, *n.File)
		}
	}
	slices.SortFunc(out, func(a, b queries.File) int {
		return cmp.Or(cmp.Compare(a.Place(), b.Place()), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Columns and Doc describe a view.
func (s *Schema) Columns(view string) []duck.Column { return s.columns[view] }
func (s *Schema) Doc(view string) Doc               { return s.docs[view] }

// File is the SQL file of a view.
func (s *Schema) File(view string) *queries.File { return s.node(view).File }

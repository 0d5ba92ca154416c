package build

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aircheck/internal/analyze/decode"
	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/store"
)

// databaseName is that of the file that holds the public views for other tools.
const databaseName = "aircheck.duckdb"

// DatabasePath is where [Database] writes: into the dataset, or into the cache of
// one that has a cache elsewhere.
func DatabasePath(o Options) string {
	if o.Cache != "" || store.Remote(o.Dir) {
		return filepath.Join(o.DerivedDir(), databaseName)
	}
	return filepath.Join(o.Dir, databaseName)
}

// Database brings the database of a dataset's views up to date, for any DuckDB
// shell, notebook or BI tool: views over the stored rows, by absolute path, so that
// it may be opened from any folder. A view whose rows are not stored is computed
// from those that are, where SQL can; else it says what to do. Every view fails,
// rather than tell of the past, once a run was sealed or removed after the build. The file is
// written aside and renamed, and only when something changed.
func Database(ctx context.Context, o Options) (path string, err error) {
	if err := o.Fill(); err != nil {
		return "", err
	}
	b, err := prepare(ctx, o, false)
	if err != nil {
		return "", err
	}
	path = DatabasePath(b.opts)
	d := &database{builder: b, says: map[string]string{}}
	if err := d.choose(); err != nil {
		return "", err
	}
	key, note := d.key(path), filepath.Join(b.opts.CacheDir(), layoutsDir, "database.json")
	var last string
	if data, err := derived.ReadSmall(note); err == nil && json.Unmarshal(data, &last) == nil && last == key && derived.Exists(path) {
		return path, nil
	}
	if err := b.open(ctx, false, ""); err != nil {
		return "", err
	}
	defer b.close()
	if err := d.write(ctx, path); err != nil {
		return "", err
	}
	b.keepSmall(note, key)
	return path, nil
}

// database is the views to write.
type database struct {
	*builder
	views []Node            // in the graph's order
	says  map[string]string // of a view that cannot be read yet: what to do
}

// choose lists the public views and what they are made of, down to what is stored.
func (d *database) choose() error {
	want := map[string]bool{}
	for i := len(d.nodes) - 1; i >= 0; i-- {
		n := d.nodes[i]
		if !want[n.Name] && (n.File == nil || !n.File.Public()) {
			continue
		}
		d.views = append(d.views, n)
		if n.Source != nil || d.haveRows(&n) {
			continue
		}
		for _, need := range n.Needs {
			want[need] = true
		}
	}
	slices.Reverse(d.views)
	for i := range d.views { // each after its needs
		n := &d.views[i]
		switch {
		case n.Source != nil && !n.raw() && len(d.undecoded(n.events)) > 0:
			d.says[n.Name] = "its frames are not decoded yet: analyze build " + d.opts.Dir + " --events"
		case n.Source != nil || d.haveRows(n):
		case n.Step != nil:
			d.says[n.Name] = "its rows are not stored yet: analyze build " + d.opts.Dir + " --all"
		default:
			for _, need := range n.Needs {
				if d.says[need] != "" {
					d.says[n.Name] = d.says[need]
				}
			}
		}
	}
	return nil
}

// key names all that the file depends on.
func (d *database) key(path string) string {
	parts := []string{path, d.opts.Dir, d.opts.CacheDir(), fmt.Sprint(decode.TablesVersion), d.sealed()}
	for i := range d.views {
		n := &d.views[i]
		parts = append(parts, n.Name, d.full[n.Name], d.says[n.Name])
		if n.File != nil {
			parts = append(parts, n.File.SQL)
		}
	}
	return digest(parts...)
}

// write makes the file.
func (d *database) write(ctx context.Context, path string) error {
	dir, err := derived.TempDir(path)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tmp := filepath.Join(dir, databaseName)
	if err := duck.Exec(ctx, d.conn, path, "ATTACH "+duck.Literal(tmp)+" AS views; USE views"); err != nil {
		return err
	}
	shape, err := schemaOf(ctx, d.nodes)
	if err != nil {
		return err
	}
	d.only, d.guard = nil, d.current()
	for i := range d.views {
		n := &d.views[i]
		switch says := d.says[n.Name]; {
		case says != "":
			err = duck.Exec(ctx, d.conn, n.source(), shape.unreadable(n, says))
		case n.Source != nil, d.haveRows(n):
			err = d.make(ctx, n, false)
		default:
			err = duck.Exec(ctx, d.conn, n.source(), n.File.Definition())
		}
		if text := shape.comments("VIEW", n.Name); err == nil && n.File != nil && text != "" {
			err = duck.Exec(ctx, d.conn, n.source(), text)
		}
		if err != nil {
			return err
		}
	}
	if err := duck.Exec(ctx, d.conn, path, "USE memory; DETACH views"); err != nil { // writes it all
		return err
	}
	return os.Rename(tmp, path)
}

// unreadable is a view with the columns of a node whose rows cannot be read.
func (s *Schema) unreadable(n *Node, says string) string {
	var list []string
	for _, c := range s.columns[n.Name] {
		list = append(list, "NULL::"+c.Type+" AS "+duck.Ident(c.Name))
	}
	if len(list) == 0 { // macros only
		return n.File.Definition()
	}
	return fmt.Sprintf("CREATE OR REPLACE VIEW %s AS SELECT %s WHERE error(%s)::BOOLEAN", n.Name, strings.Join(list, ", "), duck.Literal(n.Name+": "+says))
}

// sealed names the runs that the dataset has now, as [database.current] does; of one
// that is elsewhere, none.
func (d *database) sealed() string {
	if store.Remote(d.opts.Dir) {
		return ""
	}
	entries, _ := os.ReadDir(filepath.Join(d.opts.Dir, "runs")) // in order
	var names []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".json" {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, ",")
}

// current is a condition that fails once the dataset has other runs than at the
// build; "" where these are elsewhere.
func (d *database) current() string {
	if store.Remote(d.opts.Dir) {
		return ""
	}
	const name = "parse_filename(file)"
	says := "the dataset has other runs than when this database was written: analyze build " + d.opts.Dir
	return fmt.Sprintf("(SELECT CASE WHEN md5(coalesce(string_agg(%[1]s, ',' ORDER BY %[1]s), '')) = %[2]s THEN true ELSE error(%[3]s)::BOOLEAN END FROM glob(%[4]s))",
		name, duck.Literal(fmt.Sprintf("%x", md5.Sum([]byte(d.sealed())))), duck.Literal(says), duck.Glob(filepath.Join(d.opts.Dir, "runs"), "/*.json"))
}

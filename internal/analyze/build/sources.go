package build

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"aircheck/internal/analyze/decode"
	"aircheck/internal/kit/columnar"
	"aircheck/internal/kit/duck"
	"aircheck/schema"
)

// sources are the tables that Go writes as Parquet: the dataset's two, and
// those decoded from it.
func sources() []Node {
	out := []Node{
		source("_requests", schema.Requests.Columns()),
		source("_chunks", schema.Chunks.Columns()),
	}
	for _, t := range decode.Tables() {
		n := source("_"+t.Name, withRun(t.Columns))
		n.events = t.Events
		out = append(out, n)
	}
	return out
}

func source(name string, in []columnar.Column) Node {
	n := Node{Name: name, docs: map[string]string{}}
	for _, c := range in {
		n.Source = append(n.Source, duck.Column{Name: c.Name, Type: c.Type})
		n.docs[c.Name] = c.Doc
		if c.Unit != "" {
			n.docs[c.Name] = c.Unit + ": " + c.Doc
		}
	}
	return n
}

// withRun puts the run in front, which the files of decoded tables leave to the
// name of their directory.
func withRun(in []columnar.Column) []columnar.Column {
	return append([]columnar.Column{{Name: "run_id", Type: "VARCHAR", Doc: "the run"}}, in...)
}

// runOfFile finds the run in the path of a decoded file,
// …/<run_id>.<key>/00000/streams.parquet.
const runOfFile = `regexp_extract(filename, '([^/\\]+)\.[0-9a-f]+[/\\][0-9]+[/\\][a-z]+\.parquet$', 1)`

// sourceFiles are the files behind a source for the given runs, as far as they
// have requests of a range.
func (b *builder) sourceFiles(n *Node, runs []*run, at decode.Range) (out []string, err error) {
	for _, r := range runs {
		var names []string
		switch n.Name {
		case "_requests":
			names = b.ds.RequestFiles(r.Run)
		case "_chunks":
			names = b.ds.ChunkFiles(r.Run)
		default:
			for _, j := range b.jobs([]*run{r}, n.events) {
				if j.Range.Meets(at) {
					if err := b.mirror.fetch(filepath.Join(j.Dir, n.Name[1:]+".parquet")); err != nil {
						return nil, err
					}
					out = append(out, filepath.Join(j.Dir, n.Name[1:]+".parquet"))
				}
			}
		}
		for _, name := range names {
			path, err := b.local(name)
			if err != nil {
				return nil, err
			}
			out = append(out, path)
		}
	}
	return out, nil
}

// local is the path of a raw file for the engine, once it was looked at.
func (b *builder) local(name string) (path string, err error) {
	if path = b.paths[name]; path != "" {
		return path, nil
	}
	s, err := b.ds.Store()
	if err == nil {
		path, err = s.Local(name)
	}
	if err == nil {
		b.paths[name] = path
	}
	return path, err
}

// raw tells a source of the recording from one that was decoded from it.
func (n *Node) raw() bool { return n.Name == "_requests" || n.Name == "_chunks" }

// sourceView is the statement that defines a source over the runs' files.
// A range restricts it.
func (b *builder) sourceView(ctx context.Context, n *Node, runs []*run, at decode.Range) (string, error) {
	var parts []string
	for _, group := range byVersion(runs) {
		files, err := b.sourceFiles(n, group, at)
		if err != nil {
			return "", err
		}
		if len(files) == 0 {
			continue
		}
		have, err := b.columnsOf(ctx, n, group[0], files[0])
		if err != nil {
			return "", err
		}
		var list []string
		for _, c := range n.Source {
			switch {
			case have[c.Name]:
				list = append(list, duck.Ident(c.Name))
			case n.Name == "_events" && decode.EventColumnsSQL[c.Name] != "":
				list = append(list, decode.EventColumnsSQL[c.Name]+" AS "+duck.Ident(c.Name))
			case c.Name == "run_id":
				list = append(list, runOfFile+" AS run_id")
			default: // a file of an older version
				list = append(list, "NULL::"+c.Type+" AS "+duck.Ident(c.Name))
			}
		}
		parts = append(parts, "SELECT "+strings.Join(list, ", ")+" FROM "+duck.Parquet(files, "filename = true")+where(at)+guarded(" WHERE ", b.guard)) // a range has no guard
	}
	if len(parts) == 0 {
		var list []string
		for _, c := range n.Source {
			list = append(list, "NULL::"+c.Type+" AS "+duck.Ident(c.Name))
		}
		parts = []string{"SELECT " + strings.Join(list, ", ") + " WHERE false"}
	}
	return fmt.Sprintf("CREATE OR REPLACE VIEW %s AS %s", n.Name, strings.Join(parts, " UNION ALL ")), nil
}

// byVersion groups runs by the version of their files: within a version all
// files have the same columns, so that only one need be opened to know them.
func byVersion(runs []*run) [][]*run {
	var out [][]*run
	for v := 1; v <= schema.Version; v++ {
		var group []*run
		for _, r := range runs {
			if r.SchemaVersion == v {
				group = append(group, r)
			}
		}
		if len(group) > 0 {
			out = append(out, group)
		}
	}
	return out
}

// columnsOf says which of a source's columns a run's files have. Only files of
// an older version are opened to know.
func (b *builder) columnsOf(ctx context.Context, n *Node, r *run, file string) (map[string]bool, error) {
	have := map[string]bool{}
	decoded := !n.raw()
	if decoded || r.SchemaVersion == schema.Version {
		for _, c := range n.Source {
			have[c.Name] = !decoded || c.Name != "run_id" && (n.Name != "_events" || decode.EventColumnsSQL[c.Name] == "")
		}
		return have, nil
	}
	cols, err := duck.Describe(ctx, b.conn, file, "SELECT * FROM "+duck.Parquet([]string{file}))
	if err != nil {
		return nil, err
	}
	for _, c := range cols {
		have[c.Name] = true
	}
	return have, nil
}

// where is a range as a condition.
func where(at decode.Range) string {
	var list []string
	if at.After != nil {
		list = append(list, fmt.Sprint("request_id > ", *at.After))
	}
	if at.Last != nil {
		list = append(list, fmt.Sprint("request_id <= ", *at.Last))
	}
	if len(list) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(list, " AND ")
}

// Package queries holds every definition that turns events into numbers, as
// SQL files that an analyst can read and run in any DuckDB shell:
//
//	base/     what was recorded and decoded, one view a table
//	core/     one row per request: results and the steps that lead to it
//	metrics/  everything that is said of cells, providers and models
//
// A file only defines: views, macros and their comments. Its name is the name
// of the view (or macro) that it is there for; names that begin with "_" are
// private. The lines at its top say what the loader must know:
//
//	-- latency: one row per cell × metric
//	-- needs: results, metrics
//	-- key: provider, model, metric
//	-- stored: no
//
// needs are the views, macros and tables of the program that the file refers
// to. key is the grain: those columns identify a row, and stored rows are
// ordered by them. stored says whether the builder keeps the view's rows as
// Parquet: "once" (the default in core and metrics), "run" (a file for each
// run, for what reads events) or "no" (the default in base, and for files that
// define macros only).
package queries

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

//go:embed base/*.sql core/*.sql metrics/*.sql
var files embed.FS

// Stored says what the builder keeps of a view.
type Stored string

// The ways of keeping.
const (
	Never   Stored = "no"
	Once    Stored = "once"
	PerRun  Stored = "run"
	private        = "_"
)

// File is one SQL file.
type File struct {
	Name   string // of the view or macro that it is there for
	Layer  string // base, core or metrics
	Path   string // "metrics/latency.sql"
	Grain  string // "one row per cell × metric"
	Needs  []string
	Key    []string
	Stored Stored
	SQL    string
}

// Public reports whether a name is meant for readers outside queries.
func Public(name string) bool { return !strings.HasPrefix(name, private) }

// Public reports whether the file's view is.
func (f File) Public() bool { return Public(f.Name) }

var macro = regexp.MustCompile(`(?m)^CREATE OR REPLACE MACRO (\w+)(\([^)]*\))`)

// Macros are the names of the macros that the file defines.
func (f File) Macros() (names []string) {
	for _, m := range macro.FindAllStringSubmatch(f.SQL, -1) {
		names = append(names, m[1])
	}
	return names
}

// Calls are the public ones, as they are called.
func (f File) Calls() (calls []string) {
	for _, m := range macro.FindAllStringSubmatch(f.SQL, -1) {
		if Public(m[1]) {
			calls = append(calls, m[1]+m[2])
		}
	}
	return calls
}

// Layers lists the layers from the bottom up.
var Layers = []string{"base", "core", "metrics"}

// Files reads all files, ordered by layer and name.
func Files() ([]File, error) {
	var out []File
	for _, layer := range Layers {
		entries, err := fs.ReadDir(files, layer)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			text, err := fs.ReadFile(files, path.Join(layer, e.Name()))
			if err != nil {
				return nil, err
			}
			f, err := Parse(path.Join(layer, e.Name()), string(text))
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}

var headerLine = regexp.MustCompile(`^-- ([a-z0-9_]+): *(.*)$`)

// Parse reads a file's header. name is its path within queries.
func Parse(name, text string) (File, error) {
	layer, base := path.Split(name)
	f := File{Name: strings.TrimSuffix(base, ".sql"), Layer: strings.Trim(layer, "/"), Path: name, SQL: text, Stored: Once}
	if f.Layer == "base" {
		f.Stored = Never
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if !strings.HasPrefix(line, "--") {
			break
		}
		m := headerLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		switch m[1] {
		case f.Name:
			f.Grain = m[2]
		case "needs":
			f.Needs = append(f.Needs, list(m[2])...)
		case "key":
			f.Key = append(f.Key, list(m[2])...)
		case "stored":
			f.Stored = Stored(m[2])
		}
	}
	switch {
	case f.Grain == "":
		return f, fmt.Errorf("queries/%s: the header lacks its first line: \"-- %s: one row per …\"", name, f.Name)
	case f.Stored != Never && f.Stored != Once && f.Stored != PerRun:
		return f, fmt.Errorf("queries/%s: stored: %q is none of no, once, run", name, f.Stored)
	case f.Stored != Never && len(f.Key) == 0:
		return f, fmt.Errorf("queries/%s: the header lacks \"-- key:\", the columns that identify a row", name)
	}
	return f, nil
}

func list(s string) []string {
	var out []string
	for v := range strings.SplitSeq(s, ",") {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

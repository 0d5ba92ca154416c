// Package queries holds every definition that turns events into numbers, as
// SQL files that an analyst can read and run in any DuckDB shell:
//
//	base/         what was recorded and decoded, one view a table
//	core/         one row per request: results and the steps that lead to it
//	speed/ load/ cost/ reliability/ fidelity/ compare/ fit/ audit/
//	              what is said of cells, providers and models, by question
//
// A file only defines: views, macros and their comments. Its name is the name
// of the view (or macro) that it is there for; names that begin with "_" are
// private. The lines at its top say what the loader must know:
//
//	-- latency: one row per cell × metric
//	-- tells: how long one waits: percentiles with intervals
//	-- example: SELECT provider, model, p50 FROM latency WHERE metric = 'ttft_net_ms'
//	-- needs: results, metrics
//	-- key: provider, model, metric
//	-- stored: no
//
// needs are the views, macros and tables of the program that the file refers
// to. key is the grain: those columns identify a row, and stored rows are
// ordered by them. stored says whether the builder keeps the view's rows as
// Parquet: "once" (the default outside base), "slices" (a file for some 64
// thousand requests each, for a wide row a request), "run" (that, of each run
// by itself, for what knows one request) or "no" (the default in base, and for
// files that define macros only).
package queries

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

//go:embed base/*.sql core/*.sql speed/*.sql load/*.sql cost/*.sql reliability/*.sql fidelity/*.sql compare/*.sql fit/*.sql audit/*.sql
var files embed.FS

// Stored says what the builder keeps of a view.
type Stored string

// The ways of keeping.
const (
	Never   Stored = "no"
	Once    Stored = "once"
	Sliced  Stored = "slices"  // some requests at a time
	Metrics Stored = "metrics" // some metrics at a time
	PerRun  Stored = "run"
	private        = "_"
)

// File is one SQL file.
type File struct {
	Name   string // of the view or macro that it is there for
	Folder string // "speed": the question that it answers, see [Folders]
	Path   string // "speed/latency.sql"
	Grain  string // "one row per cell × metric"
	Tells  string // the question that it answers, in a clause; public files have it
	Query  string // an example over it; public files have it
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

var comment = regexp.MustCompile(`(?m)^COMMENT ON [^;']*IS\s+'(?:[^']|'')*';[ \t]*\n?`)

// Definition is the file's SQL without its COMMENT statements, of which there
// are some nine hundred: what builds and queries run.
func (f File) Definition() string { return comment.ReplaceAllString(f.SQL, "") }

// Folder is a folder of files: a layer, or a question above the layers.
type Folder struct {
	Name  string
	Title string // what its public views tell
}

// Folders lists the folders in the order of reading. base knows only what was
// recorded, core knows base, and the questions know each other.
var Folders = []Folder{
	{"base", "what was recorded and decoded"},
	{"core", "one row per request, and the registry of metrics"},
	{"speed", "how fast answers start, stream and end"},
	{"load", "what concurrency, long inputs, silence and bursts change"},
	{"cost", "what a useful answer costs"},
	{"reliability", "which requests are answered"},
	{"fidelity", "whether answers are whole, right and as asked"},
	{"compare", "which provider is better, where that flips, and what changed"},
	{"fit", "who meets the limits of a workload"},
	{"audit", "what is wrong with a measurement"},
}

// Tier is 0 for base, 1 for core and 2 for the questions: a file needs none of
// a tier above its own.
func (f File) Tier() int { return min(f.Place(), 2) }

// Place is the number of the file's folder in [Folders].
func (f File) Place() int {
	return slices.IndexFunc(Folders, func(d Folder) bool { return d.Name == f.Folder })
}

// Files reads all files, ordered by folder and name.
func Files() ([]File, error) {
	var out []File
	for _, folder := range Folders {
		entries, err := fs.ReadDir(files, folder.Name)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			text, err := fs.ReadFile(files, path.Join(folder.Name, e.Name()))
			if err != nil {
				return nil, err
			}
			f, err := Parse(path.Join(folder.Name, e.Name()), string(text))
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
	folder, base := path.Split(name)
	f := File{Name: strings.TrimSuffix(base, ".sql"), Folder: strings.Trim(folder, "/"), Path: name, SQL: text, Stored: Once}
	if f.Folder == "base" {
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
		case "tells":
			f.Tells = m[2]
		case "example":
			f.Query = m[2]
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
	case f.Public() && (f.Tells == "" || f.Query == ""):
		return f, fmt.Errorf("queries/%s: the header lacks \"-- tells:\" and \"-- example:\", a clause and a query that say what the view is for", name)
	case f.Stored != Never && f.Stored != Once && f.Stored != Sliced && f.Stored != Metrics && f.Stored != PerRun:
		return f, fmt.Errorf("queries/%s: stored: %q is none of no, once, slices, metrics, run", name, f.Stored)
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

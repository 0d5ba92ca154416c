// Package imports brings other tools' recordings and results into a dataset.
//
// Formats with one record a request are mapping files, data and not code, over
// the engine of package mapping: those in presets/, and anyone's own through
// the format "table". Formats that hold whole responses are code: each reads
// its files as exchanges (exchange.go), which are cut into frames here as the
// recorder would have cut them.
//
// One import is one run for each format, which is named or told by each file's
// content (recognise.go); it is sealed when everything was read and dropped when
// something failed. Rows say where they come from (origin imported:<format>);
// what a source does not state is NULL. A file that is not what it should be is
// named with the reason, and the others are imported. The same file is never
// imported twice into a dataset, nor is a request that its format can tell
// apart from others.
package imports

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"aircheck/internal/kit/nearest"
	"aircheck/internal/record/imports/mapping"
)

//go:embed presets/*.yaml
var presets embed.FS

// Table is the format of one's own logs, read by a mapping file.
const Table = "table"

// Format is one that can be imported.
type Format struct {
	Name   string
	Detail string // chunks or requests
	About  string // one line
}

// Formats lists what can be imported, by name.
func Formats() []Format {
	out := []Format{{Table, "requests", "your own log: JSON, JSONL, CSV or Parquet, read by --map MAP.yaml"}}
	for name, c := range chunkFormats {
		out = append(out, Format{name, "chunks", c.about})
	}
	for _, name := range presetNames() {
		m, err := Preset(name)
		if err != nil {
			panic(err)
		}
		about := strings.Join(strings.Fields(m.About), " ")
		for _, end := range []string{": ", ". "} {
			about, _, _ = strings.Cut(about, end)
		}
		out = append(out, Format{name, "requests", about})
	}
	slices.SortFunc(out, func(a, b Format) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func presetNames() []string {
	files, _ := fs.Glob(presets, "presets/*.yaml")
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".yaml")
	}
	return files
}

// Preset is the mapping of a format that is one.
func Preset(name string) (*mapping.Mapping, error) {
	m, ok := parsedPresets()[name]
	if !ok {
		return nil, fmt.Errorf("no preset %q", name)
	}
	own := *m
	return &own, nil
}

// parsedPresets are read once; they are part of the program, and valid.
var parsedPresets = sync.OnceValue(func() map[string]*mapping.Mapping {
	out := map[string]*mapping.Mapping{}
	for _, name := range presetNames() {
		data, err := presets.ReadFile("presets/" + name + ".yaml")
		if err != nil {
			panic(err)
		}
		if out[name], err = mapping.Parse(data, name+".yaml"); err != nil {
			panic(err)
		}
	}
	return out
})

// ErrFormat says that a format is not known, and which one may have been meant.
type ErrFormat struct{ Name, Nearest string }

func (e *ErrFormat) Error() string { return fmt.Sprintf("unknown format %q", e.Name) }

// UnknownFormat is the error for a format that is not known.
func UnknownFormat(name string) error {
	var known []string
	for _, f := range Formats() {
		known = append(known, f.Name)
	}
	return &ErrFormat{name, nearest.Likely(name, known)}
}

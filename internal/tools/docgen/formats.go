package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aircheck/internal/record/imports"
)

// formatsPage documents what can be imported, and what each source lacks.
func formatsPage(_ context.Context, _ *source, w *strings.Builder) error {
	w.WriteString(`# Formats

What ` + "`record import`" + ` reads, told by content or named; see [importing](importing.md). All formats also come as
` + "`.gz`, `.zst`, `.xz`" + `, in ` + "`.zip` and `.tar`" + ` archives and in folders.

## With whole responses

Every frame is kept, so that every view has its rows, but for what hangs on times where a source has none.

`)
	head(w, "format", "files")
	for _, f := range imports.Formats() {
		if f.Detail == "chunks" {
			row(w, code(f.Name), f.About)
		}
	}
	w.WriteString("\n## With one record a request\n")
	for _, f := range imports.Formats() {
		if f.Detail != "requests" || f.Name == imports.Table {
			continue
		}
		if err := presetSection(w, f.Name); err != nil {
			return err
		}
	}
	return nil
}

func presetSection(w *strings.Builder, name string) error {
	m, err := imports.Preset(name)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n### %s\n\n", name)
	for i, paragraph := range strings.Split(strings.TrimSpace(m.About), "\n") {
		if i > 0 {
			w.WriteString("\n")
		}
		w.WriteString(paragraph + "\n")
	}
	if m.Unproven {
		w.WriteString("\n*Unproven*: made from the documentation of the source; it has not met a file that the source wrote.\n")
	}
	fmt.Fprintf(w, "\nFills %s. Defined in [%s.yaml](../internal/record/imports/presets/%s.yaml).\n", filled(slices.Sorted(maps.Keys(m.Fields))), name, name)
	lacks, err := imports.Lacks(name)
	if err != nil || len(lacks) == 0 {
		return err
	}
	w.WriteString("\n")
	head(w, "it does not state", "so these are empty")
	for _, l := range lacks {
		row(w, l.What, l.Empties)
	}
	return nil
}

func filled(columns []string) string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = code(c)
	}
	return strings.Join(out, ", ")
}

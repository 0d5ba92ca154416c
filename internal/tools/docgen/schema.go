package main

import (
	"context"
	"fmt"
	"strings"

	"aircheck/internal/kit/columnar"
	"aircheck/schema"
)

// schemaPage documents the tables of a dataset from the tags of their structs.
func schemaPage(_ context.Context, _ *source, w *strings.Builder) error {
	fmt.Fprintf(w, `# The dataset

A directory of plain Parquet files that every engine reads unaided. Layout version %d.

    requests/run=<run_id>/*.parquet    one row per request attempted
    chunks/run=<run_id>/*.parquet      one row per frame received, ordered by (request_id, seq)
    runs/<run_id>.json                 written last: it seals the run
    journal/<run_id>/                  only while recording, or after a crash
    derived/                           decoded events and built views: a cache, safe to delete

NULL says that a thing is not known or was not there; no other value stands for it. Offsets are
nanoseconds on the recorder's monotonic clock, from the request's start.

## requests

`, schema.Version)
	columns(w, schema.Requests.Columns())
	w.WriteString("\n## chunks\n\nConcatenating `raw` in the order of `seq` gives the response body back, byte for byte.\n\n")
	columns(w, schema.Chunks.Columns())
	return nil
}

func columns(w *strings.Builder, list []columnar.Column) {
	head(w, "column", "type", "NULL", "unit", "meaning")
	for _, c := range list {
		null := ""
		if c.Nullable {
			null = "yes"
		}
		row(w, code(c.Name), c.Type, null, c.Unit, c.Doc)
	}
}

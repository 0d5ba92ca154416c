// Package schema is the dataset: its two tables, the run record that seals
// them, the writer, the reader, and the check that what was written is whole.
//
//	traces/requests/run=<run_id>/*.parquet   one row per request attempted
//	traces/chunks/run=<run_id>/*.parquet     one row per frame received
//	traces/runs/<run_id>.json                written last: seals the run
//	traces/journal/<run_id>/                 only while recording
package schema

import "aircheck/internal/kit/columnar"

// Requests and Chunks are the Parquet forms of the two tables.
var (
	Requests = columnar.NewTable[Request]()
	Chunks   = columnar.NewTable[Chunk]()
)

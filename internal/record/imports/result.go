package imports

import (
	"fmt"

	"aircheck/internal/record/imports/ledger"
	"aircheck/internal/record/imports/mapping"
)

// Result is what became of an import.
type Result struct {
	Dataset string
	Runs    []*Run // one for each format of the files
	Files   []*ledger.File
	Known   []Known        // files that were imported before
	Other   []string       // files of folders that are no recordings
	Missed  []mapping.Miss // places of the user's mapping at which no record has a value
}

// Run is what came of one format.
type Run struct {
	Format      string
	RunID       string // "" when there was nothing to add
	Rows        int
	Chunks      int64
	Files, Seen int // files with rows, of all
	Hours       hours
}

// Known is a file that the dataset has already.
type Known struct{ File, RunID string }

// Rows counts the requests of all formats.
func (r *Result) Rows() int {
	n := 0
	for _, run := range r.Runs {
		n += run.Rows
	}
	return n
}

// Faults are all faults of all files.
func (r *Result) Faults() []ledger.Fault {
	var out []ledger.Fault
	for _, f := range r.Files {
		out = append(out, f.Faults...)
		if f.Other > 0 {
			out = append(out, ledger.Fault{File: f.Name, Reason: fmt.Sprintf("%d more records with other faults", f.Other)})
		}
	}
	return out
}

// Skipped counts records that the format leaves out, by reason.
func (r *Result) Skipped() []ledger.Counted {
	return ledger.Sum(r.Files, func(f *ledger.File) map[string]int { return f.Skipped })
}

// Nulled counts values that were read as NULL, by column and what they were.
func (r *Result) Nulled() []ledger.Counted {
	return ledger.Sum(r.Files, func(f *ledger.File) map[string]int { return f.Nulled })
}

// Doubted counts values that could be read in another way, by column and how
// they were read.
func (r *Result) Doubted() []ledger.Counted {
	return ledger.Sum(r.Files, func(f *ledger.File) map[string]int { return f.Doubted })
}

// Repeats counts requests that the dataset has already.
func (r *Result) Repeats() int {
	n := 0
	for _, f := range r.Files {
		n += f.Repeats
	}
	return n
}

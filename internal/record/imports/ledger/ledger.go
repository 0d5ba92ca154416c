// Package ledger keeps account of what became of each record of a file: taken,
// left out for a reason, or at fault. Nothing that a file holds goes missing
// without a line here.
package ledger

import (
	"fmt"
	"maps"
	"slices"
)

// Place is where in a file something stands; zero where that is not known.
type Place struct {
	Line   int // from 1
	Record int // from 1, for files that have no lines
}

// Fault is one thing that is wrong, with the first place that shows it.
type Fault struct {
	File string
	Place
	Reason string
	Count  int // records that it concerns
}

// String is "file:line: reason (and 149 more)".
func (f Fault) String() string {
	s := f.File
	switch {
	case f.Line > 0:
		s += fmt.Sprintf(":%d", f.Line)
	case f.Record > 0:
		s += fmt.Sprintf(": record %d", f.Record)
	}
	s += ": " + f.Reason
	if f.Count > 1 {
		s += fmt.Sprintf(" (and %d more)", f.Count-1)
	}
	return s
}

// maxFaults bounds the kinds of fault that one file is blamed for in words.
const maxFaults = 20

// File is the account of one file.
type File struct {
	Name    string
	Format  string         // "" where it is not known
	Rows    int            // records taken
	Repeats int            // records that the dataset or the same import has already
	Skipped map[string]int // records left out as the format says, by reason
	Nulled  map[string]int // values that say nothing and were read as NULL, by what they were
	Doubted map[string]int // values that could be read in another way, by how they were read
	Faults  []Fault
	Other   int // faults of more kinds than were kept
	Refused bool

	// Found are the places of a mapping at which a record had a value, and
	// Members the places that its first record has.
	Found   map[string]bool
	Members []string
}

// Fault counts a fault; equal reasons are one.
func (f *File) Fault(at Place, format string, args ...any) {
	reason := fmt.Sprintf(format, args...)
	for i := range f.Faults {
		if f.Faults[i].Reason == reason {
			f.Faults[i].Count++
			return
		}
	}
	if len(f.Faults) == maxFaults {
		f.Other++
		return
	}
	f.Faults = append(f.Faults, Fault{f.Name, at, reason, 1})
}

// Refuse says that the file is not what it should be, and nothing of it is taken.
func (f *File) Refuse(at Place, format string, args ...any) {
	f.Refused = true
	f.Fault(at, format, args...)
}

// Skip counts a record that is left out.
func (f *File) Skip(reason string) { count(&f.Skipped, reason, 1) }

// Null counts a value that was read as NULL.
func (f *File) Null(what string) { count(&f.Nulled, what, 1) }

// Doubt counts a value that could be read in another way.
func (f *File) Doubt(what string) { count(&f.Doubted, what, 1) }

func count(m *map[string]int, key string, n int) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key] += n
}

// Sum adds counted reasons of several files, in order of the reason.
func Sum(files []*File, pick func(*File) map[string]int) []Counted {
	total := map[string]int{}
	for _, f := range files {
		for k, n := range pick(f) {
			total[k] += n
		}
	}
	var out []Counted
	for _, k := range slices.Sorted(maps.Keys(total)) {
		out = append(out, Counted{k, total[k]})
	}
	return out
}

// Counted is a reason and how often it came.
type Counted struct {
	Reason string
	N      int
}

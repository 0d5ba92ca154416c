// Package settings holds what a build is told: the dataset, option files and
// limits.
package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/store"
	"aircheck/internal/rules/names"
	"aircheck/queries"
	"aircheck/schema"
)

// Options of a build. Dir is all that must be set.
type Options struct {
	Dir   string // the dataset
	Cache string // where derived files go; Dir/derived where empty

	// ReadClock times frames by the return of their read, also where the kernel's
	// stamp is there: such a run can be compared with one that has no other. Its
	// derived files stand apart.
	ReadClock bool

	Aliases    string // file of canonical names; CommonAliases: those that come with the program
	Exclusions string // file of rows taken out of measured
	Checks     string // file of rules that re-judge answers
	Scores     string // file of scores by request
	Prices     string // price table in place of the embedded one
	Workloads  string // file of workloads with the metrics that decide; the embedded one where empty
	Period     string // what drift and flips over time compare: one of Periods; the first where empty

	Definitions []queries.File // SQL files in place of those of package queries; nil: those

	Memory  string // limit of the process's peak resident memory, such as "1GB"
	Workers int    // goroutines that decode and threads of DuckDB; 0: one a processor

	// Progress is told of each stage that takes time, and of no stage ("") when
	// they are over; may be nil.
	Progress func(stage string, done, total int)

	Strict  bool               // a run that cannot be read is an error, rather than left out
	LeftOut func(schema.Fault) // is told of each run that is left out; may be nil

	Defaults bool              // takes nothing from what the dataset keeps
	kept     map[string]string // names of option files that the dataset keeps, as they were given
}

// Periods are the units in which time is cut for comparisons.
var Periods = []string{"half", "day", "week", "month", "quarter"}

// CacheDir is where derived files go.
func (o *Options) CacheDir() string {
	if o.ReadClock {
		return filepath.Join(o.DerivedDir(), "read-clock")
	}
	return o.DerivedDir()
}

// DerivedDir holds the caches of all clocks.
func (o *Options) DerivedDir() string {
	switch {
	case o.Cache != "":
		return o.Cache
	case store.Remote(o.Dir):
		return filepath.Join(store.CacheFor(o.Dir), "derived")
	}
	return filepath.Join(o.Dir, "derived")
}

// Threads is how many goroutines and engine threads work.
func (o *Options) Threads() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Report tells Progress, if there is one, of a stage.
func (o *Options) Report(stage string, done, total int) {
	if o.Progress != nil {
		o.Progress(stage, done, total)
	}
}

// PeriodUnit is the period that is set, else the first of [Periods].
func (o *Options) PeriodUnit() (string, error) {
	switch {
	case o.Period == "":
		return Periods[0], nil
	case slices.Contains(Periods, o.Period):
		return o.Period, nil
	}
	err := fmt.Errorf("period %q: want one of %s", o.Period, strings.Join(Periods, ", "))
	if near := nearest.Likely(o.Period, Periods); near != "" {
		err = fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return "", &Error{err}
}

// Error is a fault of an option's file, which says where.
type Error struct{ error }

func (e *Error) Unwrap() error { return e.error }

// Wrap makes an error that of an option; nil stays nil.
func Wrap(err error) error {
	if err == nil {
		return nil
	}
	return &Error{err}
}

// CommonAliases stands for an alias file by which the names that come with the
// program hold.
const CommonAliases = "common"

// File reads an option's file; none gives nothing.
func File(path string) ([]byte, error) {
	switch path {
	case "":
		return nil, nil
	case CommonAliases:
		return []byte(names.Common), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &Error{err}
	}
	return data, nil
}

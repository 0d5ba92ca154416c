package build

import (
	"os"
	"path/filepath"
	"runtime"
)

// Options of a build. Dir is all that must be set.
type Options struct {
	Dir   string // the dataset
	Cache string // where derived files go; Dir/derived where empty

	Aliases    string // file of canonical names
	Exclusions string // file of rows taken out of measured
	Checks     string // file of rules that re-judge answers
	Scores     string // file of scores by request
	Prices     string // price table in place of the embedded one
	Workloads  string // file of workloads with the metrics that decide; the embedded one where empty
	Period     string // what drift and flips over time compare: one of Periods; the first where empty

	Memory  string // DuckDB's soft memory limit, such as "1GB"
	Workers int    // goroutines that decode and threads of DuckDB; 0: one a processor
	Rebuild bool   // takes nothing from the cache

	// Progress is told of each stage that takes time; may be nil.
	Progress func(stage string, done, total int)
}

// Periods are the units in which time is cut for comparisons.
var Periods = []string{"half", "day", "week", "month", "quarter"}

func (o *Options) cache() string {
	if o.Cache != "" {
		return o.Cache
	}
	return filepath.Join(o.Dir, "derived")
}

func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (o *Options) progress(stage string, done, total int) {
	if o.Progress != nil {
		o.Progress(stage, done, total)
	}
}

// OptionError is a fault of an option's file, which says where.
type OptionError struct{ error }

func (e *OptionError) Unwrap() error { return e.error }

func optionError(err error) error {
	if err == nil {
		return nil
	}
	return &OptionError{err}
}

// optionFile reads an option's file; none gives nothing.
func optionFile(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &OptionError{err}
	}
	return data, nil
}

package build

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"

	"aircheck/internal/kit/duck"
	"aircheck/schema"
)

// CacheError says that a derived file is not what a build wrote: --rebuild makes
// it again.
type CacheError struct{ error }

func (e *CacheError) Unwrap() error { return e.error }

// aboutFile reports whether the engine refused what a file holds: the statement
// was the builder's own, and the system let it be read.
func aboutFile(err error) bool {
	var engine *duck.Error
	return errors.As(err, &engine) && (engine.Asked() || engine.File() != "") && !errors.Is(err, syscall.EACCES)
}

// blame gives an error of a stranger's query that a file of the dataset is at
// fault for its type. An attached file is the stranger's own.
func blame(err error) error {
	var engine *duck.Error
	switch {
	case !errors.As(err, &engine) || engine.File() == "" || errors.Is(err, syscall.EACCES):
		return err
	case isDerived(engine.File()):
		return &CacheError{err}
	case ofRun(engine.File()):
		return &schema.DamagedError{Err: err}
	}
	return err
}

// isDerived reports whether a path is that of a file that builds make.
func isDerived(path string) bool {
	for range 3 { // <kind>/<file>, <kind>/<run>/<piece>/<file>
		path = filepath.Dir(path)
		if ours.MatchString(filepath.Base(path)) {
			return true
		}
	}
	return false
}

// ofRun reports whether a path is that of a file that runs are sealed in.
func ofRun(path string) bool { return strings.HasPrefix(filepath.Base(filepath.Dir(path)), "run=") }

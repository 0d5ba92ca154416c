package schema

import (
	"errors"
	"fmt"
	"io/fs"

	"aircheck/internal/kit/store"
)

// DamagedError says that a file of a sealed run is missing, or is not what the
// recorder wrote: the data are at fault, not the machine.
type DamagedError struct{ Err error }

func (e *DamagedError) Error() string { return e.Err.Error() }
func (e *DamagedError) Unwrap() error { return e.Err }

func damagedf(format string, args ...any) error {
	return &DamagedError{fmt.Errorf(format, args...)}
}

// damaged marks an error of reading path, unless it is one of the system's.
func damaged(path string, err error) error {
	var system *fs.PathError
	var remote *store.RemoteError
	var already *DamagedError
	switch {
	case errors.As(err, &already):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return damagedf("%s: missing", path)
	case errors.As(err, &system), errors.As(err, &remote):
		return err
	}
	return &DamagedError{err}
}

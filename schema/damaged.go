package schema

import (
	"errors"
	"fmt"
	"io/fs"
)

// DamagedError says that a file of a sealed run is missing, or is not what the
// recorder wrote: the data are at fault, not the machine.
type DamagedError struct{ Err error }

func (e *DamagedError) Error() string { return e.Err.Error() }
func (e *DamagedError) Unwrap() error { return e.Err }

// damaged marks an error of reading path, unless it is one of the system's.
func damaged(path string, err error) error {
	var system *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &DamagedError{fmt.Errorf("%s: missing", path)}
	case errors.As(err, &system):
		return err
	}
	return &DamagedError{err}
}

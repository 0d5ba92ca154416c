package columnar

import (
	"errors"
	"fmt"

	"aircheck/internal/kit/limits"
)

// What is read at once is bounded, whatever a file claims. The writer cuts row
// groups at 64 k rows or 16 MB and lets a request end, so that only a response of
// more than a gigabyte is beyond.
const (
	maxGroupRows  = limits.GroupRows
	maxGroupBytes = limits.GroupBytes
)

var errTooLarge = errors.New("more than a gigabyte in one row group")

// hostile turns a panic over what a file holds into an error: the library below
// trusts lengths and levels of a file more than it should.
func hostile(err *error) {
	switch fault := recover().(type) {
	case nil:
	case error:
		*err = fmt.Errorf("not readable: %w", fault)
	default:
		*err = fmt.Errorf("not readable: %v", fault)
	}
}

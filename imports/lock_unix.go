//go:build unix

package imports

import (
	"os"
	"syscall"
)

// alone waits until no other process imports into the dataset: what is there
// already must be known before rows are taken, and may not grow meanwhile. The
// lock is on the directory, so that nothing is left behind.
func alone(dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, &os.PathError{Op: "lock", Path: dir, Err: err}
	}
	return func() { f.Close() }, nil
}

//go:build unix

package imports

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// alone waits until no other process imports into the dataset: what is there
// already must be known before rows are taken, and may not grow meanwhile. The
// lock is on the directory, so that nothing is left behind. Where the file system
// has no such lock, two imports at once may take a file twice.
func alone(ctx context.Context, dir string) (release func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	// Asked again and again, since a wait in the system cannot be interrupted.
	for errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return func() { f.Close() }, nil
}

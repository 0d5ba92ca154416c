package imports

import (
	"context"
	"time"

	"aircheck/internal/kit/lock"
)

// alone waits until no other process imports into the dataset: what is there
// already must be known before rows are taken, and may not grow meanwhile. Where
// there are no locks, two imports at once may take a file twice.
func alone(ctx context.Context, dir string) (release func(), err error) {
	for {
		release, taken, err := lock.Try(dir)
		if taken || err != nil {
			return release, err
		}
		// Asked again and again, since a wait in the system cannot be interrupted.
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

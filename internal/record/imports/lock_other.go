//go:build !unix

package imports

import "context"

// alone does nothing here: two imports at once may take a file twice.
func alone(context.Context, string) (release func(), err error) { return func() {}, nil }

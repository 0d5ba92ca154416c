//go:build !unix

package imports

// alone does nothing here: two imports at once may take a file twice.
func alone(string) (release func(), err error) { return func() {}, nil }

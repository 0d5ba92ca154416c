//go:build !unix

// Package lock keeps two processes from doing the same thing at once.
package lock

// Try takes the lock: without locks everyone gets it.
func Try(path string) (release func(), taken bool, err error) { return func() {}, true, nil }

//go:build unix

// Package lock keeps two processes from doing the same thing at once.
package lock

import (
	"errors"
	"os"
	"syscall"
)

// Try takes the lock on a file or directory that exists, if no other process
// has it. The lock ends with the process, and leaves nothing behind. Where the
// file system has no locks, everyone gets it.
func Try(path string) (release func(), taken bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, false, err
	}
	if errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK) {
		f.Close()
		return nil, false, nil
	}
	return func() { f.Close() }, true, nil
}

//go:build unix

package runner

import "syscall"

// openFiles is how many files and sockets the process may have; 0: nobody knows.
// The runtime has raised the soft limit to the hard one.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}

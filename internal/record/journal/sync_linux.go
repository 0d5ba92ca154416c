package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// datasync makes a file's bytes durable.
func datasync(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

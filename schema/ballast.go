package schema

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// FullError says that the disk has no room for more. What was written before can
// still be sealed.
type FullError struct{ Err error }

func (e *FullError) Error() string {
	var reason syscall.Errno
	if errors.As(e.Err, &reason) {
		return reason.Error() // without the path, which is this machine's own
	}
	return e.Err.Error()
}
func (e *FullError) Unwrap() error { return e.Err }

func isFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// ballast is a file that takes up as much room as what is still in memory will
// need on the disk, and that is thrown off when the disk is full. It only grows:
// a run writes it once. A nil ballast weighs nothing.
type ballast struct {
	path  string
	file  *os.File // nil: thrown off, or not there yet
	size  int64
	block []byte
}

// newBallast fills its file with noise, which no file system can make smaller.
func newBallast(path string) *ballast {
	b := &ballast{path: path, block: make([]byte, 64<<10)}
	rand.Read(b.block)
	return b
}

// grow makes it so large. If it cannot, it is thrown off.
func (b *ballast) grow(to int64) (err error) {
	if b == nil || b.size >= to {
		return nil
	}
	defer func() {
		if err != nil {
			b.release()
		}
	}()
	if b.file == nil {
		if err := os.MkdirAll(filepath.Dir(b.path), 0o755); err != nil {
			return err
		}
		if b.file, err = os.Create(b.path); err != nil {
			return err
		}
	}
	for b.size < to {
		n, err := b.file.Write(b.block[:min(to-b.size, int64(len(b.block)))])
		b.size += int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

// release throws it off, and says whether there was any.
func (b *ballast) release() bool {
	if b == nil || b.file == nil {
		return false
	}
	b.file.Close()
	os.Remove(b.path)
	b.file, b.size = nil, 0
	return true
}

// laden writes a file into the room of the ballast when there is no other.
type laden struct {
	file    io.Writer
	ballast *ballast
}

func (l laden) Write(p []byte) (int, error) {
	n, err := l.file.Write(p)
	if isFull(err) && l.ballast.release() {
		var more int
		more, err = l.file.Write(p[n:])
		n += more
	}
	return n, err
}

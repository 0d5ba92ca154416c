// Package derived writes the files of the cache: each is made beside its place
// and renamed, so that a reader never meets half of one.
package derived

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Exists reports whether there is something at path.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TempDir makes an empty directory beside path, to be filled and renamed to it.
func TempDir(path string) (string, error) {
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(parent, filepath.Base(path)+".*.tmp")
	if err == nil {
		err = os.Chmod(tmp, 0o755) // others may read the cache
	}
	return tmp, err
}

// TempFile makes an empty file beside path, to be written and renamed to it.
func TempFile(path string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return "", err
	}
	return f.Name(), errors.Join(f.Chmod(0o644), f.Close())
}

// Replace renames a directory to path. One that is there already, from an
// earlier build or one that runs at the same time, makes way.
func Replace(from, path string) error {
	err := os.Rename(from, path)
	for range 10 { // others may be doing the same
		if err == nil || !Exists(path) {
			return err
		}
		var old string
		if old, err = os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp"); err != nil {
			return err
		}
		os.Rename(path, filepath.Join(old, "old"))
		err = os.Rename(from, path)
		os.RemoveAll(old)
	}
	return err
}

// maxSmall is more than any small file of the cache or of settings has.
const maxSmall = 256 << 20

// ReadSmall reads a file that is held in memory; a link, a pipe or a device is
// none.
func ReadSmall(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("no regular file")}
	case info.Size() > maxSmall:
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("%d bytes, more than the %d that are read", info.Size(), maxSmall)}
	}
	return os.ReadFile(path)
}

// Whole reports whether a derived file is there, is no link, and has its end: one that was
// cut off or emptied is made again, like one that is missing. A directory is
// whole when all the files that are named of it are.
func Whole(path string, files ...string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return info.Mode().IsRegular() && hasEnd(path, info.Size())
	}
	for _, name := range files {
		if !Whole(filepath.Join(path, name)) {
			return false
		}
	}
	return true
}

const parquetMagic = "PAR1"

func hasEnd(path string, size int64) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	end := make([]byte, len(parquetMagic))
	_, err = f.ReadAt(end, size-int64(len(end)))
	return err == nil && string(end) == parquetMagic
}

package analysis

import (
	"errors"
	"os"
	"path/filepath"
)

// aside makes an empty directory beside path, to be filled and renamed to it.
func aside(path string) (string, error) {
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

// asideFile makes an empty file beside path, to be written and renamed to it.
func asideFile(path string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return "", err
	}
	return f.Name(), errors.Join(f.Chmod(0o644), f.Close())
}

// settle renames a directory to path. One that is there already, from an
// earlier build or one that runs at the same time, makes way.
func settle(from, path string) error {
	err := os.Rename(from, path)
	for range 10 { // others may be doing the same
		if err == nil || !exists(path) {
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

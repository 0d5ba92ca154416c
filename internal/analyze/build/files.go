package build

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"aircheck/internal/kit/duck"
	"aircheck/schema"
)

// CacheError says that a derived file is not what a build wrote: --rebuild makes
// it again.
type CacheError struct{ error }

func (e *CacheError) Unwrap() error { return e.error }

// aboutFile reports whether the engine refused what a file holds: the statement
// was the builder's own, and the system let it be read.
func aboutFile(err error) bool {
	var engine *duck.Error
	return errors.As(err, &engine) && (engine.Asked() || engine.File() != "") && !errors.Is(err, syscall.EACCES)
}

// blame gives an error of a stranger's query that a file of the dataset is at
// fault for its type. An attached file is the stranger's own.
func blame(err error) error {
	var engine *duck.Error
	switch {
	case !errors.As(err, &engine) || engine.File() == "" || errors.Is(err, syscall.EACCES):
		return err
	case derived(engine.File()):
		return &CacheError{err}
	case ofRun(engine.File()):
		return &schema.DamagedError{Err: err}
	}
	return err
}

// derived reports whether a path is that of a file that builds make.
func derived(path string) bool {
	dir := filepath.Dir(path)
	return ours.MatchString(filepath.Base(dir)) || ours.MatchString(filepath.Base(filepath.Dir(dir)))
}

// ofRun reports whether a path is that of a file that runs are sealed in.
func ofRun(path string) bool { return strings.HasPrefix(filepath.Base(filepath.Dir(path)), "run=") }

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

// sound reports whether a derived file is there and has its end: one that was
// cut off or emptied is made again, like one that is missing. A directory of
// decoded tables is sound when all of them are.
func sound(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return hasEnd(path, info.Size())
	}
	for _, table := range decodedTables {
		if !sound(filepath.Join(path, table+".parquet")) {
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

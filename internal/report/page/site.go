package page

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrForeign says that a directory holds something else than a report, which
// WriteSite will not replace.
type ErrForeign struct{ Dir string }

func (e *ErrForeign) Error() string { return e.Dir + ": not empty, and no report" }

// ErrKind says that what lies at a path is of the other kind: a file for a
// directory, or a directory for a file.
type ErrKind struct{ Path, Is string }

func (e *ErrKind) Error() string { return e.Path + ": " + e.Is }

// CheckSingle says whether WriteSingle may write to name.
func CheckSingle(name string) error {
	at, err := os.Stat(name)
	switch {
	case err != nil:
	case at.IsDir():
		return &ErrKind{name, "a directory; a single report is a file"}
	case !at.Mode().IsRegular():
		return &ErrKind{name, "a device or pipe; a single report is a file"}
	}
	return nil
}

// generator marks a page of ours.
const generator = `<meta name="generator" content="aircheck report">`

// CheckSite says whether WriteSite may write to dir: it does not exist, is
// empty, or holds an earlier report.
func CheckSite(dir string) error {
	if at, err := os.Stat(dir); err == nil && !at.IsDir() {
		return &ErrKind{dir, "a file; a site is a directory"}
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return nil
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !bytes.Contains(index[:min(len(index), 4096)], []byte(generator)) {
		return &ErrForeign{dir}
	}
	return nil
}

// WriteSite writes the files to dir. They are written beside it and put in
// place as a whole, so a reader sees the old report or the new one, and a
// failure leaves the old one untouched.
func WriteSite(dir string, files []File) (err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := CheckSite(dir); err != nil {
		return err
	}
	parent, base := filepath.Split(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	staged, err := os.MkdirTemp(parent, "."+base+".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(staged)
	if err := os.Chmod(staged, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(staged, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return err
		}
	}
	return replace(dir, staged)
}

// replace puts the directory staged in dir's place.
func replace(dir, staged string) error {
	old := staged + ".old"
	err := os.Rename(dir, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(staged, dir); err != nil {
		if back := os.Rename(old, dir); back != nil && !errors.Is(back, fs.ErrNotExist) {
			return fmt.Errorf("%w; the old report is now in %s", err, old)
		}
		return err
	}
	return os.RemoveAll(old)
}

// WriteSingle writes a one-file report, aside and then in place.
func WriteSingle(name string, data []byte) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // a link stays one
	}
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	staged, err := os.CreateTemp(dir, "."+filepath.Base(name)+".new-")
	if err != nil {
		return err
	}
	defer os.Remove(staged.Name())
	_, err = staged.Write(data)
	err = errors.Join(err, staged.Chmod(0o644), staged.Close())
	if err != nil {
		return err
	}
	return os.Rename(staged.Name(), name)
}

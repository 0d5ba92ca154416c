// Package input is what stands behind the operands of an import: files, folders
// of files, archives of files and standard input, compressed or not. Readers see
// plain paths that can be opened as often as they like.
package input

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"aircheck/internal/kit/limits"
)

// File is one file to import.
type File struct {
	Name string // base name; of a folder's file the path in it, of an archive's the archive's name and the path in it
	Path string // where it can be read
	// Found says that the user did not name the file but a folder or an archive
	// that holds it.
	Found bool
}

// Stdin is the operand that stands for standard input.
const Stdin = "-"

// Walk calls f with every file behind the operands, in the order of the
// operands and of names. What cannot be read as an archive goes to fault with
// the reason; the error is one of f or of the system. Copies of what stands in
// archives and on standard input lie in a temporary folder, one at a time. The
// folder except is not entered: it is where what is read goes.
func Walk(ctx context.Context, operands []string, stdin io.Reader, except string, f func(*File) error, fault func(name, reason string)) error {
	tmp, err := os.MkdirTemp("", "aircheck-import-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	w := &walk{ctx: ctx, tmp: tmp, f: f, fault: fault}
	w.except, _ = os.Stat(except)
	for _, operand := range operands {
		if operand == Stdin {
			err = w.stdin(stdin)
		} else {
			err = w.operand(operand)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type walk struct {
	ctx    context.Context
	tmp    string
	except fs.FileInfo
	f      func(*File) error
	fault  func(name, reason string)
}

func (w *walk) stdin(in io.Reader) error {
	if in == nil {
		return errors.New("no standard input")
	}
	path, err := w.spool(in)
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	defer os.Remove(path)
	return w.file(&File{Name: "stdin", Path: path})
}

func (w *walk) operand(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return w.file(&File{Name: filepath.Base(path), Path: path})
	}
	n := 0
	return filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if strings.HasPrefix(e.Name(), ".") && p != path {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() && w.except != nil {
			if info, err := e.Info(); err == nil && os.SameFile(info, w.except) {
				return fs.SkipDir
			}
		}
		if !e.Type().IsRegular() {
			return nil // folders, and links, which could lead anywhere
		}
		if n++; n > limits.ImportMembers {
			return fmt.Errorf("%s: more than %d files in one folder: name fewer at a time", path, limits.ImportMembers)
		}
		name, err := filepath.Rel(path, p)
		if err != nil {
			name = filepath.Base(p)
		}
		return w.file(&File{Name: filepath.ToSlash(name), Path: p, Found: true})
	})
}

// file passes a file on, or what it holds if it is an archive.
func (w *walk) file(f *File) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	handled, err := w.archive(f)
	if handled || err != nil {
		return err
	}
	return w.f(f)
}

// spool copies a stream to the temporary folder.
func (w *walk) spool(in io.Reader) (string, error) {
	out, err := os.CreateTemp(w.tmp, "")
	if err != nil {
		return "", err
	}
	n, err := io.Copy(out, io.LimitReader(in, limits.ImportInflated+1))
	if err == nil && n > limits.ImportInflated {
		err = &ErrLimit{fmt.Sprintf("more than %d GiB", limits.ImportInflated>>30)}
	}
	if e := out.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(out.Name())
		return "", err
	}
	return out.Name(), nil
}

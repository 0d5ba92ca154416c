package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Folder is a dataset in a directory.
type Folder struct {
	dir  string
	root *os.Root
	seen sync.Map // directories that were seen to be such
}

// OpenFolder opens a directory, which may be a symbolic link: its name comes from
// the user. Nothing below it is followed.
func OpenFolder(dir string) (*Folder, error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, err
	} else if !info.IsDir() { // opening a named pipe would wait for its writer
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{dir: dir, root: root}, nil
}

// Close gives the directory up.
func (s *Folder) Close() error { return s.root.Close() }

// Path is how people call a file.
func (s *Folder) Path(name string) string {
	return filepath.Join(s.dir, filepath.FromSlash(name))
}

// Stat looks at a name and every directory on the way to it.
func (s *Folder) Stat(name string) (Info, error) {
	info, err := s.lstat(name)
	switch {
	case err != nil:
		return Info{}, err
	case !info.Mode().IsRegular():
		return Info{}, &OddError{s.Path(name), "is " + kind(info.Mode()) + ", not a regular file"}
	}
	return Info{Name: name, Size: info.Size()}, nil
}

// CheckDir refuses what stands under a name and is no directory; nothing may
// stand there.
func (s *Folder) CheckDir(name string) error {
	info, err := s.lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return &OddError{s.Path(name), "is " + kind(info.Mode()) + ", not a directory"}
	}
	return nil
}

func (s *Folder) lstat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) || name == "." || strings.ContainsRune(name, '\\') && filepath.Separator == '\\' {
		return nil, &OddError{name, "leads out of the dataset"}
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, ok := s.seen.Load(dir); ok {
			break
		}
		info, err := s.root.Lstat(filepath.FromSlash(dir))
		if err != nil {
			return nil, s.named(dir, err)
		}
		if !info.IsDir() {
			return nil, &OddError{s.Path(dir), "is " + kind(info.Mode()) + ", not a directory"}
		}
		defer s.seen.Store(dir, true) // once those above it are seen, too
	}
	info, err := s.root.Lstat(filepath.FromSlash(name))
	return info, s.named(name, err)
}

// named gives an error of the root the path that people know.
func (s *Folder) named(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return &fs.PathError{Op: at.Op, Path: s.Path(name), Err: at.Err}
	}
	return err
}

// Local is the file's own path.
func (s *Folder) Local(name string) (string, error) {
	if _, err := s.Stat(name); err != nil {
		return "", err
	}
	return s.Path(name), nil
}

// Open opens a regular file. One that becomes another thing after it was looked
// at is not waited for, and refused.
func (s *Folder) Open(name string) (File, error) {
	if _, err := s.Stat(name); err != nil {
		return nil, err
	}
	f, err := s.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, s.named(name, err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &OddError{s.Path(name), "is " + kind(info.Mode()) + ", not a regular file"}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &file{f, info.Size()}, nil
}

type file struct {
	*os.File
	size int64
}

func (f *file) Size() int64 { return f.size }

// List names what is in a folder and below.
func (s *Folder) List(folder string) (out []Info, err error) {
	info, err := s.lstat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &OddError{s.Path(folder), "is " + kind(info.Mode()) + ", not a directory"}
	}
	err = fs.WalkDir(s.root.FS(), folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone meanwhile
			return nil
		case err != nil || d.IsDir():
			return s.named(name, err)
		case !d.Type().IsRegular():
			out = append(out, Info{Name: name, Odd: "is " + kind(d.Type()) + ", not a regular file"})
			return nil
		}
		info, err := d.Info()
		if err == nil {
			out = append(out, Info{Name: name, Size: info.Size()})
		}
		return nil
	})
	return out, err
}

// PutIfAbsent copies a file beside its place and links it there.
func (s *Folder) PutIfAbsent(name, from string) (put bool, err error) {
	if _, err := s.lstat(name); err == nil {
		return false, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	in, err := os.Open(from)
	if err != nil {
		return false, err
	}
	defer in.Close()
	if err := s.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
		return false, s.named(path.Dir(name), err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(s.Path(name)), path.Base(name)+".*.tmp")
	if err != nil {
		return false, err
	}
	defer os.Remove(tmp.Name())
	_, err = io.Copy(tmp, in)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
		return false, err
	}
	if err := os.Link(tmp.Name(), s.Path(name)); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return false, err
	}
	return true, nil
}

// kind words what is no regular file.
func kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m.IsRegular():
		return "a file"
	}
	return "something else"
}

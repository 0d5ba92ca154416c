// Package store holds the files of a dataset by their names below one root: a
// folder, or a bucket's prefix. Names are slash-separated and lead nowhere else.
// Only regular files are read, and nothing is followed.
package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Store is where a dataset lives.
type Store interface {
	// Open opens a file for reading in ranges.
	Open(name string) (File, error)
	// Stat tells a file's size; fs.ErrNotExist where there is none.
	Stat(name string) (Info, error)
	// List names the files of a folder and below, in order; none where it does
	// not exist.
	List(folder string) ([]Info, error)
	// PutIfAbsent copies a local file under a name that has none yet, and reports
	// whether it did: whole, or not at all.
	PutIfAbsent(name, from string) (bool, error)
	// Local gives the path of a file of this machine that holds what the store
	// has under a name: the engine reads Parquet by path.
	Local(name string) (string, error)
	// Path is how people call what the store has under a name.
	Path(name string) string
}

// File is a file that is open for reading.
type File interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
	Size() int64
}

// Info is an entry of a list.
type Info struct {
	Name string
	Size int64
	Odd  string // what it is, where it is no regular file
}

// OddError says that there is something under a name that is not read: it is no
// regular file, or lies elsewhere.
type OddError struct{ Path, What string }

func (e *OddError) Error() string { return e.Path + ": " + e.What }

// openers are the kinds of stores beside folders, by the scheme of their address.
// A program that is to read one registers it; record stays small.
var openers = map[string]func(address string) (Store, error){}

// Register makes addresses of a scheme known.
func Register(scheme string, open func(address string) (Store, error)) { openers[scheme] = open }

// Remote reports whether an address is that of a store elsewhere.
func Remote(address string) bool { return scheme(address) != "" }

func scheme(address string) string {
	s, _, ok := strings.Cut(address, "://")
	if !ok || s == "" || strings.ContainsAny(s, `/\.`) {
		return ""
	}
	return s
}

// Of opens the store at an address: a folder, or a URL of a registered scheme.
func Of(address string) (Store, error) {
	s := scheme(address)
	if s == "" {
		return OpenFolder(address)
	}
	open := openers[s]
	if open == nil {
		return nil, &fs.PathError{Op: "open", Path: address, Err: fmt.Errorf("this program reads no %s:// addresses", s)}
	}
	return open(address)
}

// ReadAll reads a file of at most limit bytes.
func ReadAll(s Store, name string, limit int64) ([]byte, error) {
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size() > limit {
		return nil, &OddError{s.Path(name), fmt.Sprintf("%d bytes, more than the %d that are read of such a file", f.Size(), limit)}
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = errors.New("grows while it is read")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path(name), err)
	}
	return data, nil
}

// RemoteError says that a store elsewhere could not be read or written: it is not
// there, does not let us, or broke off. The data are not at fault.
type RemoteError struct {
	Path string
	Err  error
	Hint string // the way out, where it is known
}

func (e *RemoteError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *RemoteError) Unwrap() error { return e.Err }

package build

import (
	"os"
	"path/filepath"
	"strings"

	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/store"
)

// mirror keeps the derived files of a dataset that lives elsewhere: beside it,
// under derived/, and in a cache on this machine. Their names say all that they
// depend on, so that a file is fetched once, and put once by whoever makes it
// first; nil is that of a dataset in a directory.
type mirror struct {
	far   far
	cache string
	there map[string]bool // names below derived/ that the store has
	fresh bool            // what is made replaces what is there
}

// far is a store elsewhere.
type far interface {
	store.Store
	Fetch(name, to string) error
	Replace(name, from string) error
}

func newMirror(s store.Store, cache string, fresh bool) (*mirror, error) {
	f, ok := s.(far)
	if !ok {
		return nil, nil
	}
	all, err := f.List("derived")
	if err != nil {
		return nil, err
	}
	m := &mirror{far: f, cache: cache, there: map[string]bool{}, fresh: fresh}
	for _, info := range all {
		m.there[info.Name] = true
	}
	return m, nil
}

func (m *mirror) name(path string) string {
	rel, err := filepath.Rel(m.cache, path)
	if err != nil || strings.HasPrefix(rel, "..") {
		return ""
	}
	return "derived/" + filepath.ToSlash(rel)
}

// has reports whether the store has all of some files.
func (m *mirror) has(paths ...string) bool {
	if m == nil {
		return false
	}
	for _, p := range paths {
		if !m.there[m.name(p)] {
			return false
		}
	}
	return true
}

// fetch brings a file into the cache, if the store has it and the cache has not.
func (m *mirror) fetch(path string) error {
	if m == nil || derived.Whole(path) || !m.there[m.name(path)] {
		return nil
	}
	return m.far.Fetch(m.name(path), path)
}

// put puts a file that was made, or all files of a directory.
func (m *mirror) put(path string) error {
	if m == nil {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := m.put(filepath.Join(path, e.Name())); err != nil {
				return err
			}
		}
		return nil
	}
	name := m.name(path)
	if m.fresh && m.there[name] {
		return m.far.Replace(name, path)
	}
	_, err = m.far.PutIfAbsent(name, path)
	return err
}

// fetchSmall is fetch for a file that is no Parquet: it is whole when it is there.
func (m *mirror) fetchSmall(path string) error {
	if m == nil || derived.Exists(path) || !m.there[m.name(path)] {
		return nil
	}
	return m.far.Fetch(m.name(path), path)
}

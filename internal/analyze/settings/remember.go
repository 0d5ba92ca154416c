package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"aircheck/internal/analyze/derived"
)

// remembered is what the last Build was told, options/options.json in the
// cache: file names there, copies of the option files, and plain values.
type remembered struct {
	Files  map[string]string `json:"files"`
	Period string            `json:"period,omitempty"`
}

// optionFiles names the options that are files.
func (o *Options) optionFiles() map[string]*string {
	return map[string]*string{
		"aliases": &o.Aliases, "exclusions": &o.Exclusions, "checks": &o.Checks,
		"scores": &o.Scores, "prices": &o.Prices, "workloads": &o.Workloads,
	}
}

func (o *Options) memoryDir() string { return filepath.Join(o.CacheDir(), "options") }

// Remember keeps a build's options, so that those who read the dataset later
// see the numbers that were built. It replaces what was remembered before; a
// build without options forgets it. Nothing is written where nothing changes.
func (o *Options) Remember() error {
	r := remembered{Files: map[string]string{}, Period: o.Period}
	content := map[string][]byte{}
	for name, path := range o.optionFiles() {
		if *path == "" {
			continue
		}
		data, err := os.ReadFile(*path)
		if err != nil {
			return err
		}
		r.Files[name] = name + filepath.Ext(*path)
		content[r.Files[name]] = data
	}
	if len(content) == 0 && r.Period == "" {
		return os.RemoveAll(o.memoryDir())
	}
	list, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	content["options.json"] = append(list, '\n')
	if o.remembers(content) {
		return nil
	}
	tmp, err := derived.TempDir(o.memoryDir())
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for name, data := range content {
		if err := os.WriteFile(filepath.Join(tmp, name), data, 0o644); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(o.memoryDir()); err != nil {
		return err
	}
	return os.Rename(tmp, o.memoryDir())
}

// remembers reports whether just this is remembered already.
func (o *Options) remembers(content map[string][]byte) bool {
	for name, want := range content {
		got, err := os.ReadFile(filepath.Join(o.memoryDir(), name))
		if err != nil || !bytes.Equal(got, want) {
			return false
		}
	}
	return true
}

// Recall fills the options that are not set with those of the last Build.
func (o *Options) Recall() error {
	path := filepath.Join(o.memoryDir(), "options.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var r remembered
	if err := json.Unmarshal(data, &r); err != nil {
		return fmt.Errorf("%s: not a record of options: %w", path, err)
	}
	for name, option := range o.optionFiles() {
		if file := r.Files[name]; *option == "" && file != "" {
			*option = filepath.Join(o.memoryDir(), filepath.Base(file))
		}
	}
	if o.Period == "" {
		o.Period = r.Period
	}
	return nil
}

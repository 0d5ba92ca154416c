package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/store"
)

// record is settings.json: what the last build was told, with the names that
// option files had and the checksums of their copies.
type record struct {
	Files  map[string]copied `json:"files"`
	Period string            `json:"period,omitempty"`
}

// copied is an option file that stands beside settings.json.
type copied struct {
	File   string `json:"file"`
	Name   string `json:"name"` // as it was given, without its directory
	SHA256 string `json:"sha256"`
}

const recordName = "settings.json"

// files names the options that are files.
func (o *Options) files() map[string]*string {
	return map[string]*string{
		"aliases": &o.Aliases, "exclusions": &o.Exclusions, "checks": &o.Checks,
		"scores": &o.Scores, "prices": &o.Prices, "workloads": &o.Workloads,
	}
}

// dirs are where settings may stand: part of the dataset, or beside the derived
// files of one that cannot be written.
func (o *Options) dirs() []string {
	out := []string{filepath.Join(o.Dir, "settings")}
	if store.Remote(o.Dir) { // of this machine: what is put there never changes
		out = []string{filepath.Join(store.CacheFor(o.Dir), "settings")}
	}
	if o.Cache != "" {
		out = append(out, filepath.Join(o.Cache, "settings"))
	}
	return out
}

// Keep stores a build's options with the dataset, so that later commands and
// builds use them until others are given. Nothing is written where nothing
// changes.
func (o *Options) Keep() error {
	r := record{Files: map[string]copied{}, Period: o.Period}
	content := map[string][]byte{}
	for name, path := range o.files() {
		if *path == "" {
			continue
		}
		data, err := File(*path)
		if err != nil {
			return err
		}
		c := copied{File: name + filepath.Ext(*path), Name: o.nameOf(name, *path), SHA256: sum(data)}
		r.Files[name], content[c.File] = c, data
	}
	list, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	content[recordName] = append(list, '\n')
	var errs []error
	for _, dir := range o.dirs() {
		err := keep(dir, content, len(r.Files) == 0 && r.Period == "")
		if err == nil {
			return nil
		}
		errs = append(errs, err)
		if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
			break
		}
	}
	return errors.Join(errs...)
}

func keep(dir string, content map[string][]byte, nothing bool) error {
	if nothing {
		return os.RemoveAll(dir)
	}
	same := true
	for name, want := range content {
		got, err := os.ReadFile(filepath.Join(dir, name))
		same = same && err == nil && bytes.Equal(got, want)
	}
	if same {
		return nil
	}
	tmp, err := derived.TempDir(dir)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for name, data := range content {
		if err := os.WriteFile(filepath.Join(tmp, name), data, 0o644); err != nil {
			return err
		}
	}
	return derived.Replace(tmp, dir)
}

// Fill sets the options that are not given to those that the dataset keeps,
// unless defaults are asked for.
func (o *Options) Fill() error {
	if o.Defaults {
		return nil
	}
	for _, dir := range o.dirs() {
		path := filepath.Join(dir, recordName)
		if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return Wrap(fmt.Errorf("%s: is a symbolic link: --defaults leaves it aside", dir))
		}
		data, err := derived.ReadSmall(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		if err != nil {
			return err
		}
		var r record
		if err := json.Unmarshal(data, &r); err != nil {
			return Wrap(fmt.Errorf("%s: not a record of settings: %w", path, err))
		}
		return o.fill(dir, &r)
	}
	return nil
}

func (o *Options) fill(dir string, r *record) error {
	for name, option := range o.files() {
		c, ok := r.Files[name]
		if *option != "" || !ok {
			continue
		}
		path := filepath.Join(dir, filepath.Base(c.File))
		data, err := derived.ReadSmall(path)
		if err != nil {
			return Wrap(err)
		}
		if sum(data) != c.SHA256 {
			return Wrap(fmt.Errorf("%s is not what a build stored there: 'analyze build DIR --%s %s' takes it as it is, --defaults drops it", path, name, path))
		}
		*option = path
		if o.kept == nil {
			o.kept = map[string]string{}
		}
		o.kept[name] = c.Name
	}
	if o.Period == "" {
		o.Period = r.Period
	}
	return nil
}

// nameOf is the name under which an option's file was given first.
func (o *Options) nameOf(option, path string) string {
	if name := o.kept[option]; name != "" && slices.Contains(o.dirs(), filepath.Dir(path)) {
		return name
	}
	return filepath.Base(path)
}

// InForce says in a few words which options are set, "" where none is.
func (o *Options) InForce() string {
	var parts []string
	files := o.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path := *files[name]; path != "" {
			parts = append(parts, name+" "+o.nameOf(name, path))
		}
	}
	if o.Period != "" {
		parts = append(parts, "period "+o.Period)
	}
	return strings.Join(parts, ", ")
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

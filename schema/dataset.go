package schema

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"aircheck/internal/kit/columnar"
	"aircheck/internal/kit/store"
)

// Dataset is a store of sealed runs: a directory, or an address that the program
// can read.
type Dataset struct {
	Dir string

	once  sync.Once
	store store.Store
	err   error
}

// Store is where the dataset's files are.
func (d *Dataset) Store() (store.Store, error) {
	d.once.Do(func() {
		if d.store == nil {
			d.store, d.err = store.Of(d.Dir)
		}
	})
	return d.store, d.err
}

// OpenDataset checks that dir is a dataset with at least one sealed run.
func OpenDataset(dir string) (*Dataset, error) {
	d := &Dataset{Dir: dir}
	if !store.Remote(dir) {
		if info, err := os.Stat(dir); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, &ErrNoDataset{dir, nil}
		}
	}
	names, err := d.records()
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &ErrNoDataset{dir, Journals(dir)}
	}
	return d, nil
}

// records lists what stands among the runs' records, and is one by its name.
func (d *Dataset) records() (out []store.Info, err error) {
	all, err := d.list("runs")
	for _, info := range all {
		if path.Dir(info.Name) == "runs" && strings.HasSuffix(info.Name, ".json") {
			out = append(out, info)
		}
	}
	return out, err
}

func (d *Dataset) list(folder string) ([]store.Info, error) {
	s, err := d.Store()
	if err != nil {
		return nil, err
	}
	all, err := s.List(folder)
	var odd *store.OddError
	if errors.As(err, &odd) {
		err = &DamagedError{err}
	}
	return all, err
}

// Runs reads all sealed runs, oldest first. One that cannot be read is an error;
// [Dataset.Survey] leaves it out.
func (d *Dataset) Runs() ([]*Run, error) {
	runs, left, err := d.Survey()
	if err == nil && len(left) > 0 {
		s, _ := d.Store()
		err = &DamagedError{&store.OddError{Path: s.Path(left[0].Path), What: left[0].What}}
	}
	return runs, err
}

// Survey reads the records of all sealed runs, oldest first, and sees that the
// files that they name are there. Runs of which that is not so are left out, each
// with what is wrong with it.
func (d *Dataset) Survey() (runs []*Run, left []Fault, err error) {
	names, err := d.records()
	if err != nil {
		return nil, nil, err
	}
	s, err := d.Store()
	if err != nil {
		return nil, nil, err
	}
	for _, info := range names {
		run, err := readRun(s, info.Name)
		if err == nil {
			err = d.present(run)
		}
		switch fault, ok := faultOf(s, info.Name, err); {
		case err == nil:
			runs = append(runs, run)
		case ok:
			left = append(left, fault)
		default:
			return nil, nil, err
		}
	}
	return runs, left, nil
}

// present sees that a run's files have their recorded sizes.
func (d *Dataset) present(run *Run) error {
	for _, f := range run.Files {
		info, err := d.store.Stat(f.Path)
		if err != nil {
			return damaged(d.store.Path(f.Path), err)
		}
		if info.Size != f.Bytes {
			return damagedf("%s: %d bytes, the run record says %d", d.store.Path(f.Path), info.Size, f.Bytes)
		}
	}
	return nil
}

// faultOf gives an error of the data as a fault, under a name of its own where it
// tells one.
func faultOf(s store.Store, name string, err error) (Fault, bool) {
	var wrong *DamagedError
	if !errors.As(err, &wrong) {
		return Fault{}, false
	}
	what := strings.TrimPrefix(err.Error(), s.Path(name)+": ")
	return Fault{name, strings.ReplaceAll(what, s.Path("")+string(filepath.Separator), "")}, true
}

// openTable opens a Parquet file of the dataset.
func openTable[T any](d *Dataset, name string, table *columnar.Table[T]) (*columnar.Reader[T], error) {
	s, err := d.Store()
	if err != nil {
		return nil, err
	}
	f, err := s.Open(name)
	if err != nil {
		return nil, damaged(s.Path(name), err)
	}
	r, err := table.OpenFrom(s.Path(name), f)
	if err != nil {
		f.Close()
		return nil, damaged(s.Path(name), err)
	}
	return r, nil
}

// inGroup says where in a file an error was met.
func (d *Dataset) inGroup(name string, group int, err error) error {
	path := d.path(name)
	return damaged(path, fmt.Errorf("%s: row group %d: %w", path, group, err))
}

// DatasetsIn names the datasets that stand directly below a directory, at most
// ten: a parent was named instead of one of them.
func DatasetsIn(dir string) (out []string) {
	if store.Remote(dir) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() && len(out) < 10 {
			if _, err := OpenDataset(path); err == nil {
				out = append(out, path)
			}
		}
	}
	return out
}

// RequestFiles and ChunkFiles name a run's Parquet files, relative to the dataset.
func (d *Dataset) RequestFiles(run *Run) []string { return run.files("requests/") }
func (d *Dataset) ChunkFiles(run *Run) []string   { return run.files("chunks/") }

func (r *Run) files(prefix string) []string {
	var out []string
	for _, f := range r.Files {
		if strings.HasPrefix(f.Path, prefix) {
			out = append(out, f.Path)
		}
	}
	return out
}

// path is how people call a file of the dataset.
func (d *Dataset) path(name string) string {
	if s, err := d.Store(); err == nil {
		return s.Path(name)
	}
	return name
}

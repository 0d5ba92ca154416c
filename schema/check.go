package schema

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"aircheck/internal/kit/columnar"
)

// maxValue bounds every number but times of day: an offset of a hundred days, as
// many bytes or tokens as no response has. Sums of them fit a BIGINT.
const maxValue = 1<<53 - 1

// Check reads what a build rests on: that the files of a run hold the rows that
// its record claims, that these are the run's, and that every number in a request
// is one that can be reckoned with. Checksums are compared where sums is set,
// which reads all of every file. What is wrong is a [DamagedError] that names the
// file and the row.
func (d *Dataset) Check(ctx context.Context, run *Run, sums bool) error {
	var ids []int64
	for _, f := range run.Files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if sums {
			if err := d.sum(f); err != nil {
				return err
			}
		}
		var err error
		if strings.HasPrefix(f.Path, "requests/") {
			ids, err = d.checkRequests(run, f, ids, nil)
		} else {
			err = d.checkChunks(run, f)
		}
		if err != nil {
			return err
		}
	}
	slices.Sort(ids)
	for i := 1; i < len(ids); i++ {
		if ids[i] == ids[i-1] {
			return damagedf("%s: request id %d stands in two files", d.path("requests/run="+run.RunID), ids[i])
		}
	}
	return nil
}

// Sound gives the runs that are what their records say, checksums included, oldest
// first; of the others, what is wrong.
func (d *Dataset) Sound(ctx context.Context) (runs []*Run, left []Fault, err error) {
	all, left, err := d.Survey()
	if err != nil {
		return nil, nil, err
	}
	for _, run := range all {
		if err := d.Check(ctx, run, true); err != nil {
			fault, ok := faultOf(d.store, "runs/"+run.RunID+".json", err)
			if !ok {
				return nil, nil, err
			}
			left = append(left, fault)
			continue
		}
		runs = append(runs, run)
	}
	return runs, left, nil
}

// sum compares a file's checksum with the record's.
func (d *Dataset) sum(f File) error {
	s, err := d.Store()
	if err != nil {
		return err
	}
	in, err := s.Open(f.Path)
	if err != nil {
		return damaged(s.Path(f.Path), err)
	}
	defer in.Close()
	h := sha256.New()
	n, err := io.Copy(h, in)
	switch {
	case err != nil:
		return err
	case n != f.Bytes:
		return damagedf("%s: %d bytes, the run record says %d", s.Path(f.Path), n, f.Bytes)
	case hex.EncodeToString(h.Sum(nil)) != f.SHA256:
		return damagedf("%s: checksum differs from the run record's: the file was changed after recording", s.Path(f.Path))
	}
	return nil
}

// footer compares what a file says of itself with the record.
func footer[T any](d *Dataset, f File, r *columnar.Reader[T]) error {
	version, _ := r.KeyValue("aircheck.schema_version")
	var rows int64
	for g := range r.NumRowGroups() {
		rows += r.GroupRows(g)
	}
	switch {
	case rows != f.Rows || r.NumRows() != f.Rows:
		return damagedf("%s: %d rows, the run record says %d", d.path(f.Path), r.NumRows(), f.Rows)
	case version == "":
		return damagedf("%s: no schema version in its footer", d.path(f.Path))
	}
	return nil
}

// checkRequests looks at the requests of a file, and hands each row group that
// passed to also, if any.
func (d *Dataset) checkRequests(run *Run, f File, ids []int64, also func(g int, group *columnar.Group, ids []int64) error) ([]int64, error) {
	r, err := openTable(d, f.Path, Requests)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := footer(d, f, r); err != nil {
		return nil, err
	}
	last := int64(-1)
	for g := range r.NumRowGroups() {
		group := r.Group(g)
		its, _, err := group.Int64("request_id", nil, nil)
		if err != nil {
			return nil, d.inGroup(f.Path, g, err)
		}
		for _, id := range its {
			if id <= last || id > maxValue {
				return nil, damagedf("%s: request id %d after %d: ids rise, from 0 to below 2^53", d.path(f.Path), id, last)
			}
			last = id
		}
		if err := d.ofRun(run, f, g, group); err != nil {
			return nil, err
		}
		if err := d.numbers(f, g, group, its); err != nil {
			return nil, err
		}
		if also != nil {
			if err := also(g, group, its); err != nil {
				return nil, err
			}
		}
		ids = append(ids, its...)
	}
	return ids, nil
}

// ofRun sees that rows name the run that they are kept under.
func (d *Dataset) ofRun(run *Run, f File, g int, group *columnar.Group) error {
	err := group.EachBytes("run_id", func(row int, name []byte) error {
		if string(name) != run.RunID {
			return damagedf("%s: row %d says that it belongs to run %.100q", d.path(f.Path), row, name)
		}
		return nil
	})
	return d.inGroupUnless(f.Path, g, err)
}

// numbers sees that no number of a request is out of bounds.
func (d *Dataset) numbers(f File, g int, group *columnar.Group, ids []int64) error {
	for _, c := range Requests.Columns() {
		if !strings.HasPrefix(c.Type, "BIGINT") && c.Type != "DOUBLE" || c.Name == "request_id" {
			continue
		}
		n := 0
		err := group.EachNumber(c.Name, func(v int64, x float64) error {
			n++
			switch {
			case strings.HasSuffix(c.Name, "_at_ns"):
				if validEpoch(v) {
					return nil
				}
				return &beyond{fmt.Sprint(v), fmt.Sprintf("in no year between 1970 and %d", lastYear)}
			case v > maxValue || v < -maxValue:
				return &beyond{fmt.Sprint(v), "beyond ±2^53"}
			case math.IsNaN(x) || math.IsInf(x, 0):
				return &beyond{fmt.Sprint(x), "no number"}
			}
			return nil
		})
		if wrong, ok := err.(*beyond); ok {
			return damagedf("%s: %s: %s is %s, which is %s", d.path(f.Path), d.rowOf(f, g, c, n-1, ids), c.Name, wrong.value, wrong.why)
		}
		if err != nil {
			return d.inGroup(f.Path, g, err)
		}
	}
	return nil
}

// beyond says that a number is out of bounds.
type beyond struct{ value, why string }

func (e *beyond) Error() string { return e.value + ": " + e.why }

// rowOf names the request that has the n-th value of a column.
func (d *Dataset) rowOf(f File, g int, c columnar.Column, n int, ids []int64) string {
	r, err := openTable(d, f.Path, Requests)
	if err == nil {
		defer r.Close()
		if c.Type == "BIGINT" {
			_, valid, err := r.Group(g).Int64(c.Name, nil, nil)
			for i := 0; err == nil && i < len(valid); i++ {
				if valid[i] {
					n--
				}
				if n < 0 {
					return fmt.Sprint("request ", ids[i])
				}
			}
		}
	}
	return fmt.Sprintf("a request from %d to %d", ids[0], ids[len(ids)-1])
}

func (d *Dataset) checkChunks(run *Run, f File) error {
	r, err := openTable(d, f.Path, Chunks)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := footer(d, f, r); err != nil {
		return err
	}
	for g := range r.NumRowGroups() {
		least, greatest, ok := r.Extremes(g, "run_id")
		if !ok || least != run.RunID || greatest != run.RunID {
			if err := d.ofRun(run, f, g, r.Group(g)); err != nil {
				return err
			}
		}
		for _, c := range []string{"t_lo_ns", "t_out_ns"} { // decoding reads the others
			if least, greatest, ok := r.Extremes(g, c); ok && (least.(int64) < -maxValue || greatest.(int64) > maxValue) {
				return damagedf("%s: row group %d: %s goes from %d to %d, beyond ±2^53", d.path(f.Path), g, c, least, greatest)
			}
		}
	}
	return nil
}

// inGroupUnless is inGroup for an error that may say where it was met already.
func (d *Dataset) inGroupUnless(name string, g int, err error) error {
	if _, ok := err.(*DamagedError); ok || err == nil {
		return err
	}
	return d.inGroup(name, g, err)
}

package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"time"

	"aircheck/internal/kit/limits"
	"aircheck/internal/kit/store"
)

// Bounds of a run's record: one of a campaign of years stays far below.
const (
	MaxRecordBytes = limits.RunRecord
	maxRecordParts = limits.RunRecordParts
)

// readRun reads a run's record, and believes nothing that it says before it was
// looked at. A record that is none of this program's is a DamagedError.
func readRun(s store.Store, name string) (*Run, error) {
	data, err := store.ReadAll(s, name, MaxRecordBytes)
	if err != nil {
		var odd *store.OddError
		if errors.As(err, &odd) {
			err = &DamagedError{err}
		}
		return nil, err
	}
	at := s.Path(name)
	if n := bytes.Count(data, []byte("{")); n > maxRecordParts {
		return nil, damagedf("%s: not a run record: %d parts, more than %d", at, n, maxRecordParts)
	}
	run := &Run{}
	if err := json.Unmarshal(data, run); err != nil {
		return nil, damagedf("%s: not a run record: %w", at, err)
	}
	if run.SchemaVersion > Version {
		return nil, damagedf("%s: schema version %d is newer than this program's %d: a newer release reads it", at, run.SchemaVersion, Version)
	}
	if run.SchemaVersion < 1 || !runIDPattern.MatchString(run.RunID) || run.RunID+".json" != path.Base(name) {
		return nil, damagedf("%s: not a run record: run_id %q, schema version %d", at, run.RunID, run.SchemaVersion)
	}
	if err := run.check(); err != nil {
		return nil, damagedf("%s: %w", at, err)
	}
	return run, nil
}

// filePattern is the path of a run's file: table, run, name.
var filePattern = regexp.MustCompile(`^(requests|chunks)/run=([^/]+)/[0-9A-Za-z][0-9A-Za-z._-]*\.parquet$`)

// maxRows is more rows than a file of any size has.
const maxRows = 1 << 40

// check looks at what a record claims.
func (r *Run) check() error {
	var rows = map[string]int64{}
	seen := map[string]bool{}
	for _, f := range r.Files {
		m := filePattern.FindStringSubmatch(f.Path)
		switch {
		case m == nil || m[2] != r.RunID:
			return fmt.Errorf("names the file %.200q, which is none of the run's", f.Path)
		case seen[f.Path]:
			return fmt.Errorf("names the file %s twice", f.Path)
		case f.Rows < 0 || f.Rows > maxRows || f.Bytes < 0:
			return fmt.Errorf("claims %d rows in the %d bytes of %s", f.Rows, f.Bytes, f.Path)
		}
		seen[f.Path] = true
		rows[m[1]] += f.Rows
	}
	if rows["requests"] != r.Requests || rows["chunks"] != r.Chunks {
		return fmt.Errorf("states %d requests and %d chunks, its files hold %d and %d", r.Requests, r.Chunks, rows["requests"], rows["chunks"])
	}
	for _, at := range append([]int64{r.StartedAtNs, r.EndedAtNs}, r.walls()...) {
		if !validEpoch(at) {
			return fmt.Errorf("states the time %d ns, which is in no year between 1970 and %d", at, lastYear)
		}
	}
	return nil
}

func (r *Run) walls() (out []int64) {
	for _, e := range r.Clock {
		out = append(out, e.WallNs)
	}
	return out
}

// lastYear bounds times: further ones have no TIMESTAMP, and sums of them no BIGINT.
const lastYear = 2200

var lastEpoch = time.Date(lastYear, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()

func validEpoch(ns int64) bool { return ns >= 0 && ns < lastEpoch }

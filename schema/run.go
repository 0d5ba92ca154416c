package schema

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Version of the dataset's layout, written into every file. Files of every
// older version stay readable.
const Version = 2

// Run is the record of one run, traces/runs/<run_id>.json. It is written last,
// so its presence says that the run's Parquet files are whole: it seals the run.
type Run struct {
	SchemaVersion int      `json:"schema_version"`
	RunID         string   `json:"run_id"`
	Name          string   `json:"name"`
	Campaign      string   `json:"campaign,omitempty"`
	Origin        string   `json:"origin"` // recorded, proxied, simulated, imported:<format>
	Tool          string   `json:"tool"`   // name and version of what wrote the run
	Host          string   `json:"host"`   // operating system, architecture, processors; no name
	StartedAtNs   int64    `json:"started_at_ns"`
	EndedAtNs     int64    `json:"ended_at_ns"`
	Clock         []Epoch  `json:"clock"`
	Plan          string   `json:"plan,omitempty"` // as read
	PlanSHA256    string   `json:"plan_sha256,omitempty"`
	PrimaryMetric string   `json:"primary_metric,omitempty"`
	Windows       []string `json:"windows,omitempty"` // of the plan, those that the run began
	Content       string   `json:"content,omitempty"` // hash or none: how little of prompts and answers is kept; all of it where nothing is said
	Interrupted   bool     `json:"interrupted"`
	State         string   `json:"state,omitempty"` // open while the run goes on: more files follow
	Requests      int64    `json:"requests"`
	Chunks        int64    `json:"chunks"`
	Files         []File   `json:"files"`
	Sources       []Source `json:"sources,omitempty"` // what an import read
	Notes         []string `json:"notes,omitempty"`
	// Skipped are requests of the plan that were not sent, because their target
	// refused all that came before.
	Skipped []Skipped `json:"skipped,omitempty"`
}

// Skipped counts requests that were left out for one reason.
type Skipped struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Scenario string `json:"scenario"`
	Reason   string `json:"reason"`
	Requests int64  `json:"requests"`
}

// StateOpen is the state of a run that is still recording, or that crashed after
// a part of it was sealed.
const StateOpen = "open"

// Write writes the record aside and renames it, durably.
func (r *Run) Write(dir string) error {
	r.SchemaVersion = Version
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "runs", r.RunID+".json"), append(data, '\n'))
}

// ReadRun reads the record of a run; fs.ErrNotExist says that it has none.
func ReadRun(dir, runID string) (*Run, error) {
	if _, err := os.Stat(filepath.Join(dir, "runs", runID+".json")); err != nil {
		return nil, err
	}
	d := &Dataset{Dir: dir}
	s, err := d.Store()
	if err != nil {
		return nil, err
	}
	return readRun(s, "runs/"+runID+".json")
}

// ValidRunID says whether a name may be a run's.
func ValidRunID(name string) bool { return runIDPattern.MatchString(name) }

// Epoch ties the recorder's monotonic clock to wall time: monotonic offset 0 of
// the epoch was WallNs, known to within ±HalfWidthNs.
type Epoch struct {
	WallNs      int64 `json:"wall_ns"`
	HalfWidthNs int64 `json:"half_width_ns"`
}

// File is one Parquet file of the run, its path relative to the dataset.
type File struct {
	Path   string `json:"path"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Source is one file that an import read.
type Source struct {
	Name   string   `json:"name"` // base name only
	SHA256 string   `json:"sha256"`
	Rows   int64    `json:"rows"`
	Keys   []string `json:"keys,omitempty"` // identities of the source's runs, so that none is imported twice
}

// runIDPattern keeps run ids fit for file names and for SQL literals.
var runIDPattern = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._-]*$`)

// ErrNoDataset says that a directory holds no runs.
type ErrNoDataset struct {
	Dir      string
	Journals []string // runs that are not sealed
}

func (e *ErrNoDataset) Error() string {
	if len(e.Journals) > 0 {
		return fmt.Sprintf("%s: no run is sealed yet: %s is being recorded, or was cut off", e.Dir, strings.Join(e.Journals, ", "))
	}
	return e.Dir + ": no dataset here: no runs/*.json in it"
}

// Hint is the way out.
func (e *ErrNoDataset) Hint() string {
	if len(e.Journals) > 0 {
		return "when nothing records any more, 'record recover " + e.Dir + "' seals what was recorded"
	}
	return "name the directory that record wrote with --to"
}

// unsealed says what a journal is, and the way out.
const unsealed = "of a run that is not sealed: it is being recorded, or was cut off; 'record recover' seals it when nothing records any more"

// Unsealed says what a reader of the sealed runs does not see; one line a journal.
func Unsealed(dir string) (lines []string) {
	for _, run := range Journals(dir) {
		line := "journal/" + run + ": " + unsealed
		if r, err := ReadRun(dir, run); err == nil && r.State == StateOpen {
			line += fmt.Sprintf("; %d of its requests are sealed and read", r.Requests)
		}
		lines = append(lines, line)
	}
	return lines
}

// Journals names the runs that are not sealed, or not wholly: they are being
// recorded, or were cut off.
func Journals(dir string) []string {
	entries, _ := os.ReadDir(filepath.Join(dir, "journal"))
	var out []string
	for _, e := range entries {
		if e.IsDir() && ValidRunID(e.Name()) {
			out = append(out, e.Name())
		}
	}
	return out
}

package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aircheck/internal/kit/lock"
	"aircheck/schema"
)

// State of a journal that was found.
type State uint8

const (
	Recording State = iota // its process lives
	Crashed                // its process is gone
	Leftover               // what an import, or a run that was sealed, left behind
)

// Found is a journal in a dataset.
type Found struct {
	RunID string
	State State
}

// Find looks for journals in the dataset at dir, by run.
func Find(dir string) ([]Found, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "journal"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Found
	for _, e := range entries {
		if !e.IsDir() || !schema.ValidRunID(e.Name()) {
			continue
		}
		state, release, err := inspect(dir, e.Name())
		if err != nil {
			return nil, err
		}
		release()
		out = append(out, Found{e.Name(), state})
	}
	return out, nil
}

// inspect says what a journal is, and keeps others from it until it is released.
func inspect(dir, runID string) (state State, release func(), err error) {
	folder := Folder(dir, runID)
	release, taken, err := lock.Try(folder)
	if err != nil {
		return 0, nil, err
	}
	if !taken {
		return Recording, func() {}, nil
	}
	names, err := files(folder)
	if err != nil {
		release()
		return 0, nil, err
	}
	run, err := schema.ReadRun(dir, runID)
	if len(names) == 0 || err == nil && run.State != schema.StateOpen {
		return Leftover, release, nil
	}
	return Crashed, release, nil
}

// Recovered is what became of one journal.
type Recovered struct {
	Found
	Run     *schema.Run // nil where nothing was recovered
	Open    int         // requests that were not over
	Skipped int64       // bytes of the journal that could not be read
}

// Recover seals the journals of crashed runs, and removes what is left over of
// others. Those of runs that are still recording stay as they are. It may be
// interrupted at any time, and done again.
func Recover(dir string, maskOf MaskOf) ([]Recovered, error) {
	found, err := Find(dir)
	if err != nil {
		return nil, err
	}
	var out []Recovered
	for _, f := range found {
		r, err := recoverRun(dir, f.RunID, maskOf)
		if err != nil {
			return out, fmt.Errorf("journal of run %s: %w", f.RunID, err)
		}
		out = append(out, *r)
	}
	return out, nil
}

func recoverRun(dir, runID string, maskOf MaskOf) (*Recovered, error) {
	state, release, err := inspect(dir, runID)
	if err != nil {
		return nil, err
	}
	defer release()
	r := &Recovered{Found: Found{runID, state}}
	switch state {
	case Recording:
		return r, nil
	case Leftover:
		// An import holds the lock of the dataset meanwhile.
		if done, taken, err := lock.Try(dir); err != nil || !taken {
			r.State = Recording
		} else {
			removeJournal(dir, runID)
			done()
		}
		return r, nil
	}
	names, err := files(Folder(dir, runID))
	if err != nil {
		return nil, err
	}
	s, err := newSealer(dir, runID, nil)
	if err != nil {
		return nil, err
	}
	x, err := scan(names, s.done)
	if err != nil {
		return nil, err
	}
	defer x.close()
	if len(x.requests) == 0 && s.parts == 0 { // nothing was sent
		removeJournal(dir, runID)
		return r, nil
	}
	run := x.head.Run
	if x.head.Format == 0 {
		run = schema.Run{Name: runID, Origin: "recorded", StartedAtNs: x.endNs}
	}
	for i := range x.requests {
		if !x.requests[i].ended {
			r.Open++
		}
	}
	r.Skipped = x.skipped
	run.State, run.Interrupted = "", true
	run.EndedAtNs = max(x.endNs, run.StartedAtNs)
	run.Notes = append(slices.Clone(x.notes), recoveredNote(r))
	if maskOf != nil {
		s.mask = maskOf(&run)
	}
	if _, err := s.sealIndex(x, names, true, &run); err != nil {
		return nil, err
	}
	removeJournal(dir, runID)
	r.Run = &run
	return r, nil
}

func recoveredNote(r *Recovered) string {
	var b strings.Builder
	b.WriteString("recovered from its journal: the recorder stopped before the run was sealed")
	if r.Open > 0 {
		fmt.Fprintf(&b, "; %d requests were not over", r.Open)
	}
	if r.Skipped > 0 {
		fmt.Fprintf(&b, "; %d bytes of the journal could not be read", r.Skipped)
	}
	return b.String()
}

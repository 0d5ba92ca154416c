package runner

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/plan"
	"aircheck/schema"
)

// Due is what a campaign that runs window by window is to do now.
type Due struct {
	Window int       // the next one, from 0
	Now    bool      // it is to run now
	At     time.Time // else when
	Done   bool      // all windows are there
	Missed int       // times that passed without a window since the last one
}

// NextWindow says which window of a campaign comes next, by the runs that a
// dataset holds. Times are counted from the start of the first window. One that
// passed without a run (the machine was off) is not made up for at once, since
// two windows back to back share their conditions: the campaign ends later.
// Because a timer is never quite on time, a tenth of the interval early is on
// time, too.
func NextWindow(p *plan.Plan, dir string, now time.Time) (Due, error) {
	every := p.Windows.Every
	if every <= 0 {
		return Due{}, cli.Hint(cli.Usagef("--due needs windows that come at intervals"), "set windows: {count: …, every: …} in the plan")
	}
	runs, err := runsOf(p, dir)
	if err != nil {
		return Due{}, err
	}
	var first, last time.Time
	next := 0
	for _, run := range runs {
		if run.PlanSHA256 != p.Hash() {
			return Due{}, cli.Hint(cli.Usagef("the plan was changed since run %s of campaign %q", run.RunID, p.Name),
				"windows of two plans cannot be compared: give the plan another name, or put it back")
		}
		start := time.Unix(0, run.StartedAtNs)
		if first.IsZero() || start.Before(first) {
			first = start
		}
		for i, name := range run.Windows {
			for w := range p.Windows.Count {
				if p.WindowName(w) != name {
					continue
				}
				next = max(next, w+1)
				if at := start.Add(time.Duration(i) * every); at.After(last) {
					last = at
				}
			}
		}
	}
	switch {
	case next == 0:
		return Due{Now: true}, nil
	case next >= p.Windows.Count:
		return Due{Window: next, Done: true}, nil
	}
	slot := func(t time.Time) int { return int((t.Sub(first) + every/10) / every) }
	behind := slot(now) - slot(last)
	if behind < 1 {
		return Due{Window: next, At: first.Add(time.Duration(slot(last)+1) * every)}, nil
	}
	return Due{Window: next, Now: true, Missed: behind - 1}, nil
}

// runsOf gives the sealed runs of a plan's campaign; none where there is no
// dataset yet.
func runsOf(p *plan.Plan, dir string) ([]*schema.Run, error) {
	d, err := schema.OpenDataset(dir)
	var none *schema.ErrNoDataset
	if errors.As(err, &none) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	runs, err := d.Runs()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(runs, func(r *schema.Run) bool { return r.Campaign != p.Name || r.PlanSHA256 == "" }), nil
}

package virtual

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"time"

	"aircheck/internal/kit/version"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/simulate"
	"aircheck/schema"
)

// Options of a virtual recording.
type Options struct {
	Fleet *simulate.Fleet
	Name  string    // what faults call the fleet's file; paths in its plans are relative to it
	Dir   string    // the dataset
	Thin  int       // keeps every Thin-th window of each plan; 0 and 1 keep all
	Truth io.Writer // one line of JSON a request; nil for none
	// Progress is called now and then with the requests done and those planned.
	Progress func(done, total int)
}

// Result is what was written.
type Result struct {
	Runs             []*schema.Run
	Requests, Chunks int64
}

// run is one plan of the fleet.
type run struct {
	plan   *plan.Plan
	after  time.Duration
	blocks [][]plan.Block // by window
	id     string
	writer *schema.Writer
	order  int32
	began  int64
	notes  []string
}

// Write carries out all plans of the fleet. On an error nothing of them is left.
func Write(ctx context.Context, o Options) (result *Result, err error) {
	c := &campaign{fleet: o.Fleet, net: simulate.NewVirtual(o.Fleet, tag(o.Fleet)), ids: &schema.IDs{}, lanes: map[lane]*laneState{},
		links: map[*plan.Target][]int64{}, progress: o.Progress}
	defer func() {
		if err != nil {
			for _, r := range c.runs {
				r.writer.Abort()
			}
		}
	}()
	for i := range o.Fleet.Plans {
		r, err := newRun(o, i)
		if err != nil {
			return nil, err
		}
		c.runs = append(c.runs, r)
		for _, b := range r.blocks {
			for j := range b {
				c.total += len(b[j].Requests)
			}
		}
	}
	c.start(ctx, o.Truth)
	c.record()
	if err := c.finish(); err != nil {
		return nil, err
	}
	return c.seal()
}

// tag makes request ids differ between fleets.
func tag(f *simulate.Fleet) string { return fmt.Sprintf("%s-%d", f.Name, f.Seed) }

func newRun(o Options, i int) (*run, error) {
	p, err := readPlan(o.Fleet, &o.Fleet.Plans[i], o.Name, o.Thin)
	if err != nil {
		return nil, err
	}
	r := &run{plan: p, after: o.Fleet.Plans[i].After, blocks: make([][]plan.Block, p.Windows.Count)}
	for _, b := range p.Schedule() {
		r.blocks[b.Window] = append(r.blocks[b.Window], b)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", p.Source, o.Fleet.Seed, i))
	r.id = o.Fleet.Starts.Add(r.after).UTC().Format("20060102t150405z-") + hex.EncodeToString(sum[:3])
	if r.writer, err = schema.Create(o.Dir, r.id); err != nil {
		return nil, err
	}
	return r, nil
}

// record carries the windows of all plans out, one after the other, as one
// machine would: a window begins at its time, or when the one before is over.
func (c *campaign) record() {
	type unit struct {
		run    *run
		window int
		due    time.Duration
	}
	var units []unit
	for _, r := range c.runs {
		for w := range r.blocks {
			units = append(units, unit{r, w, r.after + time.Duration(w)*r.plan.Windows.Every})
		}
	}
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(a.due, b.due) })
	for _, u := range units {
		late := time.Duration(c.now) - u.due
		c.now = max(c.now, int64(u.due))
		if every := u.run.plan.Windows.Every; u.window > 0 && late > every/10 {
			u.run.notes = append(u.run.notes, fmt.Sprintf("window %s began %s late: the ones before took longer", u.run.plan.WindowName(u.window), late.Round(time.Second)))
		}
		if u.window == 0 {
			u.run.began = c.now
		}
		for i := range u.run.blocks[u.window] {
			if c.stopped() {
				return
			}
			b := &u.run.blocks[u.window][i]
			c.silence(b)
			if b.OpenLoop {
				c.openLoop(u.run, b)
			} else {
				c.closedLoop(u.run, b)
			}
		}
	}
}

// seal ends all runs.
func (c *campaign) seal() (*Result, error) {
	out := &Result{}
	for i, r := range c.runs {
		run := &schema.Run{
			Name: r.plan.Name, Campaign: r.plan.Name, Origin: "simulated", Tool: version.Of("record"), Host: "virtual time, no machine",
			StartedAtNs: c.wall(r.began), EndedAtNs: c.wall(c.now), Clock: []schema.Epoch{{WallNs: c.wall(0)}},
			Plan: string(r.plan.Source), PlanSHA256: r.plan.Hash(), PrimaryMetric: r.plan.PrimaryMetric, Notes: r.notes,
		}
		if err := r.writer.Seal(run); err != nil {
			for _, later := range c.runs[i:] {
				later.writer.Abort()
			}
			return nil, fmt.Errorf("run %s could not be sealed: %w", r.id, err)
		}
		out.Runs = append(out.Runs, run)
		out.Requests += run.Requests
		out.Chunks += run.Chunks
	}
	return out, nil
}

// wall is the UTC epoch time of a time of the fleet's clock.
func (c *campaign) wall(ns int64) int64 { return c.fleet.Starts.UnixNano() + ns }

// Package runner carries a plan out: it sends the schedule's requests in
// their order, and writes a row and its frames for each into a dataset.
//
//	plan → recorder → capture → schema
//
// New checks all that can be checked before anything is sent; Run sends. A
// failed request is a row. Errors are only what keeps the recorder itself from
// its work: no key, no disk.
package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/limits"
	"aircheck/internal/kit/version"
	"aircheck/internal/record/capture"
	"aircheck/internal/record/content"
	"aircheck/internal/record/journal"
	"aircheck/internal/record/plan"
	"aircheck/internal/rules/prices"
	"aircheck/schema"
)

// Options of a run.
type Options struct {
	Plan   *plan.Plan
	Dir    string              // the dataset; need not exist
	Prices *prices.Table       // what a budget is kept by; the embedded one where nil
	Getenv func(string) string // where keys are looked up
	Window *int                // the only one to run, from 0; nil: all
	Say    func(string)        // hears at once what goes wrong with a target; may be nil
	// Durable makes each batch of frames durable as it is written, not once a
	// second.
	Durable bool
	// Resume is an interrupted run to go on with; "": a new one.
	Resume string
	// Memory is the most that the run takes; 0 for limits.Memory.
	Memory int64
}

// Recorder is one run of a plan.
type Recorder struct {
	plan     *plan.Plan
	blocks   []plan.Block
	keys     map[string]string // by environment variable
	secrets  *capture.Secrets
	clients  map[*plan.Target]*capture.Client
	clock    *capture.Clock
	ids      *schema.IDs
	runID    string
	journal  *journal.Journal
	content  content.Policy
	record   schema.Run // as known so far before the run ends
	earlier  schema.Run // of a run that was resumed, as it was
	sent     int32      // requests that it had sent
	budget   *budget
	health   *health
	pace     pace
	waiting  waiting
	together map[string]*sync.Mutex // one a provider, for blocks that keep providers apart
	began    atomic.Int64           // when sending began, on the clock

	firstWindow int // of the plan, or the only one that is run

	mu        sync.Mutex
	order     int32
	inFlight  int32
	lanes     map[lane]*laneState
	simulated map[string]bool // hosts that said so
	status    Status
	errors    map[string]int // texts of failures without a response
	responses int
	notes     []string
	late      int                   // windows that began late
	doubted   map[*plan.Target]bool // that claimed what cannot be
	windows   []string              // that began
	fatal     error
	halted    bool               // by a dead target
	stop      context.CancelFunc // ends the run: nothing more is sent, and what is open is cut off
	halt      context.CancelFunc // sends nothing more
}

// recordBytes is more than a run's record and the head of its journal take on the
// disk beside the plan, directories counted.
const recordBytes = 64 << 10

// lane is what idle times are counted for.
type lane struct{ provider, model string }

type laneState struct {
	open  int
	ended int64 // when the last request ended
}

// Result is what a run came to.
type Result struct {
	Run         *schema.Run
	Status      Status
	Responses   int    // requests that got an HTTP response
	Failure     string // the most frequent failure of those that did not
	Interrupted bool
	OverBudget  bool
	Halted      bool     // a dead target ended it, as the plan wants
	Silent      []Silent // targets that never answered
	Stopped     error    // what ended the run before its time
}

// New checks a run before it starts: keys, requests that can be built, prices
// where there is a budget, a directory that can be written.
func New(o Options) (*Recorder, error) {
	blocks := o.Plan.Schedule
	if o.Window != nil {
		blocks = func() []plan.Block { return o.Plan.Window(*o.Window) }
	}
	r := &Recorder{plan: o.Plan, blocks: blocks(), health: newHealth(o.Plan, o.Say), clock: capture.NewClock(), clients: map[*plan.Target]*capture.Client{},
		together: map[string]*sync.Mutex{}, lanes: map[lane]*laneState{}, simulated: map[string]bool{}, errors: map[string]int{}, doubted: map[*plan.Target]bool{},
		ids: schema.NewIDs(), runID: schema.NewRunID(time.Now())}
	r.firstWindow = r.blocks[0].Window
	var err error
	if r.content, err = content.NewPolicy(content.Mode(o.Plan.Content), o.Plan.HashKeyEnv, o.Getenv); err != nil {
		return nil, err
	}
	source := string(o.Plan.Source)
	if !r.content.Whole() {
		source = o.Plan.Kept(r.content.Text) + r.content.Check()
	}
	var old *resumed
	if o.Resume != "" {
		if old, err = resume(o.Plan, o.Dir, o.Resume); err != nil {
			return nil, err
		}
		if err := sameHashes(old.run, o.Plan, source); err != nil {
			return nil, err
		}
		if r.blocks = old.missing(o.Plan, r.blocks); len(r.blocks) == 0 {
			return nil, cli.Usagef("run %s has all that can be asked: nothing is missing", o.Resume)
		}
		r.runID, r.order = o.Resume, old.order
	}
	if r.keys, err = readKeys(o.Plan, o.Getenv); err != nil {
		return nil, err
	}
	r.secrets = capture.NewSecrets(secretsOf(o.Plan, r.keys, o.Getenv)...)
	if err := r.checkSecrets(); err != nil {
		return nil, err
	}
	if err := r.checkRequests(); err != nil {
		return nil, err
	}
	if o.Prices == nil {
		o.Prices = prices.Embedded()
	}
	if r.budget, err = newBudget(o.Plan, r.blocks, o.Prices); err != nil {
		return nil, err
	}
	if o.Memory == 0 {
		o.Memory = limits.Memory
	}
	if err := checkCapacity(o.Plan, r.blocks, o.Memory); err != nil {
		return nil, err
	}
	streams, _ := needs(o.Plan, r.blocks)
	if err := checkDir(o.Dir, int64(recordBytes+2*len(o.Plan.Source))); err != nil {
		return nil, err
	}
	r.record = schema.Run{
		RunID: r.runID, Name: o.Plan.Name, Campaign: o.Plan.Name, Origin: originRecorded, Tool: version.Of("record"),
		Host:        fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0)),
		StartedAtNs: time.Now().UnixNano(), Clock: r.clock.Epochs(),
		Plan: source, PlanSHA256: o.Plan.Hash(), PrimaryMetric: o.Plan.PrimaryMetric,
	}
	r.content.Mark(&r.record)
	r.notes = r.record.Notes
	if old != nil {
		r.record = *old.run
		r.earlier = *old.run
		r.notes = append(slices.Clip(old.run.Notes), old.note())
		r.windows = slices.Clip(old.run.Windows)
		r.sent = old.order
	}
	if r.journal, err = journal.Create(o.Dir, &r.record, journal.Options{Durable: o.Durable, Mask: r.mask, Failed: r.fail}); err != nil {
		return nil, err
	}
	t, windows := o.Plan.Timeouts, limits.NewBudget(limits.Of(o.Memory, streams).Windows)
	for _, target := range o.Plan.Targets {
		r.clients[target] = capture.NewClient(capture.Options{Clock: r.clock, Secrets: r.secrets, Fresh: o.Plan.Connections == plan.Fresh, HTTP2: target.HTTP == plan.HTTP2, Limits: limits.Of(o.Memory, streams), Windows: windows,
			Timeouts: capture.Timeouts{Connect: t.Connect, FirstByte: t.FirstByte, Idle: t.Idle, Total: t.Total}})
		r.together[target.Provider] = &sync.Mutex{}
		r.lanes[lane{target.Provider, target.Model}] = &laneState{}
	}
	for i := range r.blocks {
		r.status.Total += len(r.blocks[i].Requests)
	}
	return r, nil
}

// RunID is the run's name.
func (r *Recorder) RunID() string { return r.runID }

// Run sends everything, then seals the run. When ctx is cancelled no further
// request is sent, and the run is sealed when the open ones are over. When hard is
// cancelled these are cut off, and the run's journal stays as it is, to be sealed
// by the next run or by recover. What the recorder itself fails at ends the run,
// too: what was written is sealed, or stays in the journal where it cannot be.
func (r *Recorder) Run(ctx, hard context.Context) (*Result, error) {
	requests, cutOff := context.WithCancel(hard)
	defer cutOff()
	sending, quit := context.WithCancel(ctx)
	defer quit()
	defer context.AfterFunc(requests, quit)()
	r.stop, r.halt = cutOff, quit
	defer r.close()

	go r.clock.Beat(requests)

	if r.earlier.RunID == "" {
		r.record.StartedAtNs = time.Now().UnixNano()
	}
	r.send(sending, requests)

	r.mu.Lock()
	fatal, sent, halted := r.fatal, r.order-r.sent, r.halted
	r.mu.Unlock()
	over := r.budget.exceeded()
	skipped := r.health.record()
	interrupted := int(sent)+r.health.skippedAll() < r.status.Total && !over && !halted || hard.Err() != nil || fatal != nil
	if sent == 0 && !over {
		r.journal.Abort()
		if fatal != nil {
			return nil, fatal
		}
		return nil, context.Canceled
	}
	if hard.Err() != nil {
		if err := r.journal.Close(); err != nil {
			return nil, err
		}
		return nil, ErrStopped
	}
	if r.late > 1 {
		r.note(fmt.Sprintf("%d windows began late", r.late))
	}
	if fatal != nil {
		r.note("ended early: " + fatal.Error())
	}
	if over {
		r.note("stopped before the request that could have exceeded the budget")
	}
	if halted {
		r.note("stopped because a target refused everything")
	}
	if len(r.clock.Epochs()) > 1 {
		r.note("wall time was stepped, or the machine slept, while the run went on: see clock")
	}
	run := &r.record
	run.EndedAtNs, run.Clock, run.Windows, run.Notes, run.Skipped = time.Now().UnixNano(), append(r.earlier.Clock, r.clock.Epochs()...), r.windows, r.notes, append(r.earlier.Skipped, skipped...)
	run.Interrupted = interrupted || halted
	if err := r.journal.Seal(run); err != nil {
		return nil, &UnsealedError{err}
	}
	return &Result{Run: run, Status: r.Status(), Responses: r.responses, Failure: mostFrequent(r.errors), Interrupted: interrupted, OverBudget: over, Halted: halted, Silent: r.health.silent(), Stopped: fatal}, nil
}

// ErrStopped says that the run was stopped at once: what was recorded is in its
// journal.
var ErrStopped = errors.New("stopped at once; what was recorded is in its journal")

// UnsealedError says why a run could not be sealed: its journal holds it.
type UnsealedError struct{ Err error }

func (e *UnsealedError) Error() string {
	return "what was recorded could not be sealed, and is in the run's journal: " + e.Err.Error()
}
func (e *UnsealedError) Unwrap() error { return e.Err }

// fail ends the run: its rows can no longer be written.
func (r *Recorder) fail(err error) {
	r.mu.Lock()
	if r.fatal == nil { // the first says it; the others follow from it
		r.fatal = err
	}
	r.mu.Unlock()
	r.stop()
}

// mask hides the keys that only a whole response shows.
func (r *Recorder) mask(row *schema.Request, frames [][]byte, more bool) {
	if note := content.Seal(r.secrets, row, frames, more); note != "" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notes = append(r.notes, note)
		r.record.Notes = r.notes
	}
}

func (r *Recorder) note(text string) {
	r.mu.Lock()
	r.notes = append(r.notes, text)
	r.mu.Unlock()
	r.journal.Note(text)
}

func (r *Recorder) close() {
	for _, c := range r.clients {
		c.Close()
	}
}

func mostFrequent(counts map[string]int) string {
	best := ""
	for text, n := range counts {
		if best == "" || n > counts[best] || n == counts[best] && text < best {
			best = text
		}
	}
	return best
}

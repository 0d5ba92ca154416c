package plan

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"time"
)

// Phases of a plan's requests, as the column phase has them.
const (
	PhaseWarmup  = "warmup"
	PhaseMeasure = "measure"
	PhaseCold    = "cold"
	PhaseBurst   = "burst"
	PhaseProbe   = "probe"
)

// Block is a stretch of the schedule that is run by itself: the next one starts
// when all its requests are over.
type Block struct {
	Window   int           // from 0
	Idle     time.Duration // time for which nothing must have been asked of its targets
	Streams  int           // closed loop: requests kept open; the next one starts when one is over
	Apart    bool          // never two requests to one provider at a time
	OpenLoop bool          // each request starts at its At, however many are open
	Requests []Request
}

// Request is one request of the schedule.
type Request struct {
	Target      *Target
	Scenario    string // as rows name it: with several input lengths, NAME@LENGTH
	Workload    string
	Ends        Ends
	Phase       string
	Trial       int // within cell, window and phase
	Concurrency int // of its cell; 0 in an open loop
	// Place is where the request stands in its burst, or after the silence of
	// a cold start (0: the one that met it); -1 elsewhere.
	Place  int
	Probe  string
	Arm    string
	Prompt *Prompt
	Size   int // o200k tokens that the prompt is filled up to; 0: as it is
	Nonce  bool
	Params map[string]any // shared; not to be changed
	At     time.Duration  // after the block's start, open loop only
	Fresh  bool           // on a connection of its own
}

// afterCold is how many requests follow each cold start, to see how soon the
// target is warm.
const afterCold = 3

// Schedule gives all requests, in order.
func (p *Plan) Schedule() []Block {
	var out []Block
	for w := range p.Windows.Count {
		out = append(out, p.Window(w)...)
	}
	return out
}

// Window gives the requests of one window, in order.
func (p *Plan) Window(w int) []Block {
	var out []Block
	for _, s := range p.Scenarios {
		for _, size := range sizes(s) {
			out = append(out, p.blocks(w, s, size)...)
		}
	}
	if w == 0 {
		out = append(out, p.probeBlocks()...)
	}
	return out
}

// WindowName is a window as rows name it; names sort as the windows do.
func (p *Plan) WindowName(w int) string {
	return fmt.Sprintf("%0*d", max(2, len(fmt.Sprint(p.Windows.Count-1))), w)
}

func sizes(s *Scenario) []int {
	if len(s.InputTokens) == 0 {
		return []int{0}
	}
	return s.InputTokens
}

// label is the scenario's name in rows. Lengths of a sweep are cells of their
// own, so they differ in name.
func (s *Scenario) label(size int) string {
	if len(s.InputTokens) < 2 {
		return s.Name
	}
	return fmt.Sprintf("%s@%d", s.Name, size)
}

// blocks of one scenario, at one length, in one window.
func (p *Plan) blocks(w int, s *Scenario, size int) []Block {
	switch s.Mode {
	case OpenLoop:
		return p.openLoop(w, s, size)
	case ColdStart:
		return p.coldStarts(w, s, size)
	case Burst:
		return p.bursts(w, s, size)
	}
	var out []Block
	for _, c := range s.Concurrency {
		if c == 1 && p.Order == Interleaved {
			out = append(out, p.rounds(w, s, size))
			continue
		}
		// A closed loop of several streams is steady only if nothing else
		// interrupts it: targets alternate from one loop to the next.
		for _, t := range p.turns("loop", w, s.label(size), c) {
			b := Block{Window: w, Streams: c}
			for i := range atLeast(p.Warmup, c) {
				b.Requests = append(b.Requests, p.request(t, s, size, w, PhaseWarmup, i, c))
			}
			for i := range max(p.Trials, c) {
				b.Requests = append(b.Requests, p.request(t, s, size, w, PhaseMeasure, i, c))
			}
			out = append(out, b)
		}
	}
	return out
}

// atLeast raises a number of warm-ups to one a stream, where there are any:
// each stream has a connection that must be opened.
func atLeast(n, streams int) int {
	if n == 0 {
		return 0
	}
	return max(n, streams)
}

// rounds is concurrency 1, interleaved: in each round every target is asked the
// same, in an order of its own.
func (p *Plan) rounds(w int, s *Scenario, size int) Block {
	b := Block{Window: w, Streams: p.Parallel, Apart: true}
	for _, phase := range []struct {
		name string
		n    int
	}{{PhaseWarmup, p.Warmup}, {PhaseMeasure, p.Trials}} {
		for i := range phase.n {
			for _, t := range p.turns("round", w, s.label(size), phase.name, i) {
				b.Requests = append(b.Requests, p.request(t, s, size, w, phase.name, i, 1))
			}
		}
	}
	return b
}

// openLoop sends to one target after the other, each at the same times.
func (p *Plan) openLoop(w int, s *Scenario, size int) []Block {
	times := p.arrivals(w, s)
	var out []Block
	for _, t := range p.turns("rate", w, s.label(size)) {
		if p.Warmup > 0 {
			b := Block{Window: w, Streams: 1}
			for i := range p.Warmup {
				b.Requests = append(b.Requests, p.request(t, s, size, w, PhaseWarmup, i, 0))
			}
			out = append(out, b)
		}
		b := Block{Window: w, OpenLoop: true}
		for i, at := range times {
			r := p.request(t, s, size, w, PhaseMeasure, i, 0)
			r.At = at
			b.Requests = append(b.Requests, r)
		}
		out = append(out, b)
	}
	return out
}

// arrivals are the times of an open loop, from its start. Gaps of a Poisson
// process are exponential.
func (p *Plan) arrivals(w int, s *Scenario) []time.Duration {
	if s.Rate.Arrivals == Trace {
		return s.Rate.trace
	}
	rng := p.rng("arrivals", w, s.Name)
	mean := float64(time.Second) / s.Rate.RPS
	out := make([]time.Duration, p.Trials)
	at := 0.0
	for i := range out {
		out[i] = time.Duration(math.Round(at))
		if s.Rate.Arrivals == Constant {
			at += mean
		} else {
			at += mean * rng.ExpFloat64()
		}
	}
	return out
}

// coldStarts: silence, then one request and a few more, each on a connection
// of its own, so that they differ in nothing but the silence.
func (p *Plan) coldStarts(w int, s *Scenario, size int) []Block {
	var out []Block
	for trial := range s.Trials {
		for _, t := range p.turns("cold", w, s.label(size), trial) {
			b := Block{Window: w, Idle: s.Idle, Streams: 1}
			for i := range 1 + afterCold {
				r := p.request(t, s, size, w, PhaseCold, trial, 1)
				r.Place, r.Fresh = i, true
				b.Requests = append(b.Requests, r)
			}
			out = append(out, b)
		}
	}
	return out
}

// bursts: silence, then many requests at once. Few of them would find an open
// connection, so all open their own.
func (p *Plan) bursts(w int, s *Scenario, size int) []Block {
	var out []Block
	for trial := range s.Trials {
		for _, t := range p.turns("burst", w, s.label(size), trial) {
			b := Block{Window: w, Idle: s.Idle, Streams: s.Burst}
			for i := range s.Burst {
				r := p.request(t, s, size, w, PhaseBurst, trial, s.Burst)
				r.Place, r.Fresh = i, true
				b.Requests = append(b.Requests, r)
			}
			out = append(out, b)
		}
	}
	return out
}

// probeBlocks: conformance does not change with the hour, so it is asked in the
// first window only.
func (p *Plan) probeBlocks() []Block {
	if len(p.Probes) == 0 {
		return nil
	}
	b := Block{Streams: p.Parallel, Apart: true}
	for i := range probeRepeats {
		var round []Request
		for _, t := range p.Targets {
			round = append(round, p.probeRequests(t, i)...)
		}
		p.rng("probes", i).Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
		b.Requests = append(b.Requests, round...)
	}
	return []Block{b}
}

// request fills in what all requests have. Trials of one number get the same
// prompt, whatever the target.
func (p *Plan) request(t *Target, s *Scenario, size, w int, phase string, trial, concurrency int) Request {
	return Request{
		Target: t, Scenario: s.label(size), Workload: s.Workload, Ends: s.Ends, Phase: phase, Trial: trial, Concurrency: concurrency, Place: -1,
		Prompt: p.prompt(s, w, phase, trial), Size: size, Nonce: s.Nonce, Params: s.paramsOf(t),
	}
}

// prompt chooses from a shuffled list: measured requests go through it from
// its head, over all windows, so that every prompt is used as often as any;
// warm-ups from its tail.
func (p *Plan) prompt(s *Scenario, w int, phase string, trial int) *Prompt {
	n := len(s.Prompts)
	if n == 1 {
		return s.Prompts[0]
	}
	if s.shuffled == nil {
		s.shuffled = p.rng("prompts", s.Name).Perm(n)
	}
	at := (w*p.Trials + trial) % n
	switch {
	case phase == PhaseWarmup:
		at = n - 1 - (w*p.Warmup+trial)%n
	case s.Mode == ColdStart, s.Mode == Burst:
		at = (w*s.Trials + trial) % n
	}
	return s.Prompts[s.shuffled[at]]
}

// turns gives the targets in the order of one round.
func (p *Plan) turns(what ...any) []*Target {
	out := append([]*Target(nil), p.Targets...)
	if p.Order == Interleaved {
		p.rng(what...).Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return out
}

// rng gives numbers that depend on the plan's seed and on what they are for, so
// that a scenario added to a plan changes no other.
func (p *Plan) rng(what ...any) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%#v", what)
	return rand.New(rand.NewPCG(p.Seed, h.Sum64()))
}

// paramsOf are the parameters of a target's requests, which share them.
func (s *Scenario) paramsOf(t *Target) map[string]any {
	if s.byTarget[t] == nil {
		if s.byTarget == nil {
			s.byTarget = map[*Target]map[string]any{}
		}
		s.byTarget[t] = merged(s.Params, t.Params)
	}
	return s.byTarget[t]
}

// merged lays parameters over one another; later ones win.
func merged(layers ...map[string]any) map[string]any {
	out := map[string]any{}
	for _, l := range layers {
		maps.Copy(out, l)
	}
	return out
}

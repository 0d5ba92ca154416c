package plan

import (
	"encoding/json"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/limits"
	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/rules/checks"
)

// Scenario is what is asked of every target.
type Scenario struct {
	At          yamlx.Pos
	Name        string
	Workload    string
	Prompts     []*Prompt
	Nonce       bool // each prompt begins with a number of its own, so that no prompt cache knows it
	Params      map[string]any
	Ends        Ends
	InputTokens []int // lengths that filler brings the prompts to; none: as they are
	Mode        Mode
	Concurrency []int         // closed loop: streams kept open
	Rate        *Rate         // open loop
	Idle        time.Duration // of a cold start or before a burst
	Trials      int           // of cold starts, or of bursts, per window
	Burst       int           // requests at once

	shuffled []int // order of the prompts
	byTarget map[*Target]map[string]any
}

// Mode is how a scenario's requests come.
type Mode uint8

const (
	ClosedLoop Mode = iota // a number of streams kept open
	OpenLoop               // at a rate, however many are open
	ColdStart              // one after a time of silence, then a few more
	Burst                  // many at once, after a time of silence
)

// scenarioFile is a scenario as it is written; zero where the file says nothing.
type scenarioFile struct {
	At          yamlx.Pos       `yaml:"-"`
	Name        string          `yaml:"name"`
	Extends     string          `yaml:"extends"`
	Workload    string          `yaml:"workload"`
	Messages    []message       `yaml:"messages"`
	Prompts     string          `yaml:"prompts"`
	Nonce       bool            `yaml:"nonce"`
	Params      map[string]any  `yaml:"params"`
	Ends        Ends            `yaml:"ends"`
	InputTokens yamlx.List[int] `yaml:"input_tokens"`
	Concurrency yamlx.List[int] `yaml:"concurrency"`
	Rate        *Rate           `yaml:"rate"`
	ColdStart   *coldStart      `yaml:"cold_start"`
	Burst       *burst          `yaml:"burst"`
	Checks      []yaml.Node     `yaml:"checks"`
}

type coldStart struct {
	Idle   time.Duration `yaml:"idle"`
	Trials int           `yaml:"trials"`
}

type burst struct {
	Size      int           `yaml:"size"`
	AfterIdle time.Duration `yaml:"after_idle"`
	Trials    int           `yaml:"trials"`
}

// modes counts the ways of sending that a scenario states.
func (s *scenarioFile) modes() (n int) {
	for _, set := range []bool{len(s.Concurrency) > 0, s.Rate != nil, s.ColdStart != nil, s.Burst != nil} {
		if set {
			n++
		}
	}
	return n
}

// scenarios reads every scenario with what it inherits.
func (r *reader) scenarios(f *file) {
	if len(f.Scenarios) == 0 {
		r.faults.add(f.At.Errorf("a plan needs scenarios"))
	}
	named := map[string]*scenarioFile{} // as resolved, for those that extend it
	var names []string
	for _, node := range f.Scenarios {
		s := r.resolve(&node, named, names)
		if s == nil {
			continue
		}
		if named[s.Name] != nil {
			r.faults.add(s.At.Errorf("scenario %q is listed twice", s.Name))
		}
		named[s.Name] = s
		names = append(names, s.Name)
		r.plan.Scenarios = append(r.plan.Scenarios, r.scenario(s))
	}
}

// resolve reads a scenario over the one that it extends. The file is decoded
// again into a copy, so that no two scenarios share what a pointer holds. What
// excludes what it replaces what was inherited: messages and prompts, and the
// ways of sending.
func (r *reader) resolve(node *yaml.Node, named map[string]*scenarioFile, names []string) *scenarioFile {
	var own scenarioFile
	if err := yamlx.DecodeNode(node, &own); err != nil {
		r.faults.add(err)
		return nil
	}
	switch {
	case own.Name == "":
		r.faults.add(own.At.Errorf("a scenario needs a name"))
		return nil
	case own.modes() > 1:
		r.faults.add(own.At.Errorf("scenario %q: concurrency, rate, cold_start and burst exclude each other", own.Name))
	case len(own.Messages) > 0 && own.Prompts != "":
		r.faults.add(own.At.Errorf("scenario %q: messages and prompts exclude each other", own.Name))
	}
	if own.Extends == "" {
		return &own
	}
	base := named[own.Extends]
	if base == nil {
		err := own.At.Errorf("scenario %q extends %q, which is not listed before it", own.Name, own.Extends)
		if near := nearest.Likely(own.Extends, names); near != "" {
			err.Msg += "; the nearest one is " + near
		}
		r.faults.add(err)
		return nil
	}
	s := base.copy()
	if own.modes() > 0 {
		s.Concurrency, s.Rate, s.ColdStart, s.Burst = nil, nil, nil, nil
	}
	if len(own.Messages) > 0 {
		s.Prompts = ""
	}
	if own.Prompts != "" {
		s.Messages = nil
	}
	if err := yamlx.DecodeNode(node, s); err != nil {
		r.faults.add(err) // as before: own was read without fault
	}
	return s
}

// copy shares nothing that decoding another scenario over it would change.
func (s *scenarioFile) copy() *scenarioFile {
	c := *s
	c.Params = map[string]any{}
	for k, v := range s.Params {
		c.Params[k] = v
	}
	if s.Rate != nil {
		c.Rate = new(*s.Rate)
	}
	if s.ColdStart != nil {
		c.ColdStart = new(*s.ColdStart)
	}
	if s.Burst != nil {
		c.Burst = new(*s.Burst)
	}
	return &c
}

// scenario checks and completes a scenario.
func (r *reader) scenario(f *scenarioFile) *Scenario {
	s := &Scenario{At: f.At, Name: f.Name, Workload: f.Workload, Nonce: f.Nonce, Params: f.Params, Ends: f.Ends, InputTokens: f.InputTokens}
	fail := func(key, format string, args ...any) {
		path := strings.Fields(strings.ReplaceAll(key, ":", "")) // "burst: size" stands at burst.size
		r.faults.add(f.At.Key(path...).Errorf("scenario %q: "+format, append([]any{f.Name}, args...)...))
	}
	if s.Ends == "" {
		s.Ends = EndsNatural
	}
	switch {
	case f.Rate != nil:
		s.Mode, s.Rate = OpenLoop, f.Rate
		r.rate(f.Rate)
	case f.ColdStart != nil:
		s.Mode, s.Idle, s.Trials = ColdStart, f.ColdStart.Idle, max(f.ColdStart.Trials, 1)
		if s.Idle <= 0 || f.ColdStart.Trials < 0 {
			fail("cold_start", "cold_start needs idle, the time of silence, longer than 0; and trials not negative")
		}
		r.most(fail, "cold_start: trials", s.Trials, limits.PlanRequests)
	case f.Burst != nil:
		s.Mode, s.Burst, s.Idle, s.Trials = Burst, f.Burst.Size, f.Burst.AfterIdle, max(f.Burst.Trials, 1)
		if s.Burst < 2 || s.Idle < 0 || f.Burst.Trials < 0 {
			fail("burst", "burst needs size, at least 2; after_idle and trials not negative")
		}
		r.most(fail, "burst: size", s.Burst, limits.PlanRequests)
		r.most(fail, "burst: trials", s.Trials, limits.PlanRequests)
	default:
		if s.Concurrency = f.Concurrency; len(s.Concurrency) == 0 {
			s.Concurrency = []int{1}
		}
		r.levels(fail, "concurrency", s.Concurrency, limits.PlanRequests)
	}
	r.levels(fail, "input_tokens", s.InputTokens, limits.InputTokens)
	r.params(f.At, s.Params)
	list, err := readChecks(f.Checks)
	r.faults.add(err)
	s.Prompts = r.prompts(f, list)
	return s
}

func (r *reader) most(fail func(string, string, ...any), key string, n, most int) {
	if n > most {
		fail(key, "%s must be at most %d", key, most)
	}
}

// levels must be positive and differ.
func (r *reader) levels(fail func(string, string, ...any), key string, levels []int, most int) {
	seen := map[int]bool{}
	for _, n := range levels {
		if n < 1 {
			fail(key, "%s must be at least 1", key)
		}
		r.most(fail, key, n, most)
		if seen[n] {
			fail(key, "%s lists %d twice", key, n)
		}
		seen[n] = true
	}
}

// readChecks gives a scenario's checks as the JSON that recordings keep; nil
// for none.
func readChecks(nodes []yaml.Node) (json.RawMessage, error) {
	if len(nodes) == 0 {
		return nil, nil
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range nodes {
		list.Content = append(list.Content, &nodes[i])
	}
	return checks.FromYAML(list)
}

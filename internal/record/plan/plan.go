// Package plan reads a plan, and turns it into the requests to send and their
// order.
//
// A plan names targets (a model at a provider) and scenarios (what is asked of
// every target). Its schedule is made of blocks: requests that belong
// together, with how many may be open at a time and how long their targets
// must have been left alone before. The same plan gives the same schedule.
package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/limits"
	"aircheck/internal/kit/yamlx"
)

// Plan is a plan as read, defaults filled in.
type Plan struct {
	Name          string
	Seed          uint64
	PrimaryMetric string
	Vantage       string
	Windows       Windows
	Trials        int // measured requests per cell and window
	Warmup        int // leading requests per cell and window
	Order         Order
	// Parallel is how many providers may be asked at a time in scenarios of
	// concurrency 1; never one provider twice.
	Parallel int
	Budget   *Budget // nil: none
	// OnDeadTarget says what becomes of a target that refuses everything it is
	// asked for a reason that does not pass by itself.
	OnDeadTarget DeadTarget
	Timeouts     Timeouts
	Content      Content
	// HashKeyEnv is the environment variable that holds the key of hashes; without
	// one it is drawn for each run.
	HashKeyEnv  string
	Connections Connections
	Targets     []*Target
	Scenarios   []*Scenario
	Probes      []string

	Source []byte // the file, byte for byte
}

// Windows are repeated rounds of the whole plan, the unit of independence.
type Windows struct {
	Count int           `yaml:"count"`
	Every time.Duration `yaml:"every"` // from start to start; 0: one after the other
}

// Timeouts bound each request.
type Timeouts struct {
	Connect   time.Duration `yaml:"connect"`
	FirstByte time.Duration `yaml:"first_byte"`
	Idle      time.Duration `yaml:"idle"`
	Total     time.Duration `yaml:"total"`
}

// file is the plan as it is written.
type file struct {
	At            yamlx.Pos             `yaml:"-"`
	Name          string                `yaml:"name"`
	Seed          uint64                `yaml:"seed"`
	PrimaryMetric string                `yaml:"primary_metric"`
	Vantage       string                `yaml:"vantage"`
	Windows       Windows               `yaml:"windows"`
	Trials        int                   `yaml:"trials"`
	Warmup        int                   `yaml:"warmup"`
	Order         Order                 `yaml:"order"`
	Parallel      int                   `yaml:"parallel"`
	Budget        *Budget               `yaml:"budget"`
	OnDeadTarget  DeadTarget            `yaml:"on_dead_target"`
	Timeouts      Timeouts              `yaml:"timeouts"`
	Content       Content               `yaml:"content"`
	HashKeyEnv    string                `yaml:"hash_key_env"`
	Connections   Connections           `yaml:"connections"`
	Targets       []*targetEntry        `yaml:"targets"`
	Scenarios     []yaml.Node           `yaml:"scenarios"`
	Probes        yamlx.List[probeName] `yaml:"probes"`
}

// maxUSD leaves room for sums in nano-dollars.
const maxUSD = 1e9

// Budget is what a run may cost.
type Budget struct {
	At  yamlx.Pos `yaml:"-"`
	USD *float64  `yaml:"usd"`
	// UnknownUSD is what a request counts as where no price is known, or nothing
	// bounds its answer; nil: such a plan is refused.
	UnknownUSD *float64 `yaml:"unknown_usd"`
}

// Load reads a plan. Files that it names are found beside it. The error, where
// it is about the plan's text, is yamlx.Errors: every fault with its line and
// column.
func Load(path string) (*Plan, error) {
	data, err := yamlx.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	return Parse(data, path)
}

// Parse is Load for a plan in memory; name is what faults call it, and where
// files that it names are looked for.
func Parse(data []byte, name string) (*Plan, error) {
	r := reader{dir: filepath.Dir(name)}
	if err := yamlx.Decode(data, name, &r); err != nil {
		return nil, err
	}
	p := r.plan
	p.Source = data
	if p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	return p, nil
}

// Hash is the plan's SHA-256 in hex, over its bytes as read.
func (p *Plan) Hash() string {
	sum := sha256.Sum256(p.Source)
	return hex.EncodeToString(sum[:])
}

// reader turns a file into a plan.
type reader struct {
	dir    string
	plan   *Plan
	faults faults
}

// UnmarshalYAML reads the file's shape, then what needs more of it than one
// place: scenarios that extend others, prompts, checks.
func (r *reader) UnmarshalYAML(n *yaml.Node) error {
	f := file{
		Seed: 1, Windows: Windows{Count: 1}, Trials: 25, Warmup: 3, Order: Interleaved, Parallel: 1,
		Timeouts: Timeouts{Connect: 10 * time.Second, FirstByte: 60 * time.Second, Idle: 30 * time.Second, Total: 300 * time.Second},
		Content:  ContentFull, Connections: Keep, OnDeadTarget: Pause,
	}
	if err := yamlx.DecodeNode(n, &f); err != nil {
		r.faults.add(err)
		for i := range f.Scenarios { // their faults, too; what is missing may only be misspelt
			r.faults.add(yamlx.DecodeNode(&f.Scenarios[i], &scenarioFile{}))
		}
		return r.faults.err()
	}
	p := &Plan{Name: f.Name, Seed: f.Seed, PrimaryMetric: f.PrimaryMetric, Vantage: f.Vantage, Windows: f.Windows,
		Trials: f.Trials, Warmup: f.Warmup, Order: f.Order, Parallel: f.Parallel, Timeouts: f.Timeouts,
		Content: f.Content, HashKeyEnv: f.HashKeyEnv, Connections: f.Connections, Budget: f.Budget, OnDeadTarget: f.OnDeadTarget}
	r.plan = p
	r.numbers(&f)
	r.targets(&f)
	r.scenarios(&f)
	r.limits()
	for _, name := range f.Probes {
		p.Probes = append(p.Probes, string(name))
	}
	if n := p.count(); n > limits.PlanRequests {
		r.faults.add(f.At.Errorf("the plan makes %.0f requests; %d are the most of one run", n, limits.PlanRequests))
	}
	return r.faults.err()
}

// count is how many requests the schedule has.
func (p *Plan) count() float64 {
	sum := 0.0
	for _, s := range p.Scenarios {
		n := 0.0
		switch s.Mode {
		case OpenLoop:
			n = float64(p.Warmup + p.Trials)
			if s.Rate.Arrivals == Trace {
				n = float64(p.Warmup + len(s.Rate.trace))
			}
		case ColdStart:
			n = float64(s.Trials) * (1 + afterCold)
		case Burst:
			n = float64(s.Trials) * float64(s.Burst)
		default:
			for _, c := range s.Concurrency {
				n += float64(atLeast(p.Warmup, c) + max(p.Trials, c))
			}
		}
		sum += n * float64(len(sizes(s)))
	}
	return (sum*float64(p.Windows.Count) + float64(len(p.Probes)*2*probeRepeats)) * float64(len(p.Targets))
}

// numbers checks the plan's own values.
func (r *reader) numbers(f *file) {
	for _, c := range []struct {
		bad  bool
		key  string // of the value that is wrong
		what string
	}{
		{f.Windows.Count < 1, "windows count", "windows: count must be at least 1"},
		{f.Windows.Every < 0, "windows every", "windows: every must not be negative"},
		{float64(f.Windows.Count)*float64(f.Windows.Every) > math.MaxInt64, "windows every", "windows: the last one would be centuries away"},
		{f.Trials < 1, "trials", "trials must be at least 1"},
		{f.Warmup < 0, "warmup", "warmup must not be negative"},
		{f.Parallel < 1, "parallel", "parallel must be at least 1"},
		{f.Timeouts.Connect <= 0, "timeouts connect", "timeouts must be longer than 0"},
		{f.Timeouts.FirstByte <= 0, "timeouts first_byte", "timeouts must be longer than 0"},
		{f.Timeouts.Idle <= 0, "timeouts idle", "timeouts must be longer than 0"},
		{f.Timeouts.Total <= 0, "timeouts total", "timeouts must be longer than 0"},
	} {
		if c.bad {
			r.faults.add(f.At.Key(strings.Fields(c.key)...).Errorf("%s", c.what))
		}
	}
	for _, c := range []struct {
		key string
		n   int
	}{{"windows: count", f.Windows.Count}, {"trials", f.Trials}, {"warmup", f.Warmup}, {"parallel", f.Parallel}} {
		if c.n > limits.PlanRequests {
			r.faults.add(f.At.Key(strings.Fields(strings.ReplaceAll(c.key, ":", ""))...).Errorf("%s must be at most %d", c.key, limits.PlanRequests))
		}
	}
	if f.HashKeyEnv != "" && f.Content != ContentHash {
		r.faults.add(f.At.Key("hash_key_env").Errorf("hash_key_env belongs to content: hash"))
	}
	if b := f.Budget; b != nil {
		switch {
		case b.USD == nil:
			r.faults.add(b.At.Errorf("a budget needs usd, the most that the run may cost"))
		case *b.USD <= 0:
			r.faults.add(b.At.Key("usd").Errorf("budget: usd must be more than 0"))
		case *b.USD > maxUSD:
			r.faults.add(b.At.Key("usd").Errorf("budget: usd must be at most %.0f", maxUSD))
		case b.UnknownUSD != nil && !(*b.UnknownUSD > 0 && *b.UnknownUSD <= *b.USD):
			r.faults.add(b.At.Key("unknown_usd").Errorf("budget: unknown_usd must be more than 0, and no more than usd"))
		}
	}
}

// faults gathers what is wrong, each thing once.
type faults struct{ all yamlx.Errors }

func (l *faults) add(err error) {
	if err == nil {
		return
	}
	var many yamlx.Errors
	if !errors.As(err, &many) {
		var one *yamlx.Error
		if !errors.As(err, &one) {
			one = &yamlx.Error{Msg: err.Error()}
		}
		many = yamlx.Errors{one}
	}
next:
	for _, e := range many {
		for _, have := range l.all {
			if *have == *e {
				continue next
			}
		}
		l.all = append(l.all, e)
	}
}

func (l *faults) err() error {
	if len(l.all) == 0 {
		return nil
	}
	return l.all
}

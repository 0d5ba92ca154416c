package simulate

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/yamlx"
)

// Fleet is a set of providers and how they behave.
type Fleet struct {
	Name string
	Seed uint64
	// Window is the length of the fleet's windows, which conditions and changes
	// refer to; 0 if they are only set by hand (Server.SetWindow).
	Window    time.Duration
	Providers []*Provider
	// Starts is the wall time at which the fleet's clock starts: of virtual
	// time, and of what depends on the hour of the day. A server that is given
	// none starts at midnight.
	Starts time.Time
	// Facts are what is planted on purpose, to be found again.
	Facts []Fact
	// Plans are what is recorded of the fleet in virtual time.
	Plans []Recording

	mu     sync.Mutex
	levels map[levelKey][]float64
}

// Fact is something planted: behaviour of some models at some providers,
// laid over all else. A decoy only looks as if something were.
type Fact struct {
	Name  string
	Says  string
	Decoy bool
	At    []Place // where it is planted; nowhere if it follows from all of the fleet
}

// Place is one model at one provider.
type Place struct{ Provider, Model string }

// Recording is a plan without targets, and when in the fleet's time its first
// window begins.
type Recording struct {
	After     time.Duration
	Providers []string // empty: all
	Models    []string
	Plan      yaml.Node
}

// Provider is one path prefix of the server: /NAME/v1/….
type Provider struct {
	Name string
	// APIs are the dialects it speaks; all if empty.
	APIs   []string
	Models []*Model
}

// Model is one model at one provider.
type Model struct {
	Name string // canonical
	ID   string // as requests name it; Name unless the file says otherwise

	provider string

	layers  []yaml.Node // of behaviour, later ones override
	changes []change

	mu     sync.Mutex
	active map[string]*Behaviour // by the changes that hold
}

// Span says when a change holds: in the windows listed, and between two times
// since the fleet's clock started (until 0: to the end).
type Span struct {
	Windows yamlx.List[int] `yaml:"windows"`
	From    time.Duration   `yaml:"from"`
	Until   time.Duration   `yaml:"until"`
	// Hours are the hours of the day that it holds in, UTC: [18, 23] is from
	// six to eleven in the evening, [22, 4] goes over midnight.
	Hours yamlx.List[int] `yaml:"hours"`
}

// moment is a point of the fleet's time.
type moment struct {
	elapsed time.Duration
	window  int
	hour    int // of the day
}

func (f *Fleet) moment(at time.Duration, window int) moment {
	return moment{at, window, int(f.timeOfDay(at).Hours())}
}

func (s Span) holds(m moment) bool {
	return (len(s.Windows) == 0 || slices.Contains(s.Windows, m.window)) &&
		m.elapsed >= s.From && (s.Until == 0 || m.elapsed < s.Until) && s.daily(m.hour)
}

func (s Span) daily(hour int) bool {
	if len(s.Hours) != 2 {
		return true
	}
	from, to := s.Hours[0], s.Hours[1]
	if from <= to {
		return hour >= from && hour < to
	}
	return hour >= from || hour < to
}

// check returns what no type can rule out; "" if nothing.
func (s Span) check() string {
	if n := len(s.Hours); n != 0 && (n != 2 || s.Hours[0] < 0 || s.Hours[1] < 0 || s.Hours[0] > 24 || s.Hours[1] > 24) {
		return "hours wants two hours of the day, such as [18, 23]"
	}
	return ""
}

type change struct {
	span Span
	node yaml.Node
}

// The file's shape. Behaviours stay nodes until the chain that they are a part
// of is known.
type (
	fleetFile struct {
		At        yamlx.Pos            `yaml:"-"`
		Fleet     string               `yaml:"fleet"`
		Seed      uint64               `yaml:"seed"`
		Window    time.Duration        `yaml:"window"`
		Behaviour yaml.Node            `yaml:"behaviour"`
		Models    map[string]yaml.Node `yaml:"models"`
		Providers []providerFile       `yaml:"providers"`
		Starts    time.Time            `yaml:"starts"`
		Facts     []factFile           `yaml:"facts"`
		Plans     []yaml.Node          `yaml:"plans"`
	}
	factFile struct {
		At    yamlx.Pos   `yaml:"-"`
		Name  string      `yaml:"name"`
		Says  string      `yaml:"says"`
		Decoy bool        `yaml:"decoy"`
		Plant []yaml.Node `yaml:"plant"`
	}
	// plantLayer is a change that names whom it concerns.
	plantLayer struct {
		Providers yamlx.List[string] `yaml:"providers"`
		Models    yamlx.List[string] `yaml:"models"`
		Change    changeLayer        `yaml:",inline"`
	}
	providerFile struct {
		At        yamlx.Pos          `yaml:"-"`
		Name      string             `yaml:"name"`
		API       yamlx.List[string] `yaml:"api"`
		Behaviour yaml.Node          `yaml:"behaviour"`
		Models    []yaml.Node        `yaml:"models"`
	}
	layer struct {
		Behaviour Behaviour   `yaml:",inline"`
		Changes   []yaml.Node `yaml:"changes"`
	}
	modelLayer struct {
		Name  string `yaml:"name"`
		ID    string `yaml:"id"`
		Layer layer  `yaml:",inline"`
	}
	changeLayer struct {
		Span      Span      `yaml:",inline"`
		Behaviour Behaviour `yaml:",inline"`
	}
)

// Load reads a fleet file.
func Load(path string) (*Fleet, error) {
	data, err := yamlx.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read fleet: %w", err)
	}
	return Parse(data, path)
}

// Parse reads a fleet from YAML; name is what faults call the file. Its error
// is yamlx.Errors: every fault with its line and column.
func Parse(data []byte, name string) (*Fleet, error) {
	var f Fleet
	if err := yamlx.Decode(data, name, &f); err != nil {
		return nil, err
	}
	return &f, nil
}

// UnmarshalYAML reads the file's shape and then each model's chain of
// behaviours.
func (f *Fleet) UnmarshalYAML(n *yaml.Node) error {
	var file fleetFile
	if err := yamlx.DecodeNode(n, &file); err != nil {
		return err
	}
	*f = Fleet{Name: file.Fleet, Seed: file.Seed, Window: file.Window, Starts: file.Starts}
	var faults faultList
	if len(file.Providers) == 0 {
		faults.add(file.At.Errorf("a fleet needs providers"))
	}
	served := map[string]bool{}
	for _, pf := range file.Providers {
		p := &Provider{Name: pf.Name, APIs: pf.API}
		if pf.Name == "" || !pathWord(pf.Name) {
			faults.add(pf.At.Errorf("a provider needs a name of letters, digits, - and _; got %q", pf.Name))
		}
		if f.Provider(pf.Name) != nil {
			faults.add(pf.At.Errorf("provider %q is listed twice", pf.Name))
		}
		for _, api := range pf.API {
			if dialectNamed(api) == nil {
				faults.add(pf.At.Errorf("unknown api %q; %s", api, nearest.Or("one", api, APIs())))
			}
		}
		if len(pf.Models) == 0 {
			faults.add(pf.At.Errorf("provider %q needs models", pf.Name))
		}
		for _, node := range pf.Models {
			m, err := newModel(node, file, pf)
			faults.add(err)
			if m == nil {
				continue
			}
			served[m.Name] = true
			if p.model(m.ID) != nil {
				faults.add(yamlx.Errorf(&node, "model %q of provider %q is listed twice", m.ID, p.Name))
			}
			p.Models = append(p.Models, m)
		}
		f.Providers = append(f.Providers, p)
	}
	if len(faults.all) == 0 {
		f.plant(file.Facts, &faults)
		f.recordings(file.Plans, &faults)
	}
	for name, node := range file.Models {
		if !served[name] && len(faults.all) == 0 { // a model that was not read serves nothing
			faults.add(yamlx.Errorf(&node, "no provider serves model %q", name))
		}
	}
	return faults.err()
}

// newModel reads a provider's entry for a model, with all that it inherits.
func newModel(node yaml.Node, file fleetFile, pf providerFile) (*Model, error) {
	var own modelLayer
	own.Layer.Behaviour = defaults()
	if err := yamlx.DecodeNode(&node, &own); err != nil {
		return nil, err
	}
	if own.Name == "" {
		return nil, yamlx.Errorf(&node, "a model needs a name")
	}
	m := &Model{Name: own.Name, ID: own.ID, provider: pf.Name, active: map[string]*Behaviour{}}
	if m.ID == "" {
		m.ID = m.Name
	}
	for _, l := range []yaml.Node{file.Behaviour, file.Models[m.Name], pf.Behaviour, node} {
		if !l.IsZero() {
			m.layers = append(m.layers, l)
		}
	}
	for i, l := range m.layers {
		var shape modelLayer // for its changes
		shape.Layer.Behaviour = defaults()
		if err := yamlx.DecodeNode(&l, &shape); err != nil {
			return nil, err
		}
		if i < len(m.layers)-1 && shape.Name+shape.ID != "" {
			return nil, yamlx.Errorf(&l, "name and id belong to a provider's entry for a model")
		}
		for _, c := range shape.Layer.Changes {
			cl := changeLayer{Behaviour: defaults()}
			if err := yamlx.DecodeNode(&c, &cl); err != nil {
				return nil, err
			}
			if wrong := cl.Span.check(); wrong != "" {
				return nil, yamlx.Errorf(&c, "%s", wrong)
			}
			m.changes = append(m.changes, change{cl.Span, c})
		}
	}
	return m, m.check(-1)
}

// check reads the behaviour without changes, and with each from one on.
func (m *Model) check(from int) error {
	for i := from; i < len(m.changes); i++ {
		var with []int
		at := &m.layers[len(m.layers)-1]
		if i >= 0 {
			with, at = []int{i}, &m.changes[i].node
		}
		b, err := m.resolve(with)
		if err != nil {
			return err
		}
		if wrong := b.check(); wrong != "" {
			return yamlx.Errorf(at, "%s", wrong)
		}
	}
	return nil
}

// resolve reads the layers, then the changes numbered, one over the other. It
// decodes again each time, so that no two behaviours share what a pointer holds.
func (m *Model) resolve(changes []int) (*Behaviour, error) {
	b := defaults()
	for i := range m.layers {
		l := modelLayer{Layer: layer{Behaviour: b}}
		if err := yamlx.DecodeNode(&m.layers[i], &l); err != nil {
			return &b, err
		}
		b = l.Layer.Behaviour
	}
	for _, i := range changes {
		c := plantLayer{Change: changeLayer{Behaviour: b}}
		if err := yamlx.DecodeNode(&m.changes[i].node, &c); err != nil {
			return &b, err
		}
		b = c.Change.Behaviour
	}
	return &b, nil
}

// at returns the behaviour that holds at a moment of the fleet's clock.
func (m *Model) at(now moment) *Behaviour {
	var on []int
	for i, c := range m.changes {
		if c.span.holds(now) {
			on = append(on, i)
		}
	}
	key := fmt.Sprint(on)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.active[key] == nil {
		m.active[key], _ = m.resolve(on) // each part was read without fault by newModel
	}
	return m.active[key]
}

// Provider returns the provider of that name, nil if there is none.
func (f *Fleet) Provider(name string) *Provider {
	for _, p := range f.Providers {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// model finds a model by what requests call it.
func (p *Provider) model(id string) *Model {
	for _, m := range p.Models {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// pathWord reports whether s can stand as one segment of a URL's path.
func pathWord(s string) bool {
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
		default:
			return false
		}
	}
	return true
}

// faultList gathers faults, each place once: a layer shared by many models is
// read for each of them.
type faultList struct {
	seen map[string]bool
	all  yamlx.Errors
}

func (l *faultList) add(err error) {
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
	for _, e := range many {
		if l.seen == nil {
			l.seen = map[string]bool{}
		}
		if !l.seen[e.Error()] {
			l.seen[e.Error()] = true
			l.all = append(l.all, e)
		}
	}
}

func (l *faultList) err() error {
	if len(l.all) == 0 {
		return nil
	}
	return l.all
}

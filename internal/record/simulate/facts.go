package simulate

import (
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/yamlx"
)

// plant lays the facts over the models that they name, later ones over earlier.
func (f *Fleet) plant(facts []factFile, faults *faultList) {
	named := map[string]bool{}
	for _, fact := range facts {
		if fact.Name == "" || fact.Says == "" || named[fact.Name] {
			faults.add(fact.At.Errorf("a fact needs a name of its own, and says, which tells it in words"))
		}
		named[fact.Name] = true
		planted := Fact{Name: fact.Name, Says: fact.Says, Decoy: fact.Decoy}
		for _, node := range fact.Plant {
			at, err := f.plantOne(node)
			faults.add(err)
			planted.At = append(planted.At, at...)
		}
		f.Facts = append(f.Facts, planted)
	}
}

func (f *Fleet) plantOne(node yaml.Node) (at []Place, err error) {
	l := plantLayer{Change: changeLayer{Behaviour: defaults()}}
	if err := yamlx.DecodeNode(&node, &l); err != nil {
		return nil, err
	}
	if wrong := l.Change.Span.check(); wrong != "" {
		return nil, yamlx.Errorf(&node, "%s", wrong)
	}
	models := f.models(l.Providers, l.Models)
	if len(models) == 0 {
		return nil, yamlx.Errorf(&node, "no model is planted on: none of these providers serves one of these models")
	}
	for _, m := range models {
		m.changes = append(m.changes, change{l.Change.Span, node})
		if err := m.check(len(m.changes) - 1); err != nil {
			return nil, err
		}
		at = append(at, Place{m.provider, m.Name})
	}
	return at, nil
}

// models are those of these names at these providers; of all where none is
// named.
func (f *Fleet) models(providers, names []string) []*Model {
	var out []*Model
	for _, p := range f.Providers {
		if len(providers) > 0 && !contains(providers, p.Name) {
			continue
		}
		for _, m := range p.Models {
			if len(names) == 0 || contains(names, m.Name) {
				out = append(out, m)
			}
		}
	}
	return out
}

// recordings takes apart what a plan of the fleet's file has beside a plan.
func (f *Fleet) recordings(nodes []yaml.Node, faults *faultList) {
	for _, node := range nodes {
		var own struct {
			After   time.Duration `yaml:"after"`
			Targets struct {
				Providers yamlx.List[string] `yaml:"providers"`
				Models    yamlx.List[string] `yaml:"models"`
			} `yaml:"targets"`
		}
		plain := yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		mine := plain
		for i := 0; i+1 < len(node.Content); i += 2 {
			to := &plain
			if k := node.Content[i].Value; k == "after" || k == "targets" {
				to = &mine
			}
			to.Content = append(to.Content, node.Content[i], node.Content[i+1])
		}
		mine.Line, mine.Column = node.Line, node.Column
		if err := yamlx.DecodeNode(&mine, &own); err != nil {
			faults.add(err)
			continue
		}
		if len(f.models(own.Targets.Providers, own.Targets.Models)) == 0 {
			faults.add(yamlx.Errorf(&node, "a plan asks nobody: none of these providers serves one of these models"))
		}
		f.Plans = append(f.Plans, Recording{own.After, own.Targets.Providers, own.Targets.Models, plain})
	}
}

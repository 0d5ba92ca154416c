package plan

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/yamlx"
)

// targetEntry is one item of targets: a target, or every model of a list at
// every provider of another.
type targetEntry struct {
	Target    `yaml:",inline"`
	Providers *named[Endpoint]  `yaml:"providers"`
	Models    *named[modelFile] `yaml:"models"`
	Except    []pair            `yaml:"except"`
}

// modelFile is a model as all providers of an entry serve it.
type modelFile struct {
	IDs    map[string]string `yaml:"ids"` // by provider, where another name than the model's is sent
	Meta   Meta              `yaml:"meta"`
	Params map[string]any    `yaml:"params"`
}

// pair takes combinations out of an entry; a part that is left out stands for
// all.
type pair struct {
	At       yamlx.Pos          `yaml:"-"`
	Provider yamlx.List[string] `yaml:"provider"`
	Model    yamlx.List[string] `yaml:"model"`
}

func (p *pair) has(provider, model string) bool {
	return (len(p.Provider) == 0 || slices.Contains(p.Provider, provider)) && (len(p.Model) == 0 || slices.Contains(p.Model, model))
}

// expand gives the targets of an entry: models in their order, and each at the
// providers in theirs.
func (r *reader) expand(e *targetEntry) []*Target {
	if e.Providers == nil && e.Models == nil {
		if len(e.Except) > 0 {
			r.faults.add(e.At.Errorf("except belongs to providers and models"))
		}
		return []*Target{&e.Target}
	}
	if e.Providers == nil || e.Models == nil || len(e.Providers.names) == 0 || len(e.Models.names) == 0 {
		r.faults.add(e.At.Errorf("providers and models need each other: every model is asked at every provider"))
		return nil
	}
	if e.Provider != "" || e.Model != "" || e.ModelID != "" || e.BaseURL != "" {
		r.faults.add(e.At.Errorf("a target is either provider and model, or providers and models"))
		return nil
	}
	r.namesOf(e)
	var out []*Target
	for _, model := range e.Models.names {
		m := e.Models.of[model]
		for _, provider := range e.Providers.names {
			if slices.ContainsFunc(e.Except, func(p pair) bool { return p.has(provider, model) }) {
				continue
			}
			t := &Target{At: e.Providers.at[provider], Provider: provider, Model: model, ModelID: m.IDs[provider], Endpoint: e.Providers.of[provider].over(&e.Endpoint)}
			t.Meta = m.Meta.over(t.Meta)
			t.Params = merged(t.Params, m.Params)
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		r.faults.add(e.At.Errorf("except leaves no target"))
	}
	return out
}

// namesOf finds names that an entry uses and does not list.
func (r *reader) namesOf(e *targetEntry) {
	known := func(at yamlx.Pos, where, kind, name string, names []string) {
		if !slices.Contains(names, name) {
			r.faults.add(at.Errorf("%s: %q is none of %s; %s", where, name, kind, nearest.Or("one", name, names)))
		}
	}
	for i := range e.Except {
		p := &e.Except[i]
		if len(p.Provider)+len(p.Model) == 0 {
			r.faults.add(p.At.Errorf("except: name a provider, a model, or both"))
		}
		for _, name := range p.Provider {
			known(p.At, "except", "providers", name, e.Providers.names)
		}
		for _, name := range p.Model {
			known(p.At, "except", "models", name, e.Models.names)
		}
	}
	for _, model := range e.Models.names {
		for name := range e.Models.of[model].IDs {
			known(e.Models.at[model], "ids", "providers", name, e.Providers.names)
		}
	}
}

// over fills what an endpoint does not state from another.
func (e Endpoint) over(base *Endpoint) Endpoint {
	first := func(v *string, other string) {
		if *v == "" {
			*v = other
		}
	}
	if e.API == "" {
		e.API = base.API
	}
	first(&e.KeyEnv, base.KeyEnv)
	first(&e.Region, base.Region)
	first((*string)(&e.HTTP), string(base.HTTP))
	if e.Limit == nil {
		e.Limit = base.Limit
	}
	e.Meta = e.Meta.over(base.Meta)
	e.Params = merged(base.Params, e.Params)
	headers := map[string]string{}
	for _, layer := range []map[string]string{base.Headers, e.Headers} {
		for k, v := range layer {
			headers[k] = v
		}
	}
	e.Headers = headers
	return e
}

// over fills what is not declared from another declaration.
func (m Meta) over(base Meta) Meta {
	for _, p := range []struct{ v, base **string }{
		{&m.Precision, &base.Precision}, {&m.Architecture, &base.Architecture}, {&m.ServiceTier, &base.ServiceTier}, {&m.Residency, &base.Residency},
	} {
		if *p.v == nil {
			*p.v = *p.base
		}
	}
	if m.Reasoning == nil {
		m.Reasoning = base.Reasoning
	}
	if len(base.Labels) > 0 {
		labels := map[string]string{}
		for _, layer := range []map[string]string{base.Labels, m.Labels} {
			for k, v := range layer {
				labels[k] = v
			}
		}
		m.Labels = labels
	}
	return m
}

// named is a mapping whose order counts.
type named[T any] struct {
	names []string
	of    map[string]*T
	at    map[string]yamlx.Pos
}

// UnmarshalYAML reads the mapping, then its keys in their order: its own before
// those that it merges in.
func (n *named[T]) UnmarshalYAML(node *yaml.Node) error {
	if err := yamlx.DecodeNode(node, &n.of); err != nil {
		return err
	}
	n.at = map[string]yamlx.Pos{}
	var walk func(node *yaml.Node)
	walk = func(node *yaml.Node) {
		switch node.Kind {
		case yaml.AliasNode:
			walk(node.Alias)
		case yaml.SequenceNode:
			for _, c := range node.Content {
				walk(c)
			}
		case yaml.MappingNode:
			for i := 0; i+1 < len(node.Content); i += 2 {
				key := node.Content[i]
				if key.Tag == "!!merge" {
					defer walk(node.Content[i+1])
				} else if v, known := n.of[key.Value]; known && !slices.Contains(n.names, key.Value) {
					n.names = append(n.names, key.Value)
					n.at[key.Value] = yamlx.Pos{Line: key.Line, Column: key.Column}
					if v == nil { // a name without anything beside it
						n.of[key.Value] = new(T)
					}
				}
			}
		}
	}
	walk(node)
	return nil
}

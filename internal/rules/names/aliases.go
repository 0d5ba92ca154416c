// Package names brings the many names that sources give to a provider or a
// model together.
package names

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"aircheck/internal/kit/yamlx"
	"aircheck/schema"
)

// Aliases say which names mean the same. In a file:
//
//	providers:
//	  groq: [groq.com, api.groq.com]
//	models:
//	  llama-3-70b-instruct: [llama3-70b-8192, Llama-3-70b-chat-hf]
//	ids:   # whole model ids that say more than a rule can take from them
//	  fixie-mistral.eastus2.azure: {provider: azure.eastus2, model: mistral-large, region: eastus2}
//
// Case does not matter. What one entry of ids leaves out comes from the rules.
type Aliases struct {
	Providers map[string]yamlx.List[string] `yaml:"providers"`
	Models    map[string]yamlx.List[string] `yaml:"models"`
	IDs       map[string]ID                 `yaml:"ids"`
	// Common says whether the names that come with the program hold beside the
	// file's own.
	Common bool `yaml:"common"`
}

//go:embed default.yaml
var defaultFile []byte

// Default are the names that come with the program.
var Default = sync.OnceValue(func() *Aliases {
	a, err := ParseAliases(defaultFile, "default.yaml")
	if err != nil {
		panic(err)
	}
	return a
})

// Common is the text of an alias file by which the names that come with the
// program hold, and no others.
const Common = "common: true\n"

// Tables are the tables that hold for an alias file, the later before the
// earlier: its own, and the program's where it asks for them. a may be nil.
func Tables(a *Aliases) []*Aliases {
	switch {
	case a == nil:
		return nil
	case a.Common:
		return []*Aliases{Default(), a}
	}
	return []*Aliases{a}
}

// ID is what a whole model id stands for; "" where the entry does not say.
type ID struct {
	Provider  string `yaml:"provider"`
	Model     string `yaml:"model"`
	Region    string `yaml:"region"`
	Precision string `yaml:"precision"`
}

// ReadAliases reads an alias file.
func ReadAliases(path string) (*Aliases, error) {
	data, err := yamlx.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseAliases(data, path)
}

// ParseAliases reads the text of an alias file; name is how faults call it.
func ParseAliases(data []byte, name string) (*Aliases, error) {
	a := &Aliases{}
	if err := yamlx.Decode(data, name, a); err != nil {
		return nil, err
	}
	return a, nil
}

// Resolver applies aliases.
type Resolver struct {
	providers, models map[string]string // lower case → the one name
	ids               map[string]ID
}

// NewResolver puts alias tables together; where two of them speak of one name,
// the later table holds. A name that one table gives two meanings is an error.
func NewResolver(tables ...*Aliases) (*Resolver, error) {
	r := &Resolver{map[string]string{}, map[string]string{}, map[string]ID{}}
	for _, t := range tables {
		if t == nil {
			continue
		}
		if err := collect(r.providers, t.Providers, "provider"); err != nil {
			return nil, err
		}
		if err := collect(r.models, t.Models, "model"); err != nil {
			return nil, err
		}
		for id, means := range t.IDs {
			r.ids[strings.ToLower(id)] = means
		}
	}
	return r, nil
}

func collect(into map[string]string, table map[string]yamlx.List[string], what string) error {
	own := map[string]string{}
	for name, spellings := range table {
		for _, s := range append(slices.Clone(spellings), name) {
			s = strings.ToLower(s)
			if other, taken := own[s]; taken && other != name {
				return fmt.Errorf("aliases: %s %q stands for both %q and %q", what, s, min(name, other), max(name, other))
			}
			own[s] = name
			into[s] = name
		}
	}
	return nil
}

// Resolve gives a request the names that are used for its provider and model.
// ModelID stays as the source has it.
func (r *Resolver) Resolve(q *schema.Request) {
	if q.ModelID != nil {
		if id, ok := r.ids[strings.ToLower(*q.ModelID)]; ok {
			set(&q.Provider, id.Provider)
			set(&q.Model, id.Model)
			setp(&q.Region, id.Region)
			setp(&q.Precision, id.Precision)
		}
	}
	set(&q.Provider, r.providers[strings.ToLower(q.Provider)])
	set(&q.Model, r.models[strings.ToLower(q.Model)])
}

func set(field *string, name string) {
	if name != "" {
		*field = name
	}
}

func setp(field **string, name string) {
	if name != "" {
		*field = &name
	}
}

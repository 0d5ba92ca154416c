package inference

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aircheck/internal/analyze/settings"
	"aircheck/internal/rules/names"
)

var aliasesStep = &Step{
	Name: "_aliases", Key: []string{"kind", "spelling"}, Version: 2,
	Columns: "kind VARCHAR, spelling VARCHAR, provider VARCHAR, model VARCHAR, region VARCHAR, precision VARCHAR",
	Salt:    func(in *Input) (string, error) { b, err := settings.File(in.Options.Aliases); return string(b), err },
	Run:     aliasRows,
}

// aliasRows gives each spelling, in lower case, the one name that it stands for.
func aliasRows(_ context.Context, s *Call) error {
	if s.In.Options.Aliases == "" {
		return nil
	}
	a, err := names.ReadAliases(s.In.Options.Aliases)
	if err != nil {
		return err
	}
	if _, err := names.NewResolver(a); err != nil { // finds what contradicts itself
		return fmt.Errorf("%s: %w", s.In.Options.Aliases, err)
	}
	for _, canonical := range sortedKeys(a.Providers) {
		for _, spelling := range spellings(canonical, a.Providers[canonical]) {
			if err := s.Append("provider", spelling, canonical, nil, nil, nil); err != nil {
				return err
			}
		}
	}
	for _, canonical := range sortedKeys(a.Models) {
		for _, spelling := range spellings(canonical, a.Models[canonical]) {
			if err := s.Append("model", spelling, nil, canonical, nil, nil); err != nil {
				return err
			}
		}
	}
	for _, id := range sortedKeys(a.IDs) {
		means := a.IDs[id]
		if err := s.Append("id", strings.ToLower(id), orNull(means.Provider), orNull(means.Model), orNull(means.Region), orNull(means.Precision)); err != nil {
			return err
		}
	}
	return nil
}

// spellings are those of a name and the name itself, in lower case, each once.
func spellings(canonical string, list []string) []string {
	out := []string{strings.ToLower(canonical)}
	for _, s := range list {
		if s = strings.ToLower(s); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

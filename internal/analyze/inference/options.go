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
	Name: "_aliases", Key: []string{"kind", "spelling"}, Version: 3,
	Columns: "kind VARCHAR, spelling VARCHAR, provider VARCHAR, model VARCHAR, region VARCHAR, precision VARCHAR",
	Salt:    func(in *Input) (string, error) { b, err := settings.File(in.Options.Aliases); return string(b), err },
	Run:     aliasRows,
}

// aliasRows gives each spelling, in lower case, the one name that it stands for.
func aliasRows(_ context.Context, s *Call) error {
	var own *names.Aliases
	file := s.In.Options.Aliases
	if file != "" {
		data, err := settings.File(file)
		if err != nil {
			return err
		}
		if own, err = names.ParseAliases(data, file); err != nil {
			return err
		}
		if _, err := names.NewResolver(own); err != nil { // finds what contradicts itself
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	providers, models, ids := map[string]string{}, map[string]string{}, map[string]names.ID{}
	for _, t := range names.Tables(own) { // where two speak of one name, the later holds
		for canonical, list := range t.Providers {
			for _, spelling := range spellings(canonical, list) {
				providers[spelling] = canonical
			}
		}
		for canonical, list := range t.Models {
			for _, spelling := range spellings(canonical, list) {
				models[spelling] = canonical
			}
		}
		for id, means := range t.IDs {
			ids[strings.ToLower(id)] = means
		}
	}
	for _, spelling := range sortedKeys(providers) {
		if err := s.Append("provider", spelling, providers[spelling], nil, nil, nil); err != nil {
			return err
		}
	}
	for _, spelling := range sortedKeys(models) {
		if err := s.Append("model", spelling, nil, models[spelling], nil, nil); err != nil {
			return err
		}
	}
	for _, id := range sortedKeys(ids) {
		means := ids[id]
		if err := s.Append("id", id, orNull(means.Provider), orNull(means.Model), orNull(means.Region), orNull(means.Precision)); err != nil {
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

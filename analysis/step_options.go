package analysis

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aircheck/imports/names"
	"aircheck/internal/duck"
	"aircheck/internal/yamlx"
)

func init() {
	addStep(&Step{
		Name: "_aliases", Key: []string{"kind", "spelling"}, Version: 2,
		Columns: "kind VARCHAR, spelling VARCHAR, provider VARCHAR, model VARCHAR, region VARCHAR, precision VARCHAR",
		Salt:    func(in *inputs) (string, error) { b, err := optionFile(in.opts.Aliases); return string(b), err },
		Run:     aliasRows,
	})
	addStep(&Step{
		Name: "_excluded", Columns: "request_id BIGINT, reason VARCHAR, date VARCHAR", Key: []string{"request_id"}, Version: 1,
		Needs: []string{"_measures"},
		Salt:  func(in *inputs) (string, error) { b, err := optionFile(in.opts.Exclusions); return string(b), err },
		Run:   exclusionRows,
	})
}

// aliasRows gives each spelling, in lower case, the one name that it stands for.
func aliasRows(_ context.Context, s *StepRun) error {
	if s.in.opts.Aliases == "" {
		return nil
	}
	a, err := names.ReadAliases(s.in.opts.Aliases)
	if err != nil {
		return err
	}
	if _, err := names.NewResolver(a); err != nil { // finds what contradicts itself
		return fmt.Errorf("%s: %w", s.in.opts.Aliases, err)
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

// Exclusion takes the rows of a predicate out of measured.
type Exclusion struct {
	Predicate string    `yaml:"predicate"` // SQL condition over a request's derived columns
	Reason    string    `yaml:"reason"`
	Date      string    `yaml:"date"`
	Pos       yamlx.Pos `yaml:"-"`
}

// ReadExclusions reads an exclusions file: a list of predicate, reason, date.
func ReadExclusions(path string) ([]Exclusion, error) {
	data, err := optionFile(path)
	if err != nil || data == nil {
		return nil, err
	}
	var f struct {
		Exclusions []Exclusion `yaml:"exclusions"`
	}
	if err := yamlx.Decode(data, path, &f); err != nil {
		return nil, err
	}
	for _, e := range f.Exclusions {
		if strings.TrimSpace(e.Predicate) == "" || strings.TrimSpace(e.Reason) == "" || e.Date == "" {
			return nil, e.Pos.Errorf("an exclusion needs predicate, reason and date")
		}
	}
	return f.Exclusions, nil
}

func exclusionRows(ctx context.Context, s *StepRun) error {
	list, err := ReadExclusions(s.in.opts.Exclusions)
	if err != nil {
		return err
	}
	done := map[int64]bool{}
	for _, e := range list {
		query := "SELECT request_id FROM _measures WHERE (" + e.Predicate + "\n) ORDER BY request_id"
		if err := duck.CheckSelect(ctx, s.Conn, query); err != nil {
			return e.Pos.Errorf("predicate %q: %v", e.Predicate, err)
		}
		t, err := duck.Query(ctx, s.Conn, e.Pos.String(), query)
		if err != nil {
			return err
		}
		for _, r := range t.Rows {
			id := r[0].(int64)
			if done[id] {
				continue // the first reason stands
			}
			done[id] = true
			if err := s.Append(id, e.Reason, e.Date); err != nil {
				return err
			}
		}
	}
	return nil
}

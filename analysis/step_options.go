package analysis

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/duck"
	"aircheck/internal/yamlx"
)

func init() {
	addStep(&Step{
		Name: "_aliases", Columns: "kind VARCHAR, spelling VARCHAR, canonical VARCHAR", Key: []string{"kind", "spelling"}, Version: 1,
		Salt: func(in *inputs) (string, error) { b, err := optionFile(in.opts.Aliases); return string(b), err },
		Run:  aliasRows,
	})
	addStep(&Step{
		Name: "_excluded", Columns: "request_id BIGINT, reason VARCHAR, date VARCHAR", Key: []string{"request_id"}, Version: 1,
		Needs: []string{"_measures"},
		Salt:  func(in *inputs) (string, error) { b, err := optionFile(in.opts.Exclusions); return string(b), err },
		Run:   exclusionRows,
	})
}

// aliasFile brings the spellings of a name together: canonical name first.
//
//	providers: {openai: [OpenAI, api.openai.com]}
//	models: {llama-3.1-8b: [meta/llama-3.1-8b-instruct, Llama-3.1-8B]}
type aliasFile struct {
	Providers map[string][]string `yaml:"providers"`
	Models    map[string][]string `yaml:"models"`
}

func aliasRows(_ context.Context, s *StepRun) error {
	data, err := optionFile(s.in.opts.Aliases)
	if err != nil || data == nil {
		return err
	}
	var f aliasFile
	if err := yamlx.Decode(data, s.in.opts.Aliases, &f); err != nil {
		return err
	}
	for _, group := range []struct {
		kind  string
		names map[string][]string
	}{{"provider", f.Providers}, {"model", f.Models}} {
		owner := map[string]string{}
		for _, canonical := range sortedKeys(group.names) {
			for _, spelling := range group.names[canonical] {
				if other, taken := owner[spelling]; taken && other != canonical {
					return fmt.Errorf("%s: %s %q is a spelling of both %q and %q", s.in.opts.Aliases, group.kind, spelling, other, canonical)
				} else if taken {
					continue
				}
				owner[spelling] = canonical
				if err := s.Append(group.kind, spelling, canonical); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
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

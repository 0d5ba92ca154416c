package virtual

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/record/plan"
	"aircheck/internal/record/simulate"
)

// host is where a provider of the fleet is said to answer: a domain that no one
// can own.
func host(provider string) string { return strings.ToLower(provider) + ".example" }

// readPlan completes a fleet's plan with its targets. The plan that results is
// whole: with other addresses it could be recorded for real.
func readPlan(f *simulate.Fleet, r *simulate.Recording, name string) (*plan.Plan, error) {
	var targets []map[string]any
	for _, t := range f.Targets(r) {
		target := map[string]any{"provider": t.Provider, "model": t.Model, "api": t.API, "base_url": "https://" + host(t.Provider) + "/v1"}
		if t.ModelID != t.Model {
			target["model_id"] = t.ModelID
		}
		if t.Region != "" {
			target["region"] = t.Region
		}
		if len(t.Declared) > 0 {
			target["meta"] = t.Declared
		}
		targets = append(targets, target)
	}
	var list yaml.Node
	if err := list.Encode(targets); err != nil {
		return nil, err
	}
	whole := r.Plan
	whole.Content = append(append([]*yaml.Node(nil), r.Plan.Content...), &yaml.Node{Kind: yaml.ScalarNode, Value: "targets"}, &list)
	text, err := yaml.Marshal(&whole)
	if err != nil {
		return nil, err
	}
	p, err := plan.Parse(text, name)
	if err != nil {
		return nil, fmt.Errorf("a plan of the fleet, with its targets written out: %w", err)
	}
	return p, nil
}

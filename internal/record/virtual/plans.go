package virtual

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/simulate"
)

// host is where a provider of the fleet is said to answer: a domain that no one
// can own.
func host(provider string) string { return strings.ToLower(provider) + ".example" }

// readPlan completes a fleet's plan with its targets. The plan that results is
// whole: with other addresses it could be recorded for real.
//
// Of its windows it keeps every thin-th, and leastWindows at least.
func readPlan(f *simulate.Fleet, r *simulate.Recording, name string, thin int) (*plan.Plan, error) {
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
	whole.Content = append(thinned(r.Plan.Content, thin), &yaml.Node{Kind: yaml.ScalarNode, Value: "targets"}, &list)
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

// leastWindows is as many as the statistics over windows want.
const leastWindows = 7

// thinned spreads fewer windows over the same time.
func thinned(keys []*yaml.Node, by int) []*yaml.Node {
	out := slices.Clone(keys)
	for i := 0; i+1 < len(out); i += 2 {
		var w plan.Windows
		if out[i].Value != "windows" || by <= 1 || yamlx.DecodeNode(out[i+1], &w) != nil {
			continue
		}
		by = min(by, max(1, w.Count/leastWindows))
		fewer := &yaml.Node{}
		fewer.Encode(map[string]any{"count": w.Count / by, "every": (w.Every * time.Duration(by)).String()})
		out[i+1] = fewer
	}
	return out
}

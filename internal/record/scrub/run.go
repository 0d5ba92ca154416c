package scrub

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"aircheck/schema"
)

// run scrubs a run's record: what it read is not named, and its plan keeps how
// was asked and not what.
func (s *scrubber) run(r *schema.Run) *schema.Run {
	out := *r
	out.Files = nil
	out.Name, out.Campaign = s.wordOf(r.Name), s.wordOf(r.Campaign)
	out.Sources = nil
	for i, src := range r.Sources {
		// Keys stay apart, and tell of nothing.
		scrubbed := schema.Source{Name: fmt.Sprintf("source-%d", i+1), Rows: src.Rows}
		for _, k := range src.Keys {
			if !plainWindow.MatchString(k) {
				k = string(s.id.token([]byte(k)))
			}
			scrubbed.Keys = append(scrubbed.Keys, k)
		}
		out.Sources = append(out.Sources, scrubbed)
	}
	out.Notes = nil
	if n := len(r.Notes); n > 0 {
		out.Notes = []string{fmt.Sprintf("%d notes of the original are left out: they quote file names and values", n)}
	}
	if r.Plan != "" {
		out.Plan = s.plan(r.Plan)
		sum := sha256.Sum256([]byte(out.Plan))
		out.PlanSHA256 = hex.EncodeToString(sum[:])
	}
	return &out
}

// planTexts are the keys of a plan whose values are texts, places or keys.
var planTexts = map[string]bool{
	"messages": true, "prompts": true, "prompt": true, "system": true, "checks": true, "base_url": true, "key_env": true, "headers": true,
	"tools": true, "response_format": true, "file": true, "stop": true, "user": true, "about": true,
}

// plan scrubs a plan, or the mapping of an import: comments go, texts are filled,
// providers have their aliases.
func (s *scrubber) plan(text string) string {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(text), &doc) != nil {
		return ""
	}
	s.node(&doc, false)
	out, err := yaml.Marshal(&doc)
	if err != nil {
		return ""
	}
	return string(out)
}

func (s *scrubber) node(n *yaml.Node, hidden bool) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	switch n.Kind {
	case yaml.ScalarNode:
		if n.ShortTag() != "!!str" {
			return
		}
		if hidden {
			n.Value = fillPlain(n.Value)
			return
		}
		if alias := s.id.provider(n.Value); alias != n.Value {
			n.Value = alias
			return
		}
		n.Value = s.wordOf(n.Value)
		if strings.Contains(n.Value, "://") {
			n.Value = fillPlain(n.Value)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			key.HeadComment, key.LineComment, key.FootComment = "", "", ""
			s.node(value, hidden || planTexts[key.Value])
		}
	default:
		for _, c := range n.Content {
			s.node(c, hidden)
		}
	}
}

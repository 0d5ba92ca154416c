package plan

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Kept is the plan's text as a recording keeps it whose content is not kept in
// full: what is asked and what is checked for is what hide makes of it. Comments
// are left out, since they may say anything.
func (p *Plan) Kept(hide func(string) string) string {
	var doc yaml.Node
	if yaml.Unmarshal(p.Source, &doc) != nil {
		return "" // it was read before
	}
	var walk func(n *yaml.Node, secret bool)
	walk = func(n *yaml.Node, secret bool) {
		n.HeadComment, n.LineComment, n.FootComment = "", "", ""
		switch n.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				key, value := n.Content[i], n.Content[i+1]
				key.HeadComment, key.LineComment, key.FootComment = "", "", ""
				// The plan's own key content is a word, and no text.
				said := key.Value == "checks" || key.Value == "stop" || key.Value == "content" && !modes[value.Value]
				walk(value, secret || said)
			}
		case yaml.ScalarNode:
			if secret {
				n.SetString(hide(n.Value))
			}
		default:
			for _, c := range n.Content {
				walk(c, secret)
			}
		}
	}
	walk(&doc, false)
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if enc.Encode(&doc) != nil {
		return ""
	}
	return out.String()
}

var modes = map[string]bool{string(ContentFull): true, string(ContentHash): true, string(ContentNone): true}

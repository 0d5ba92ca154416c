package prices

import (
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/yamlx"
)

// clause is one of the form's matching clauses: equals, starts_with,
// ends_with, contains, regex, or, and. Names match without regard to case.
type clause func(lower string) bool

type clauseForm struct {
	Equals     *string  `yaml:"equals"`
	StartsWith *string  `yaml:"starts_with"`
	EndsWith   *string  `yaml:"ends_with"`
	Contains   *string  `yaml:"contains"`
	Regex      *string  `yaml:"regex"`
	Or         []clause `yaml:"or"`
	And        []clause `yaml:"and"`
}

func (c *clause) UnmarshalYAML(n *yaml.Node) error {
	var f clauseForm
	if err := yamlx.DecodeNode(n, &f); err != nil {
		return err
	}
	var found []clause
	text := func(s *string, test func(name, text string) bool) {
		if s != nil {
			lower := strings.ToLower(*s)
			found = append(found, func(name string) bool { return test(name, lower) })
		}
	}
	text(f.Equals, func(name, text string) bool { return name == text })
	text(f.StartsWith, strings.HasPrefix)
	text(f.EndsWith, strings.HasSuffix)
	text(f.Contains, strings.Contains)
	if f.Regex != nil {
		re, err := regexp.Compile("(?i)" + *f.Regex)
		if err != nil {
			return yamlx.Errorf(n, "regex %q: %v", *f.Regex, err)
		}
		found = append(found, re.MatchString)
	}
	if f.Or != nil {
		found = append(found, func(name string) bool {
			for _, c := range f.Or {
				if c(name) {
					return true
				}
			}
			return false
		})
	}
	if f.And != nil {
		found = append(found, func(name string) bool {
			for _, c := range f.And {
				if !c(name) {
					return false
				}
			}
			return true
		})
	}
	if len(found) != 1 {
		return yamlx.Errorf(n, "a match wants exactly one of equals, starts_with, ends_with, contains, regex, or, and; got %d", len(found))
	}
	*c = found[0]
	return nil
}

// pattern is the form's api_pattern: a regular expression for the beginning of
// a URL.
type pattern struct{ *regexp.Regexp }

func (p *pattern) UnmarshalYAML(n *yaml.Node) error {
	var s string
	if err := yamlx.DecodeNode(n, &s); err != nil {
		return err
	}
	re, err := regexp.Compile("^(?:" + s + ")")
	if err != nil {
		return yamlx.Errorf(n, "api_pattern %q: %v", s, err)
	}
	p.Regexp = re
	return nil
}

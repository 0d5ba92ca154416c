package prices

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/yamlx"
)

// tableForm is a file: the wrapped form, or a plain v2 list of providers.
type tableForm struct {
	AsOf      *date      `yaml:"as_of"`
	GraceDays *int       `yaml:"grace_days"`
	Sources   []string   `yaml:"sources"`
	Providers []provider `yaml:"providers"`
}

func (t *tableForm) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		return yamlx.DecodeNode(n, &t.Providers)
	}
	type plain tableForm
	return yamlx.DecodeNode(n, (*plain)(t))
}

// provider and what follows hold every key of the v2 form, in its slim and in
// its full version. Those of type yaml.Node are known, but nothing here needs
// them.
type provider struct {
	At            yamlx.Pos `yaml:"-"`
	ID            string    `yaml:"id"`
	Name          string    `yaml:"name"`
	Aliases       []string  `yaml:"aliases"`
	APIPattern    *pattern  `yaml:"api_pattern"`
	ProviderMatch clause    `yaml:"provider_match"`
	Fallback      []string  `yaml:"fallback_model_providers"`
	Models        []model   `yaml:"models"`

	ModelMatch    yaml.Node `yaml:"model_match"`
	Extractors    yaml.Node `yaml:"extractors"`
	PricingURLs   yaml.Node `yaml:"pricing_urls"`
	Description   yaml.Node `yaml:"description"`
	PriceComments yaml.Node `yaml:"price_comments"`
}

type model struct {
	At     yamlx.Pos `yaml:"-"`
	ID     string    `yaml:"id"`
	Match  clause    `yaml:"match"`
	Equals []string  `yaml:"-"` // the names that Match lists whole, in lower case
	Prices entries   `yaml:"prices"`

	Name          yaml.Node `yaml:"name"`
	Description   yaml.Node `yaml:"description"`
	ContextWindow yaml.Node `yaml:"context_window"`
	Deprecated    yaml.Node `yaml:"deprecated"`
	PriceComments yaml.Node `yaml:"price_comments"`
	Checked       yaml.Node `yaml:"prices_checked"`
	Discrepancies yaml.Node `yaml:"price_discrepancies"`
	SourceURL     yaml.Node `yaml:"pricing_source_url"`
}

// entries are a model's prices; the last whose constraint holds is taken.
type entries []entry

// exactly reports whether the model's clause names it whole.
func (m *model) exactly(name string) bool { return slices.Contains(m.Equals, name) }

type entry struct {
	Constraint constraint `yaml:"constraint"`
	Prices     rates      `yaml:"prices"`
}

// constraint says when an entry holds; all that is stated must.
type constraint struct {
	Start *date   `yaml:"start_date"`
	From  *clock  `yaml:"start_time"`
	To    *clock  `yaml:"end_time"`
	Tier  *string `yaml:"service_tier"`

	Context *string `yaml:"search_context"` // low, medium or high: of the search that sets the fee
	Geo     *string `yaml:"geo"`            // where it is computed
}

// UnmarshalYAML reads one price for all times, or a list with constraints.
func (e *entries) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		if err := yamlx.DecodeNode(n, (*[]entry)(e)); err != nil {
			return err
		}
		for i, one := range *e {
			if c := one.Constraint; (c.From == nil) != (c.To == nil) {
				return yamlx.Errorf(n.Content[i], "hours want both start_time and end_time")
			}
			if one.Prices == (rates{}) {
				return yamlx.Errorf(n.Content[i], "no prices for text here")
			}
		}
		return nil
	}
	*e = make(entries, 1)
	return yamlx.DecodeNode(n, &(*e)[0].Prices)
}

// rates are what one entry charges; nil where it states nothing.
type rates struct {
	input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning *rate
	audioIn, audioOut, imageIn, imageOut                          *rate
	request, searches, code, files                                *rate
}

func (r *rates) UnmarshalYAML(n *yaml.Node) error {
	var form map[string]rate
	if err := yamlx.DecodeNode(n, &form); err != nil {
		return err
	}
	var errs yamlx.Errors
	for i := 0; i < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Tag != "!!merge" && !slices.Contains(priceKeys, k.Value) {
			errs = append(errs, yamlx.Pos{Line: k.Line, Column: k.Column}.Errorf(
				"unknown price %q; %s", k.Value, nearest.Or("one", k.Value, priceKeys)))
		}
	}
	if errs != nil {
		return errs
	}
	get := func(keys ...string) *rate {
		for _, k := range keys {
			if v, ok := form[k]; ok {
				return &v
			}
		}
		return nil
	}
	*r = rates{
		input:        get("input_mtok"),
		cacheRead:    get("cache_read_mtok"),
		cacheWrite:   get("cache_write_mtok", "cache_write_5m_mtok"),
		cacheWrite1h: get("cache_write_1h_mtok"),
		output:       get("output_mtok"),
		reasoning:    get("output_reasoning_mtok"),
		audioIn:      get("input_audio_mtok"),
		audioOut:     get("output_audio_mtok"),
		imageIn:      get("input_image_mtok"),
		imageOut:     get("output_image_mtok"),
		request:      get("requests_kcount"),
		searches:     get("web_searches_kcount"),
		code:         get("code_executions_kcount"),
		files:        get("storage_searches_kcount"),
	}
	return nil
}

// priceKeys are all price keys of the v2 unit registry. Those that count what
// no stream's usage reports (hours, pixels, pages) are read and not charged.
var priceKeys = func() []string {
	keys := []string{
		"input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok", "cache_write_1h_mtok", "cache_write_5m_mtok",
		"output_reasoning_mtok", "requests_kcount", "output_citation_mtok", "input_tool_mtok",
		"input_mchars", "input_text_messages_kcount", "audio_hours", "input_audio_hours", "output_audio_hours",
		"input_gpixels", "input_document_kpages", "input_annotated_document_kpages",
		"rerank_searches_kcount", "web_searches_kcount", "social_searches_kcount", "storage_searches_kcount", "code_executions_kcount",
	}
	for _, kind := range []string{"text", "audio", "image", "video"} {
		for _, form := range []string{
			"input_%s_mtok", "output_%s_mtok", "cache_%s_read_mtok", "cache_%s_write_mtok", "cache_%s_write_5m_mtok",
			"cache_%s_write_1h_mtok", "input_%s_tool_mtok", "output_%s_reasoning_mtok", "output_%s_citation_mtok",
		} {
			keys = append(keys, fmt.Sprintf(form, kind))
		}
	}
	return keys
}()

// date is a day, beginning at midnight UTC.
type date struct{ time.Time }

func (d *date) UnmarshalText(b []byte) error {
	t, err := time.Parse(time.DateOnly, string(b))
	if err != nil {
		return fmt.Errorf("wants a date such as 2026-08-13, got %q", b)
	}
	d.Time = t
	return nil
}

// clock is a time of day in UTC, since midnight.
type clock time.Duration

func (c *clock) UnmarshalText(b []byte) error {
	s := strings.TrimSuffix(strings.TrimSuffix(string(b), "Z"), "+00:00")
	t, err := time.Parse(time.TimeOnly, s)
	if err != nil {
		if t, err = time.Parse("15:04", s); err != nil {
			return fmt.Errorf("wants a time of day in UTC such as 16:30:00Z, got %q", b)
		}
	}
	*c = clock(t.Sub(t.Truncate(24 * time.Hour)))
	return nil
}

// String is the time as a clock shows it: 16:30, or 16:30:05.
func (c clock) String() string {
	t := time.Time{}.Add(time.Duration(c))
	if t.Second() == 0 {
		return t.Format("15:04")
	}
	return t.Format(time.TimeOnly)
}

func (m *model) UnmarshalYAML(n *yaml.Node) error {
	type plain model
	if err := yamlx.DecodeNode(n, (*plain)(m)); err != nil {
		return err
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "match" {
			m.Equals = wholeNames(n.Content[i+1], nil)
		}
	}
	return nil
}

// wholeNames are the names that a clause lists whole, alone or in an or.
func wholeNames(n *yaml.Node, names []string) []string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch key, value := n.Content[i].Value, n.Content[i+1]; key {
		case "equals":
			names = append(names, strings.ToLower(value.Value))
		case "or":
			for _, c := range value.Content {
				names = wholeNames(c, names)
			}
		}
	}
	return names
}

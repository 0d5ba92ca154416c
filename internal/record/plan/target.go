package plan

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"aircheck/internal/kit/limits"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/record/capture"
	"aircheck/internal/wire/dialect"
)

// Target is one model at one provider.
type Target struct {
	At       yamlx.Pos `yaml:"-"`
	Provider string    `yaml:"provider"`
	Model    string    `yaml:"model"`    // canonical: what rankings compare
	ModelID  string    `yaml:"model_id"` // what is sent; Model unless the file says otherwise
	Endpoint `yaml:",inline"`

	place int // among the plan's targets
}

// Endpoint is how a provider is asked.
type Endpoint struct {
	API     api               `yaml:"api"` // openai-chat unless the file says otherwise
	BaseURL string            `yaml:"base_url"`
	KeyEnv  string            `yaml:"key_env"` // the environment variable that holds the key
	Region  string            `yaml:"region"`
	HTTP    HTTP              `yaml:"http"` // 1.1 unless the file says otherwise
	Limit   *Limit            `yaml:"limit"`
	Meta    Meta              `yaml:"meta"`
	Headers map[string]string `yaml:"headers"`
	Params  map[string]any    `yaml:"params"` // override the scenario's
}

// Limit is how often a target may be asked, whatever the scenario wants.
type Limit struct {
	At  yamlx.Pos `yaml:"-"`
	RPM float64   `yaml:"rpm"` // requests a minute, evenly spaced
}

// Gap is the time from one request to the next; 0 without a limit.
func (l *Limit) Gap() time.Duration {
	if l == nil {
		return 0
	}
	return time.Duration(float64(time.Minute) / l.RPM)
}

// Meta is what is declared of a target. What is not stays unknown.
type Meta struct {
	Precision    *string           `yaml:"precision"`
	Architecture *string           `yaml:"architecture"`
	Reasoning    *bool             `yaml:"reasoning"`
	ServiceTier  *string           `yaml:"service_tier"`
	Residency    *string           `yaml:"residency"`
	Labels       map[string]string `yaml:"labels"`
}

func (v *api) UnmarshalText(b []byte) error {
	known := make([]api, 0, 8)
	for _, name := range dialect.APIs() {
		known = append(known, api(name))
	}
	return oneOf(v, b, known...)
}

// String names a target in messages.
func (t *Target) String() string { return t.Provider + " " + t.Model }

// targets expands, checks and completes the targets.
func (r *reader) targets(f *file) {
	if len(f.Targets) == 0 {
		r.faults.add(f.At.Errorf("a plan needs targets"))
	}
	seen := map[string]*Target{}
	for _, e := range f.Targets {
		if e == nil {
			r.faults.add(f.At.Errorf("a target is empty"))
			continue
		}
		for _, t := range r.expand(e) {
			t.place = len(r.plan.Targets)
			r.plan.Targets = append(r.plan.Targets, t)
			r.target(t)
			id, _ := json.Marshal([]any{t.Provider, t.Model, t.ModelID, t.API, t.BaseURL, t.Region, t.Params})
			if other := seen[string(id)]; other != nil {
				r.faults.add(t.At.Errorf("this target is the same as the one on line %d", other.At.Line))
			}
			seen[string(id)] = t
		}
	}
}

func (r *reader) target(t *Target) {
	for _, need := range []struct{ key, value string }{{"provider", t.Provider}, {"model", t.Model}, {"base_url", t.BaseURL}} {
		if need.value == "" {
			r.faults.add(t.At.Errorf("a target needs %s", need.key))
		}
	}
	if t.ModelID == "" {
		t.ModelID = t.Model
	}
	if t.API == "" {
		t.API = "openai-chat"
	}
	if l := t.Limit; l != nil && !(l.RPM > 0 && l.RPM <= limits.RPM) {
		r.faults.add(l.At.Key("rpm").Errorf("limit: rpm, requests a minute, must be more than 0 and at most %d", limits.RPM))
		t.Limit = nil
	}
	if a := t.Meta.Architecture; a != nil && *a != "dense" && *a != "moe" {
		r.faults.add(t.At.Key("meta", "architecture").Errorf("architecture is dense or moe, not %q", *a))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Headers)) {
		switch value := t.Headers[name]; {
		case capture.CredentialHeader(name):
			r.faults.add(t.At.Key("headers", name).Errorf("header %s is a credential: put it into an environment variable and name that in key_env", name))
		case !headerName.MatchString(name):
			r.faults.add(t.At.Key("headers", name).Errorf("%q cannot be the name of a header", name))
		case strings.ContainsFunc(value, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }):
			r.faults.add(t.At.Key("headers", name).Errorf("the value of header %s holds a line break or another control character", name))
		}
	}
	if t.BaseURL != "" {
		r.baseURL(t)
	}
	r.params(t.At, t.Params)
}

// headerName is what HTTP calls a token.
var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// A plan is kept with the recording as it was read, so no credential may stand in
// it.
func (r *reader) baseURL(t *Target) {
	u, err := url.Parse(t.BaseURL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		r.faults.add(t.At.Key("base_url").Errorf("base_url is not an http or https address"))
		return
	case u.User != nil:
		r.faults.add(t.At.Key("base_url").Errorf("base_url holds a user name or password: put the key into an environment variable and name that in key_env"))
		return
	case u.Fragment != "":
		r.faults.add(t.At.Key("base_url").Errorf("base_url holds a fragment (#…), which is never sent"))
		return
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		r.faults.add(t.At.Key("base_url").Errorf("the query of base_url is not valid"))
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if capture.CredentialName(name) {
			r.faults.add(t.At.Key("base_url").Errorf("base_url holds a credential (%s): put it into an environment variable and name that in key_env", name))
		}
	}
}

// planned are fields of a request that a plan has keys of its own for, which
// rows are filled from; what stands in their place would not be in the row.
var planned = map[string]string{
	"model": "model_id", "modelid": "model_id", "messages": "messages", "prompt": "messages", "input": "messages", "contents": "messages",
	"system": "messages", "instructions": "messages", "systeminstruction": "messages",
}

// params must be what JSON can say, and nothing that the plan says elsewhere.
func (r *reader) params(at yamlx.Pos, params map[string]any) {
	if _, err := json.Marshal(params); err != nil {
		r.faults.add(at.Errorf("params cannot be written as JSON: %v", err))
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		// Servers differ in which spellings they take.
		plain := strings.ToLower(strings.ReplaceAll(name, "_", ""))
		_, yes := params[name].(bool)
		switch key := planned[plain]; {
		case key != "":
			r.faults.add(at.Errorf("params: %s is set by the plan's own key %s", name, key))
		case name == "stream" && !yes:
			r.faults.add(at.Errorf("params: stream must be true or false"))
		case plain == "stream" && name != "stream":
			r.faults.add(at.Errorf("params: %s is written stream", name))
		}
	}
}

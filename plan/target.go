package plan

import (
	"encoding/json"
	"net/url"
	"strings"

	"aircheck/capture"
	"aircheck/dialect"
	"aircheck/internal/yamlx"
)

// Target is one model at one provider.
type Target struct {
	At       yamlx.Pos         `yaml:"-"`
	Provider string            `yaml:"provider"`
	Model    string            `yaml:"model"`    // canonical: what rankings compare
	ModelID  string            `yaml:"model_id"` // what is sent; Model unless the file says otherwise
	API      api               `yaml:"api"`      // openai-chat unless the file says otherwise
	BaseURL  string            `yaml:"base_url"`
	KeyEnv   string            `yaml:"key_env"` // the environment variable that holds the key
	Region   string            `yaml:"region"`
	Meta     Meta              `yaml:"meta"`
	Headers  map[string]string `yaml:"headers"`
	Params   map[string]any    `yaml:"params"` // override the scenario's
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

// targets checks and completes the targets.
func (r *reader) targets(f *file) {
	if len(f.Targets) == 0 {
		r.faults.add(f.At.Errorf("a plan needs targets"))
	}
	seen := map[string]*Target{}
	for _, t := range f.Targets {
		if t == nil {
			r.faults.add(f.At.Errorf("a target is empty"))
			continue
		}
		r.target(t)
		id, _ := json.Marshal([]any{t.Provider, t.Model, t.ModelID, t.API, t.BaseURL, t.Region, t.Params})
		if other := seen[string(id)]; other != nil {
			r.faults.add(t.At.Errorf("this target is the same as the one on line %d", other.At.Line))
		}
		seen[string(id)] = t
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
	if a := t.Meta.Architecture; a != nil && *a != "dense" && *a != "moe" {
		r.faults.add(t.At.Errorf("architecture is dense or moe, not %q", *a))
	}
	for name := range t.Headers {
		if capture.CredentialHeader(name) {
			r.faults.add(t.At.Errorf("header %s is a credential: put it into an environment variable and name that in key_env", name))
		}
	}
	if t.BaseURL != "" {
		r.baseURL(t)
	}
	r.params(t.At, t.Params)
}

// secretQuery are query parameters that hold credentials. A plan is kept with
// the recording as it was read, so none may stand in it.
var secretQuery = []string{"key", "api_key", "api-key", "apikey", "token", "access_token", "sig", "signature", "subscription-key", "secret", "password"}

func (r *reader) baseURL(t *Target) {
	u, err := url.Parse(t.BaseURL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		r.faults.add(t.At.Errorf("base_url is not an http or https address"))
	case u.User != nil:
		r.faults.add(t.At.Errorf("base_url holds a user name or password: put the key into an environment variable and name that in key_env"))
	default:
		for name := range u.Query() {
			for _, secret := range secretQuery {
				if strings.EqualFold(name, secret) {
					r.faults.add(t.At.Errorf("base_url holds a credential (%s): put it into an environment variable and name that in key_env", name))
				}
			}
		}
	}
}

// params must be what JSON can say.
func (r *reader) params(at yamlx.Pos, params map[string]any) {
	if _, err := json.Marshal(params); err != nil {
		r.faults.add(at.Errorf("params cannot be written as JSON: %v", err))
	}
	if s, ok := params["stream"]; ok {
		if _, ok := s.(bool); !ok {
			r.faults.add(at.Errorf("params: stream must be true or false"))
		}
	}
}

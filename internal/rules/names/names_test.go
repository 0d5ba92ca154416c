package names

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/kit/yamlx"
	"aircheck/schema"
)

func TestResolve(t *testing.T) {
	preset := &Aliases{
		Providers: map[string]yamlx.List[string]{"groq": {"groq.com", "api.groq.com"}},
		Models:    map[string]yamlx.List[string]{"llama-3-70b-instruct": {"llama3-70b-8192"}},
		IDs:       map[string]ID{"@cf/x-fp16": {Provider: "cloudflare", Model: "x", Precision: "fp16"}, "groq.com/odd": {Model: "even"}},
	}
	users := &Aliases{Models: map[string]yamlx.List[string]{"L3-70B": {"llama3-70b-8192"}}}
	for _, c := range []struct {
		tables                               []*Aliases
		id, provider, model                  string
		wantProvider, wantModel, wantPrecise string
	}{
		{[]*Aliases{preset}, "api.groq.com/llama3-70b-8192", "api.groq.com", "LLaMA3-70b-8192", "groq", "llama-3-70b-instruct", ""},
		{[]*Aliases{preset, users}, "", "Groq", "llama3-70b-8192", "groq", "L3-70B", ""},
		{[]*Aliases{preset}, "@CF/x-fp16", "@CF", "x-fp16", "cloudflare", "x", "fp16"},
		{[]*Aliases{preset}, "groq.com/odd", "groq.com", "odd", "groq", "even", ""},
		{[]*Aliases{nil}, "a/b", "a", "b", "a", "b", ""},
	} {
		r, err := NewResolver(c.tables...)
		if err != nil {
			t.Fatal(err)
		}
		q := &schema.Request{Provider: c.provider, Model: c.model, ModelID: new(c.id)}
		r.Resolve(q)
		precise := ""
		if q.Precision != nil {
			precise = *q.Precision
		}
		if q.Provider != c.wantProvider || q.Model != c.wantModel || precise != c.wantPrecise || *q.ModelID != c.id {
			t.Errorf("%s: %s / %s / %s", c.id, q.Provider, q.Model, precise)
		}
	}
}

func TestOneNameTwoMeanings(t *testing.T) {
	_, err := NewResolver(&Aliases{Models: map[string]yamlx.List[string]{"a": {"x"}, "b": {"X"}}})
	if err == nil || !strings.Contains(err.Error(), `"x" stands for both "a" and "b"`) {
		t.Errorf("got %v", err)
	}
}

func TestReadAliasesIsStrict(t *testing.T) {
	path := filepath.Join(t.TempDir(), "aliases.yaml")
	os.WriteFile(path, []byte("models:\n  a: b\nprovider:\n  x: y\n"), 0o644)
	if _, err := ReadAliases(path); err == nil || !strings.Contains(err.Error(), `aliases.yaml:3:1: unknown key "provider"`) {
		t.Errorf("got %v", err)
	}
	os.WriteFile(path, []byte("models:\n  a: b\n"), 0o644)
	if a, err := ReadAliases(path); err != nil || a.Models["a"][0] != "b" {
		t.Errorf("got %v, %v", a, err)
	}
}

func TestProvider(t *testing.T) {
	for host, want := range map[string]string{
		"api.openai.com": "openai", "API.Groq.com:443": "groq", "x.openai.azure.com": "azure",
		"bedrock-runtime.us-east-1.amazonaws.com": "bedrock", "us-east5-aiplatform.googleapis.com": "vertex",
		"aiplatform.googleapis.com": "vertex", "generativelanguage.googleapis.com": "google",
		"localhost:8000": "localhost:8000", "llm.example.org": "llm.example.org", "": "", "<GPUSTACK_API_BASE>": "",
	} {
		if got := Provider(host); got != want {
			t.Errorf("Provider(%q) = %q, want %q", host, got, want)
		}
	}
}

func TestRegion(t *testing.T) {
	for host, want := range map[string]string{
		"us-east5-aiplatform.googleapis.com": "us-east5", "bedrock-runtime.eu-west-1.amazonaws.com": "eu-west-1",
		"bedrock-mantle.us-east-2.api.aws": "us-east-2", "us-south.ml.cloud.ibm.com": "us-south", "api.openai.com": "", "sagemaker.us-east-1.amazonaws.com": "",
	} {
		if got := Region(host); got != want {
			t.Errorf("Region(%q) = %q, want %q", host, got, want)
		}
	}
}

// The names that come with the program contradict neither themselves nor the
// table of hosts, and a file of one's own adds to them or puts them aside.
func TestDefaultNames(t *testing.T) {
	if _, err := NewResolver(Default()); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, p := range hosts() {
		known[p] = true
	}
	for p := range Default().Providers {
		if !known[p] {
			t.Errorf("provider %s stands at no host", p)
		}
	}
	for _, c := range []struct {
		file, provider, model, wantProvider, wantModel string
	}{
		{Common, "Fireworks_AI", "llama-v3p3-70b-instruct", "fireworks", "llama-3.3-70b-instruct"},
		{"common: true\nmodels: {L33: [llama-v3p3-70b-instruct]}", "Fireworks_AI", "llama-v3p3-70b-instruct", "fireworks", "L33"},
		{"models: {L33: [llama-v3p3-70b-instruct]}", "Fireworks_AI", "llama-v3p3-70b-instruct", "Fireworks_AI", "L33"},
		{"", "Fireworks_AI", "llama-v3p3-70b-instruct", "Fireworks_AI", "llama-v3p3-70b-instruct"},
	} {
		var own *Aliases
		if c.file != "" {
			var err error
			if own, err = ParseAliases([]byte(c.file), "own.yaml"); err != nil {
				t.Fatal(err)
			}
		}
		r, err := NewResolver(Tables(own)...)
		if err != nil {
			t.Fatal(err)
		}
		q := &schema.Request{Provider: c.provider, Model: c.model}
		if r.Resolve(q); q.Provider != c.wantProvider || q.Model != c.wantModel {
			t.Errorf("%q: %s / %s", c.file, q.Provider, q.Model)
		}
	}
}

package plan

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const market = `
targets:
  - key_env: COMMON
    providers:
      north: {base_url: http://n/v1, region: eu, meta: {precision: fp8, labels: {a: x}}, params: {top_p: 1, seed: 2}}
      south: {base_url: http://s/v1, key_env: OWN, limit: {rpm: 30}}
    models:
      llama: {ids: {north: meta/llama}, meta: {architecture: dense, labels: {b: y}}, params: {seed: 3}}
      qwen:
    except: [{provider: south, model: [qwen]}]
  - {provider: east, model: llama, base_url: http://e/v1}
`

const hi = "scenarios: [{name: s, messages: [{role: user, content: hi}]}]\n"

func TestExpand(t *testing.T) {
	p := parse(t, market+hi)
	var got []string
	for _, x := range p.Targets {
		got = append(got, fmt.Sprintf("%s %s %s %s %s", x, x.ModelID, x.BaseURL, x.KeyEnv, x.API))
	}
	want := []string{"north llama meta/llama http://n/v1 COMMON openai-chat", "south llama llama http://s/v1 OWN openai-chat",
		"north qwen qwen http://n/v1 COMMON openai-chat", "east llama llama http://e/v1  openai-chat"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	n, s, q := p.Targets[0], p.Targets[1], p.Targets[2]
	if *n.Meta.Precision != "fp8" || *n.Meta.Architecture != "dense" || !reflect.DeepEqual(n.Meta.Labels, map[string]string{"a": "x", "b": "y"}) ||
		!reflect.DeepEqual(n.Params, map[string]any{"top_p": 1, "seed": 3}) || q.Params["seed"] != 2 || q.Meta.Architecture != nil || n.Region != "eu" {
		t.Errorf("%+v\n%+v", n, q)
	}
	if s.Limit == nil || s.Limit.RPM != 30 || n.Limit != nil {
		t.Errorf("limits %v %v", s.Limit, n.Limit)
	}
	// Cells come in the plan's order, though all of an entry stand in one place.
	var cells []string
	for _, c := range Cells(p.Schedule()) {
		cells = append(cells, c.Target.String())
	}
	if strings.Join(cells, ",") != "north llama,south llama,north qwen,east llama" {
		t.Errorf("cells %v", cells)
	}
}

// A market is a plan of a few lines.
func TestExpandMarket(t *testing.T) {
	var b strings.Builder
	b.WriteString("warmup: 0\ntrials: 1\ntargets:\n  - providers:\n")
	for i := range 60 {
		fmt.Fprintf(&b, "      p%d: {base_url: http://p%d/v1}\n", i, i)
	}
	b.WriteString("    models:\n")
	for i := range 40 {
		fmt.Fprintf(&b, "      m%d:\n", i)
	}
	p := parse(t, b.String()+hi)
	if len(p.Targets) != 2400 || p.Targets[0].String() != "p0 m0" || p.Targets[2399].String() != "p59 m39" || len(Cells(p.Schedule())) != 2400 {
		t.Errorf("%d targets", len(p.Targets))
	}
}

func TestExpandFaults(t *testing.T) {
	entry := func(s string) string {
		return "targets: [{providers: {north: {base_url: http://n}}, models: {llama: {}}, " + s + "}]\n" + hi
	}
	for _, c := range []struct{ text, want string }{
		{"targets: [{providers: {north: {base_url: http://n}}}]\n" + hi, "need each other"},
		{entry("provider: x"), "either provider and model, or providers and models"},
		{entry("except: [{provider: nort}]"), `"nort" is none of providers; the nearest known one is "north"`},
		{entry("except: [{}]"), "name a provider, a model, or both"},
		{entry("except: [{provider: north}]"), "leaves no target"},
		{"targets: [{providers: {north: {base_url: http://n}}, models: {llama: {ids: {nort: x}}}}]\n" + hi, `ids: "nort" is none of providers`},
		{"targets: [{providers: {north: {base_ur: http://n}}, models: {llama: {}}}]\n" + hi, `unknown key "base_ur"`},
		{"targets: [{providers: {north: }, models: {llama: {}}}]\n" + hi, "needs base_url"},
		{"targets: [{provider: a, model: m, base_url: http://a, except: [{model: m}]}]\n" + hi, "except belongs to providers and models"},
		{"targets: [{provider: a, model: m, base_url: http://a, limit: {}}]\n" + hi, "rpm"},
		{"targets: [{provider: a, model: m, base_url: http://a, limit: {rpm: 60}}]\nscenarios: [{name: s, messages: [{role: user, content: hi}], rate: {rps: 2}}]", "120 requests a minute; the limit of a m is 60"},
		{"targets: [{provider: a, model: m, base_url: http://a, limit: {rpm: 5}}]\nscenarios: [{name: s, messages: [{role: user, content: hi}], burst: {size: 6}}]", "6 requests at once"},
		{"budget: {usd: 1, unknown_usd: 2}\ntargets: [{provider: a, model: m, base_url: http://a}]\n" + hi, "unknown_usd"},
		{"on_dead_target: ignore\ntargets: [{provider: a, model: m, base_url: http://a}]\n" + hi, "known are pause, stop, continue"},
	} {
		if _, err := Parse([]byte(c.text), "x.yaml"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot %v, want %q", c.text, err, c.want)
		}
	}
}

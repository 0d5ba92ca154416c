package plan

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"aircheck/internal/kit/yamlx"
	"aircheck/internal/tools/corpus"
)

const targets = "targets: [{provider: a, model: m, base_url: http://a.example/v1}, {provider: b, model: m, base_url: http://b.example/v1}, {provider: c, model: m, base_url: http://c.example/v1}]\n"

func parse(t *testing.T, text string) *Plan {
	t.Helper()
	p, err := Parse([]byte(text), filepath.Join("testdata", "x.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The plan of the documentation, every key of it.
func TestFullPlan(t *testing.T) {
	p, err := Load("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "chat-providers" || p.Seed != 7 || p.PrimaryMetric != "ttft_net_ms" || p.Vantage != "nyc1" || p.Trials != 5 || *p.Budget.USD != 5 ||
		p.Windows != (Windows{12, 2 * time.Hour}) || p.Timeouts != (Timeouts{10 * time.Second, time.Minute, 30 * time.Second, 5 * time.Minute}) {
		t.Errorf("%+v", p)
	}
	d := p.Targets[0]
	if d.ModelID != "openai-gpt-oss-120b" || *d.Meta.Precision != "fp8" || !*d.Meta.Reasoning || d.Headers["X-Extra"] != "1" || d.Meta.Residency != nil {
		t.Errorf("%+v", d)
	}
	if o := p.Targets[1]; o.ModelID != "gpt-oss-120b" || o.API != "openai-chat" || o.KeyEnv != "" {
		t.Errorf("%+v", o)
	}
	chat, cold, spike, open := p.Scenarios[0], p.Scenarios[1], p.Scenarios[2], p.Scenarios[3]
	if string(chat.Prompts[0].Checks) != `[{"contains":"scatter"}]` || !reflect.DeepEqual(chat.Concurrency, []int{1, 8}) {
		t.Errorf("%+v", chat)
	}
	if cold.Mode != ColdStart || cold.Idle != 15*time.Minute || cold.Trials != 3 || cold.Workload != "chat" || cold.Params["max_tokens"] != 512 || cold.Concurrency != nil {
		t.Errorf("%+v", cold)
	}
	if spike.Mode != Burst || spike.Burst != 20 || spike.Trials != 1 || len(spike.Prompts) != 1 {
		t.Errorf("%+v", spike)
	}
	if open.Mode != OpenLoop || len(open.Prompts) != 3 || string(open.Prompts[1].Checks) != `[{"contains":"4"}]` || open.Prompts[2].Messages[0].Role != "system" {
		t.Errorf("%+v", open)
	}
	if len(p.Probes) != 8 || len(p.Hash()) != 64 {
		t.Errorf("%v", p.Probes)
	}
}

func TestDefaults(t *testing.T) {
	p := parse(t, targets+"scenarios: [{name: s, messages: [{role: user, content: hi}]}]")
	if p.Name != "x" || p.Windows != (Windows{Count: 1}) || p.Trials != 25 || p.Warmup != 3 || p.Order != Interleaved ||
		p.Parallel != 1 || p.Content != ContentFull || p.Connections != Keep || p.Budget != nil {
		t.Errorf("%+v", p)
	}
	s := p.Scenarios[0]
	if !reflect.DeepEqual(s.Concurrency, []int{1}) || s.Ends != EndsNatural || s.Mode != ClosedLoop || s.Prompts[0].Checks != nil {
		t.Errorf("%+v", s)
	}
}

// A scenario takes over what it extends, changes nothing of it, and what
// excludes what it inherits replaces it.
func TestExtends(t *testing.T) {
	p := parse(t, targets+`
scenarios:
  - {name: a, messages: [{role: user, content: hi}], params: {temperature: 0, stop: [x]}, rate: {rps: 5}, nonce: true}
  - {name: b, extends: a, prompts: prompts.jsonl, params: {temperature: 1}}
  - {name: c, extends: b, concurrency: 4, nonce: false, messages: [{role: user, content: ho}]}
  - {name: d, extends: a, rate: {rps: 9}}
`)
	a, b, c, d := p.Scenarios[0], p.Scenarios[1], p.Scenarios[2], p.Scenarios[3]
	if a.Params["temperature"] != 0 || b.Params["temperature"] != 1 || b.Params["stop"] == nil || len(b.Prompts) != 3 || b.Mode != OpenLoop || !b.Nonce {
		t.Errorf("a %+v\nb %+v", a, b)
	}
	if c.Mode != ClosedLoop || c.Nonce || len(c.Prompts) != 1 || c.Prompts[0].Messages[0].Content != "ho" || c.Params["temperature"] != 1 {
		t.Errorf("c %+v", c)
	}
	if a.Rate.RPS != 5 || d.Rate.RPS != 9 || b.Rate.RPS != 5 {
		t.Errorf("rates %v %v %v", a.Rate.RPS, b.Rate.RPS, d.Rate.RPS)
	}
}

func TestFaults(t *testing.T) {
	const scenario = "scenarios: [{name: s, messages: [{role: user, content: hi}]}]\n"
	with := func(s string) string {
		return targets + "scenarios: [{name: s, messages: [{role: user, content: hi}], " + s + "}]\n"
	}
	target := func(s string) string {
		return scenario + "targets: [{provider: a, model: m, base_url: http://a.example/v1, " + s + "}]\n"
	}
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "wram-up: 3\n" + targets + scenario, `1:1: unknown key "wram-up"; the nearest known key is "warmup"`},
		{"unknown key below", targets + "scenarios:\n  - name: s\n    mesages: []\n", `4:5`},
		{"unknown key below, named", targets + "scenarios:\n  - name: s\n    mesages: []\n", `unknown key "mesages"; the nearest known key is "messages"`},
		{"both at once", "trails: 3\n" + targets + "scenarios: [{name: s, mesages: []}]\n", `"mesages"`},
		{"no targets", scenario, "needs targets"},
		{"no scenarios", targets, "needs scenarios"},
		{"no yaml", "a: [", "not valid YAML"},
		{"empty", "", "empty"},
		{"no model", scenario + "targets: [{provider: a, base_url: http://a}]", "needs model"},
		{"trials", "trials: 0\n" + targets + scenario, "trials must be at least 1"},
		{"order", "order: shuffled\n" + targets + scenario, `1:8: unknown word "shuffled"; known are interleaved, sequential`},
		{"every", "windows: {count: 2, every: 2}\n" + targets + scenario, "duration"},
		{"hash key", "hash_key_env: K\n" + targets + scenario, "belongs to content: hash"},
		{"timeouts", "timeouts: {idle: 0s}\n" + targets + scenario, "timeouts must be longer than 0"},
		{"budget", "budget: {}\n" + targets + scenario, "usd"},
		{"probe", "probes: [stops]\n" + targets + scenario, `the nearest known one is "stop"`},
		{"api", target("api: openai-chats"), "openai-chat"},
		{"architecture", target("meta: {architecture: mixture}"), "dense or moe"},
		{"credential header", target("headers: {X-API-Key: abc}"), "key_env"},
		{"credential in url", scenario + "targets: [{provider: a, model: m, base_url: 'https://u:p@a.example/v1'}]", "user name or password"},
		{"credential in query", scenario + "targets: [{provider: a, model: m, base_url: 'https://a.example/v1?api-key=abc123'}]", "holds a credential (api-key)"},
		{"no url", scenario + "targets: [{provider: a, model: m, base_url: a.example}]", "base_url"},
		{"same target twice", scenario + "targets:\n  - &t {provider: a, model: m, base_url: http://a.example}\n  - *t\n", "same as the one on line"},
		{"stream", with("params: {stream: maybe}"), "stream must be true or false"},
		{"modes", with("concurrency: 2, rate: {rps: 1}"), "exclude each other"},
		{"concurrency", with("concurrency: [1, 1]"), "twice"},
		{"role", targets + "scenarios: [{name: s, messages: [{role: usr, content: hi}]}]", "usr"},
		{"no question", targets + "scenarios: [{name: s, messages: [{role: system, content: hi}]}]", "no message of the user"},
		{"no messages", targets + "scenarios: [{name: s}]", "no messages"},
		{"no prompts there", targets + "scenarios: [{name: s, prompts: none.jsonl}]", "none.jsonl"},
		{"check", with("checks: [{contain: x}]"), `the nearest known one is "contains"`},
		{"check of two", with("checks: [{contains: x, json: true}]"), "a check is one name"},
		{"scenario twice", targets + "scenarios: [&s {name: s, messages: [{role: user, content: hi}]}, *s]", "listed twice"},
		{"extends", targets + "scenarios: [{name: long-chat, messages: [{role: user, content: hi}]}, {name: t, extends: long-chats}]", "the nearest one is long-chat"},
		{"rate", with("rate: {rps: 0}"), "rps"},
		{"trace", with("rate: {arrivals: trace}"), "file"},
		{"cold start", with("cold_start: {trials: 2}"), "idle"},
		{"burst", with("burst: {size: 1}"), "size"},
		{"null", "null", "the file is empty"},
		{"no number", with("rate: {rps: .nan}"), "finite"},
		{"slow rate", with("rate: {rps: 1e-300}"), "take years"},
		{"huge budget", "budget: {usd: 1e10}\n" + targets + scenario, "at most 1000000000"},
		{"header of two lines", target(`headers: {X-A: "a\r\nX-B: b"}`), "line break"},
		{"header name", target("headers: {'X A': b}"), `"X A" cannot be the name of a header`},
		{"credential in query, spelt otherwise", scenario + "targets: [{provider: a, model: m, base_url: 'https://a.example/v1?X-Goog-Api-Key=abc123'}]", "holds a credential (X-Goog-Api-Key)"},
		{"query", scenario + "targets: [{provider: a, model: m, base_url: 'https://a.example/v1?a=1;key=abc123'}]", "not valid"},
		{"model in params", with("params: {model: n}"), "params: model is set by the plan's own key model_id"},
		{"system in a target's params", target("params: {system_instruction: x}"), "own key messages"},
		{"stream in capitals", with("params: {Stream: false}"), "Stream is written stream"},
		{"trials", "trials: 2000000000\n" + targets + scenario, "trials must be at most 1000000"},
		{"product", "trials: 1000000\n" + targets + scenario, "makes 3000009 requests; 1000000 are the most"},
		{"input", with("input_tokens: [20000000]"), "input_tokens must be at most 2000000"},
		{"endless prompts", targets + "scenarios: [{name: s, prompts: /dev/zero}]", "/dev/zero is no regular file"},
		{"endless trace", with("rate: {file: /dev/zero}"), "no regular file"},
		{"input too short", with("input_tokens: 1"), "is less than the 1 tokens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if c.name == "input too short" {
				text = strings.Replace(text, "content: hi", "content: hello there", 1)
				c.want = "is less than the 2 tokens"
			}
			_, err := Parse([]byte(text), filepath.Join("testdata", "x.yaml"))
			var faults yamlx.Errors
			if !errors.As(err, &faults) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if strings.Contains(err.Error(), "abc123") || strings.Contains(err.Error(), "u:p") {
				t.Errorf("the error repeats a credential: %v", err)
			}
			for _, f := range faults {
				if f.Name == "" || f.Line == 0 && c.name != "empty" {
					t.Errorf("no place: %v", f)
				}
			}
		})
	}
}

// What is counted before the schedule is made is its length.
func TestCount(t *testing.T) {
	p, err := Load("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, b := range p.Schedule() {
		n += len(b.Requests)
	}
	if p.count() != float64(n) {
		t.Errorf("counted %v, %d in the schedule", p.count(), n)
	}
}

// Of several bounds the largest holds, and one that is none takes them all away.
func TestOutputCap(t *testing.T) {
	type m = map[string]any
	for _, c := range []struct {
		params m
		want   int
	}{
		{m{"max_tokens": 10, "max_completion_tokens": 1000000}, 1000000},
		{m{"max_tokens": 10, "options": m{"num_predict": 99}}, 99},
		{m{"max_tokens": 10, "generationConfig": m{"maxOutputTokens": 2.5e3}}, 2500},
		{m{"max_tokens": 10, "num_predict": -1}, 0},
		{m{"max_tokens": "10"}, 0},
		{m{"max_tokens": 10, "n": 2.0}, 20},
		{m{"max_tokens": 10, "n": 1e30}, 0},
		{m{"max_tokens": nil, "max_completion_tokens": 7}, 7},
		{m{"temperature": 0}, 0},
	} {
		for range 20 { // the order of a map is chance
			if got := (&Request{Params: c.params}).OutputCap(); got != c.want {
				t.Errorf("%v: %d, want %d", c.params, got, c.want)
				break
			}
		}
	}
}

func TestPromptFileFaults(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"\"a\"\n{\"promt\": \"x\"}\n":                                "p.jsonl:2: unknown field",
		"{\"prompt\": \"x\", \"messages\": [{\"role\":\"user\"}]}\n": "either prompt or messages",
		"\"a\"\nno\n": "p.jsonl:2",
		"\n":          "is empty",
		"{\"prompt\":\"x\",\"checks\":[{\"a\":1}]}":           "unknown check",
		"{\"messages\":[{\"role\":\"x\",\"content\":\"y\"}]}": `prompt 1: role "x"`,
	} {
		if err := os.WriteFile(filepath.Join(dir, "p.jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Parse([]byte(targets+"scenarios: [{name: s, prompts: p.jsonl}]"), filepath.Join(dir, "x.yaml"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestTrace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.txt")
	os.WriteFile(path, []byte("# offsets\n10.5\n11s\n\n12500ms\n"), 0o644)
	got, err := readTrace(path)
	if want := []time.Duration{0, 500 * time.Millisecond, 2 * time.Second}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	for text, want := range map[string]string{"2\n1\n": "backwards", "x\n": "t.txt:1", "": "no arrivals"} {
		os.WriteFile(path, []byte(text), 0o644)
		if _, err := readTrace(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// Published traces are tables with dates; a part of one can be replayed at
// another speed.
func TestTraceTable(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "t.csv"), []byte("TIMESTAMP,ContextTokens\n2023-11-16 18:15:46.6805900,374\n2023-11-16 18:15:48.6805900,396\n2023-11-16 18:16:46.6805900,1\n"), 0o644)
	p, err := Parse([]byte(targets+"scenarios: [{name: s, messages: [{role: user, content: hi}], rate: {file: t.csv, take: 30s, speed: 4}}]"), filepath.Join(dir, "x.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []time.Duration{0, 500 * time.Millisecond}; !reflect.DeepEqual(p.Scenarios[0].Rate.trace, want) {
		t.Errorf("got %v", p.Scenarios[0].Rate.trace)
	}
}

// The trace of the collection, whole.
func TestTraceAzure(t *testing.T) {
	path := filepath.Join(corpus.Dir(t), "arrivals", "data~AzureLLMInferenceTrace_conv.csv")
	got, err := readTrace(path)
	if err != nil || len(got) != 19366 || got[0] != 0 || got[len(got)-1].Round(time.Second) != 3502*time.Second {
		t.Errorf("%d arrivals, %v", len(got), err)
	}
}

// A value out of range is named at its own place, not where the file or list begins.
func TestRangeFaultsPointAtTheirLine(t *testing.T) {
	text := `trials: 0
timeouts:
  idle: -1s
windows:
  count: -2
budget:
  usd: -1
` + targets + `
scenarios:
  - name: s
    messages: [{role: user, content: hi}]
    concurrency: [1, 0]
`
	_, err := Parse([]byte(text), "x.yaml")
	for _, want := range []string{"x.yaml:1:9: trials", "x.yaml:3:9: timeouts", "x.yaml:5:10: windows: count", "x.yaml:7:8: budget: usd", ": scenario \"s\": concurrency must be at least 1"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %s", err, want)
		}
	}
}

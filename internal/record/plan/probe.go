package plan

import (
	"math"
	"slices"
	"strings"

	"aircheck/internal/wire/dialect"
)

// A probe asks whether a provider honours one parameter. Its treatment arm sets
// the parameter, its control arm does not; both ask the same. What the answers
// say about it is judged from the recording.
type probe struct {
	name      string
	question  string
	params    map[string]any // of both arms
	treatment map[string]any // on top; nil takes a field out of the body
	control   map[string]any
}

// probeRepeats is how often each arm of a probe is asked.
const probeRepeats = 5

// probeScenario is the scenario that rows of probes bear.
const probeScenario = "probes"

// Arms of a probe.
const (
	Treatment = "treatment"
	Control   = "control"
)

var weatherTool = map[string]any{"type": "function", "function": map[string]any{
	"name": "get_weather", "description": "Get the current weather of a city.",
	"parameters": map[string]any{"type": "object", "required": []any{"city"},
		"properties": map[string]any{"city": map[string]any{"type": "string"}}}}}

// probes lists what can be asked. A new one is an entry here, and a rule in the
// view that judges it.
var probes = []probe{
	{name: "reasoning_off",
		question:  "A bat and a ball cost 1.10 together, and the bat costs 1.00 more than the ball. What does the ball cost?",
		params:    map[string]any{"max_tokens": 1024},
		treatment: map[string]any{"reasoning_effort": "none"}},
	{name: "max_tokens",
		question:  "Tell a story of about two hundred words about a lighthouse.",
		params:    map[string]any{"max_tokens": 1024},
		treatment: map[string]any{"max_tokens": 16}},
	{name: "stop",
		question:  "Count from 1 to 12 in digits, separated by single spaces. Write nothing else.",
		params:    map[string]any{"max_tokens": 1024},
		treatment: map[string]any{"stop": []any{"7"}}},
	{name: "json_mode",
		question:  "Name three fruits and their colours. If an output format such as JSON is asked for, use it; else answer in a sentence.",
		params:    map[string]any{"max_tokens": 1024},
		treatment: map[string]any{"response_format": map[string]any{"type": "json_object"}}},
	{name: "usage",
		question: "Say good morning in five languages.",
		params:   map[string]any{"max_tokens": 1024},
		// The control does not ask for usage in the stream.
		control: map[string]any{"stream_options": nil}},
	{name: "tools",
		question:  "What is the weather in Oslo right now?",
		params:    map[string]any{"max_tokens": 1024},
		treatment: map[string]any{"tools": []any{weatherTool}}},
	{name: "n",
		question:  "Name one animal.",
		params:    map[string]any{"max_tokens": 1024},
		treatment: map[string]any{"n": 2}},
	{name: "logprobs",
		question:  "Name one colour.",
		params:    map[string]any{"max_tokens": 1024},
		treatment: map[string]any{"logprobs": true, "top_logprobs": 2}},
}

func (v *probeName) UnmarshalText(b []byte) error {
	known := make([]probeName, len(probes))
	for i, p := range probes {
		known[i] = probeName(p.name)
	}
	return oneOf(v, b, known...)
}

// probeRequests gives a round of all probes for one target: both arms of each.
func (p *Plan) probeRequests(t *Target, repeat int) []Request {
	var out []Request
	for i := range probes {
		pr := &probes[i]
		if !slices.Contains(p.Probes, pr.name) {
			continue
		}
		prompt := &Prompt{Index: i, Messages: []dialect.Message{{Role: "user", Content: pr.question}}}
		for _, arm := range []struct {
			name   string
			params map[string]any
		}{{Treatment, pr.treatment}, {Control, pr.control}} {
			params := merged(pr.params, t.Params, arm.params)
			if !strings.HasPrefix(string(t.API), "openai-c") {
				delete(params, "stream_options") // of that dialect only
			}
			out = append(out, Request{Target: t, Scenario: probeScenario, Phase: PhaseProbe, Trial: repeat, Concurrency: 1, Place: -1,
				Prompt: prompt, Probe: pr.name, Arm: arm.name, Params: params, Ends: EndsNatural})
		}
	}
	return out
}

// outputCaps are the names under which parameters bound the output, at the top
// or in one of the objects that dialects keep options in; letters only.
var outputCaps = []string{"maxtokens", "maxcompletiontokens", "maxoutputtokens", "maxnewtokens", "numpredict"}

// maxTokens is more than any model writes; what is beyond it bounds nothing.
const maxTokens = 1e8

// outputCap is the most tokens that an answer may have: the largest of all that
// bound it, since which of them a provider reads is not known. 0 where nothing
// says so, or one says that there is no bound.
func outputCap(params map[string]any) int {
	most, unbounded := 0, false
	var look func(params map[string]any, depth int)
	look = func(params map[string]any, depth int) {
		for name, v := range params {
			if inner, ok := v.(map[string]any); ok && depth < 2 {
				look(inner, depth+1)
			}
			if !slices.Contains(outputCaps, strings.ToLower(strings.ReplaceAll(name, "_", ""))) {
				continue
			}
			n, ok := tokens(v)
			most, unbounded = max(most, n), unbounded || !ok
		}
	}
	look(params, 0)
	if unbounded {
		return 0
	}
	return most
}

// tokens reads a count as YAML may have it.
func tokens(v any) (n int, ok bool) {
	var f float64
	switch v := v.(type) {
	case int:
		f = float64(v)
	case int64:
		f = float64(v)
	case uint64:
		f = float64(v)
	case float64:
		f = math.Ceil(v)
	case nil:
		return 0, true // takes the field out
	default:
		return 0, false
	}
	if !(f > 0 && f <= maxTokens) {
		return 0, false
	}
	return int(f), true
}

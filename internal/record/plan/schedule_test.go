package plan

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

const one = "scenarios: [{name: s, messages: [{role: user, content: hi}]}]\n"

func TestScheduleIsReproducible(t *testing.T) {
	p, err := Load("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	q, _ := Load("testdata/full.yaml")
	order := func(p *Plan) (s []string) {
		for _, b := range p.Schedule() {
			for _, r := range b.Requests {
				s = append(s, fmt.Sprint(b.Window, r.Target, r.Scenario, r.Phase, r.Trial, r.Prompt.Index, r.At, r.Probe, r.Arm))
			}
		}
		return s
	}
	if !reflect.DeepEqual(order(p), order(q)) {
		t.Error("the same plan gives two schedules")
	}
	q.Seed++
	if reflect.DeepEqual(order(p), order(q)) {
		t.Error("the seed changes nothing")
	}
}

// Interleaved: every round asks each target once, the same, in an order that
// is not always the same.
func TestRounds(t *testing.T) {
	p := parse(t, "trials: 6\nwarmup: 2\nwindows: {count: 2}\n"+targets+"scenarios: [{name: s, prompts: prompts.jsonl}]\n")
	blocks := p.Schedule()
	if len(blocks) != 2 {
		t.Fatalf("%d blocks", len(blocks))
	}
	orders := map[string]bool{}
	used := map[int]int{}
	for w, b := range blocks {
		if b.Window != w || b.Streams != 1 || len(b.Requests) != 3*(2+6) {
			t.Fatalf("%+v", b)
		}
		for i := 0; i < len(b.Requests); i += 3 {
			round := b.Requests[i : i+3]
			seen, order := map[string]bool{}, ""
			for _, r := range round {
				seen[r.Target.Provider] = true
				order += r.Target.Provider
				if r.Prompt != round[0].Prompt || r.Trial != round[0].Trial || r.Phase != round[0].Phase {
					t.Errorf("round %d differs: %+v", i/3, r)
				}
			}
			if len(seen) != 3 {
				t.Errorf("round %d asks %v", i/3, seen)
			}
			orders[order] = true
			if round[0].Phase == PhaseMeasure {
				used[round[0].Prompt.Index]++
			}
		}
		if b.Requests[0].Phase != PhaseWarmup || b.Requests[5].Phase != PhaseWarmup || b.Requests[6].Phase != PhaseMeasure {
			t.Error("warm-ups do not lead")
		}
	}
	if len(orders) < 3 {
		t.Errorf("rounds are hardly shuffled: %v", orders)
	}
	if !reflect.DeepEqual(used, map[int]int{0: 4, 1: 4, 2: 4}) {
		t.Errorf("prompts are not used equally: %v", used)
	}
}

func TestSequential(t *testing.T) {
	p := parse(t, "order: sequential\ntrials: 2\nwarmup: 1\n"+targets+one)
	var got []string
	for _, b := range p.Schedule() {
		for _, r := range b.Requests {
			got = append(got, r.Target.Provider+r.Phase[:1])
		}
	}
	if strings.Join(got, " ") != "aw am am bw bm bm cw cm cm" {
		t.Error(got)
	}
}

// A closed loop of several streams needs as many requests.
func TestClosedLoop(t *testing.T) {
	p := parse(t, "trials: 5\nwarmup: 3\n"+targets+"scenarios: [{name: s, messages: [{role: user, content: hi}], concurrency: [4, 8]}]\n")
	blocks := p.Schedule()
	if len(blocks) != 6 {
		t.Fatalf("%d blocks", len(blocks))
	}
	for i, want := range []struct{ streams, warm, trials int }{{4, 4, 5}, {8, 8, 8}} {
		for _, b := range blocks[3*i : 3*i+3] {
			n := map[string]int{}
			for _, r := range b.Requests {
				n[r.Phase]++
				if r.Target != b.Requests[0].Target || r.Concurrency != want.streams {
					t.Errorf("%+v", r)
				}
			}
			if b.Streams != want.streams || n[PhaseWarmup] != want.warm || n[PhaseMeasure] != want.trials {
				t.Errorf("%d streams, %v", b.Streams, n)
			}
		}
	}
}

func TestOpenLoop(t *testing.T) {
	p := parse(t, "trials: 400\nwarmup: 0\n"+targets+`
scenarios:
  - {name: p, messages: [{role: user, content: hi}], rate: {rps: 100}}
  - {name: c, extends: p, rate: {rps: 100, arrivals: constant}}
`)
	blocks := p.Schedule()
	if len(blocks) != 6 {
		t.Fatalf("%d blocks", len(blocks))
	}
	for i, b := range blocks {
		last := time.Duration(0)
		for j, r := range b.Requests {
			if r.At < last || j == 0 && r.At != 0 || r.Concurrency != 0 {
				t.Fatalf("request %d of block %d at %v after %v", j, i, r.At, last)
			}
			last = r.At
			if i >= 3 && r.At != time.Duration(j)*10*time.Millisecond {
				t.Fatalf("constant arrival %d at %v", j, r.At)
			}
			if r.At != blocks[i/3*3].Requests[j].At {
				t.Fatal("targets get different arrivals")
			}
		}
		// 400 exponential gaps of 10 ms: four standard deviations are 0.8 s.
		if last < 3200*time.Millisecond || last > 4800*time.Millisecond {
			t.Errorf("last arrival at %v", last)
		}
	}
}

func TestColdAndBurst(t *testing.T) {
	p := parse(t, targets+`
scenarios:
  - {name: cold, messages: [{role: user, content: hi}], cold_start: {idle: 15m, trials: 2}}
  - {name: spike, extends: cold, burst: {size: 5, after_idle: 1m}}
`)
	blocks := p.Schedule()
	if len(blocks) != 2*3+3 {
		t.Fatalf("%d blocks", len(blocks))
	}
	for i, b := range blocks {
		want := Block{Idle: 15 * time.Minute, Streams: 1}
		n := 1 + afterCold
		phase := PhaseCold
		if i >= 6 {
			want, n, phase = Block{Idle: time.Minute, Streams: 5}, 5, PhaseBurst
		}
		if b.Idle != want.Idle || b.Streams != want.Streams || len(b.Requests) != n {
			t.Errorf("block %d: %v idle, %d streams, %d requests", i, b.Idle, b.Streams, len(b.Requests))
		}
		for j, r := range b.Requests {
			if r.Place != j || !r.Fresh || r.Phase != phase || r.Target != b.Requests[0].Target {
				t.Errorf("%+v", r)
			}
		}
	}
}

func TestProbes(t *testing.T) {
	p := parse(t, "probes: [max_tokens, usage]\nwindows: {count: 2}\n"+targets+one)
	blocks := p.Schedule()
	if len(blocks) != 3 || blocks[1].Window != 0 || len(blocks[1].Requests) != 3*2*2*probeRepeats {
		t.Fatalf("%d blocks", len(blocks))
	}
	n := map[string]int{}
	for _, r := range blocks[1].Requests {
		n[r.Target.Provider+" "+r.Probe+" "+r.Arm]++
		h, err := r.Build("", "", time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		var body map[string]any
		json.Unmarshal(h.Body, &body)
		if want := map[string]float64{Treatment: 16, Control: 1024}; r.Probe == "max_tokens" && body["max_tokens"] != want[r.Arm] {
			t.Errorf("%s: %s", r.Arm, h.Body)
		}
		if _, asked := body["stream_options"]; r.Probe == "usage" && asked != (r.Arm == Treatment) {
			t.Errorf("%s: %s", r.Arm, h.Body)
		}
	}
	for k, v := range n {
		if v != probeRepeats {
			t.Errorf("%s: %d", k, v)
		}
	}
}

func TestBuild(t *testing.T) {
	p := parse(t, `
targets: [{provider: a, model: m, model_id: id, base_url: http://a.example/v1, key_env: K, params: {max_tokens: 9}, headers: {X-Extra: "1"}}]
scenarios: [{name: s, messages: [{role: user, content: hi}], params: {temperature: 0, max_tokens: 5, stream: false}, nonce: true}]
`)
	r := p.Schedule()[0].Requests[0]
	h, err := r.Build("sk-1", "run-1", time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if h.URL != "http://a.example/v1/chat/completions" || h.Header.Get("Authorization") != "Bearer sk-1" || h.Header.Get("X-Extra") != "1" {
		t.Errorf("%+v", h)
	}
	var body struct {
		Model       string
		Stream      bool
		MaxTokens   int `json:"max_tokens"`
		Temperature *float64
		Messages    []struct{ Content string }
	}
	if err := json.Unmarshal(h.Body, &body); err != nil {
		t.Fatal(err)
	}
	if body.Model != "id" || body.Stream || body.MaxTokens != 9 || body.Temperature == nil || !strings.HasSuffix(body.Messages[0].Content, "] hi") {
		t.Errorf("%s", h.Body)
	}
	again, _ := r.Build("sk-1", "run-2", time.Time{})
	if string(again.Body) == string(h.Body) || len(again.Body) != len(h.Body) {
		t.Errorf("nonces: %s and %s", h.Body, again.Body)
	}
	if r.Messages()[0].Content != "hi" || r.ParamsJSON() != `{"max_tokens":9,"stream":false,"temperature":0}` || r.Streamed() {
		t.Errorf("%s, %s", r.Messages()[0].Content, r.ParamsJSON())
	}
}

// Filler brings a prompt to its length exactly.
func TestFill(t *testing.T) {
	p := parse(t, targets+`
scenarios: [{name: s, messages: [{role: system, content: Be brief.}, {role: user, content: "Why is the sky blue?"}], input_tokens: [12, 50, 4000], nonce: true}]
`)
	names := map[string]bool{}
	for _, b := range p.Schedule() {
		r := b.Requests[0]
		names[r.Scenario] = true
		h, err := r.Build("", "salt", time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		var body struct{ Messages []struct{ Content string } }
		json.Unmarshal(h.Body, &body)
		n := CountTokens(body.Messages[0].Content) + CountTokens(body.Messages[1].Content)
		if r.Size >= 50 && n != r.Size {
			t.Errorf("%d tokens, wanted %d", n, r.Size)
		}
		if !strings.HasSuffix(body.Messages[1].Content, "Why is the sky blue?") {
			t.Errorf("the question is gone: %q", body.Messages[1].Content)
		}
	}
	if !reflect.DeepEqual(names, map[string]bool{"s@12": true, "s@50": true, "s@4000": true}) {
		t.Errorf("scenarios %v", names)
	}
	if b := p.Schedule()[0].Requests; Hash(b[0].Messages()) != Hash(b[1].Messages()) {
		t.Error("equal prompts have different hashes")
	}
}

func TestCells(t *testing.T) {
	p := parse(t, "trials: 5\nwarmup: 1\nwindows: {count: 2}\nprobes: [n]\n"+targets+
		"scenarios: [{name: s, messages: [{role: user, content: hello there}], params: {max_tokens: 10}}, {name: u, messages: [{role: user, content: hi}]}]\n")
	cells := Cells(p.Schedule())
	if len(cells) != 9 {
		t.Fatalf("%d cells", len(cells))
	}
	for _, c := range cells {
		input, output := 0, 0
		for _, r := range c.Requests {
			input += r.InputTokens()
			output += r.OutputCap()
		}
		switch c.Scenario {
		case "s":
			if c.Count(PhaseMeasure) != 10 || c.Count(PhaseWarmup) != 2 || input != 24 || output != 120 {
				t.Errorf("%+v: %d, %d tokens", c, input, output)
			}
		case "u":
			if output != 0 {
				t.Errorf("nothing bounds %d tokens", output)
			}
		case "probes": // n: 2 in one arm
			if c.Count(PhaseProbe) != 2*probeRepeats || output != probeRepeats*(1024+2*1024) {
				t.Errorf("%+v: %d tokens", c, output)
			}
		}
	}
}

func TestWindowNames(t *testing.T) {
	for n, want := range map[int]string{1: "03", 12: "03", 100: "03", 101: "003"} {
		if got := (&Plan{Windows: Windows{Count: n}}).WindowName(3); got != want {
			t.Errorf("%d windows: %s", n, got)
		}
	}
}

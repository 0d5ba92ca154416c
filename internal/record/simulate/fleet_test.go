package simulate

import (
	"strings"
	"testing"
	"time"
)

func TestFleetFaultsNameTheirPlace(t *testing.T) {
	const ok = "providers: [{name: p, models: [{name: m}]}]\n"
	for _, c := range []struct{ in, want string }{
		{"behavior: {}\n" + ok, `f.yaml:1:1: unknown key "behavior"; the nearest known key is "behaviour"`},
		{"behaviour: {first_tokn: 1s}\n" + ok, `f.yaml:1:13: unknown key "first_tokn"; the nearest known key is "first_token"`},
		{"behaviour: {first_token: {medain: 1s}}\n" + ok, `f.yaml:1:27: unknown key "medain"; the nearest known key is "median"`},
		{"behaviour: {name: x}\n" + ok, `f.yaml:1:12: name and id belong to a provider's entry for a model`},
		{"providers: [{name: p, models: [{name: m, faults: [{kind: rest, every: 1}]}]}]",
			`f.yaml:1:58: unknown word "rest"; the nearest known one is "reset"`},
		{"providers: [{name: p, models: [{name: m, faults: [{kind: reset}]}]}]", `f.yaml:1:51: a fault needs every, on or share, else it never falls`},
		{"providers: [{name: p, models: [{name: m, thinking: {show: thnk}}]}]", `unknown word "thnk"`},
		{"providers: [{name: p, models: [{name: m, ignores: stops}]}]", `the nearest known one is "stop"`},
		{"providers: [{name: p, models: [{name: m, conditions: [1, 0]}]}]", `f.yaml:1:32: conditions want positive multipliers`},
		{"providers: [{name: p, models: [{name: m, changes: [{windows: 1, frist_token: 1s}]}]}]", `f.yaml:1:65: unknown key "frist_token"`},
		{"providers: [{name: p, api: openai-caht, models: [{name: m}]}]", `the nearest known one is "openai-chat"`},
		{"providers: [{name: p, models: [{name: m}, {name: m}]}]", `model "m" of provider "p" is listed twice`},
		{"providers: [{name: a/b, models: [{name: m}]}]", `a provider needs a name of letters`},
		{"providers: [{name: p}]", `provider "p" needs models`},
		{"seed: 1", `a fleet needs providers`},
		{"models: {x: {}}\n" + ok, `f.yaml:1:13: no provider serves model "x"`},
	} {
		_, err := Parse([]byte(c.in), "f.yaml")
		if err == nil {
			t.Errorf("%s: no error", c.in)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "f.yaml:1:") {
			t.Errorf("%s:\n got %s\nwant %s", c.in, err, c.want)
		}
	}
}

func TestASharedFaultIsNamedOnce(t *testing.T) {
	_, err := Parse([]byte("behaviour: {gapp: 1s}\nproviders: [{name: p, models: [{name: a}, {name: b}, {name: c}]}]\n"), "f.yaml")
	if err == nil || strings.Count(err.Error(), "gapp") != 1 {
		t.Errorf("got %v", err)
	}
}

func TestBehavioursOverrideInOrder(t *testing.T) {
	f, err := Parse([]byte(`
behaviour: {first_token: {median: 1s, sigma: 0.5}, gap: 1ms, thinking: {tokens: 5}}
models:
  m: {gap: 2ms, thinking: {show: hidden}}
providers:
  - name: p
    behaviour: {gap: 3ms, changes: [{from: 10s, until: 20s, gap: 30ms}]}
    models:
      - {name: m, price: {input: 1, output: 2}, changes: [{windows: [2, 3], price: {output: 5}, first_token: 9ms}]}
      - {name: n, id: x/n, gap: 4ms}
`), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, n := f.Provider("p").model("m"), f.Provider("p").model("x/n")
	b := m.at(moment{elapsed: 0, window: 0})
	if b.Gap.Median != 3*time.Millisecond || b.FirstToken.Sigma != 0.5 || b.Thinking.Show != ShowHidden || b.Thinking.Tokens.Median != 5 {
		t.Errorf("m: %+v", b)
	}
	if g := n.at(moment{elapsed: 0, window: 0}).Gap.Median; g != 4*time.Millisecond {
		t.Errorf("n: gap %v", g)
	}
	if g := n.at(moment{elapsed: 15 * time.Second, window: 0}).Gap.Median; g != 30*time.Millisecond {
		t.Errorf("n in the provider's change: gap %v", g)
	}
	c := m.at(moment{elapsed: 10 * time.Second, window: 3})
	if *c.Price != (Price{Input: 1, Output: 5}) || c.FirstToken.Median != 9*time.Millisecond || c.FirstToken.Sigma != 0 || c.Gap.Median != 30*time.Millisecond {
		t.Errorf("m in both changes: %+v, price %+v", c, c.Price)
	}
	if again := m.at(moment{elapsed: 20 * time.Second, window: 4}); *again.Price != (Price{Input: 1, Output: 2}) || again.Gap.Median != 3*time.Millisecond {
		t.Errorf("m after its changes: %+v", again)
	}
}

func TestDistributions(t *testing.T) {
	d := Dist[time.Duration]{Median: 100 * time.Millisecond, Sigma: 0.3}
	d.Tail.Share, d.Tail.Times = 0.1, 10
	r := random(1, "x")
	const n = 20000
	below, tail := 0, 0
	for range n {
		x := d.draw(r)
		if x < 100*time.Millisecond {
			below++
		}
		if x > 400*time.Millisecond { // 4.6 sigma: only the tail gets there
			tail++
		}
	}
	// Half of the 90 % without tail lies below the median; nothing else does.
	if share := float64(below) / n; share < 0.44 || share > 0.46 {
		t.Errorf("share below the median is %.3f, want 0.45", share)
	}
	if share := float64(tail) / n; share < 0.09 || share > 0.11 {
		t.Errorf("share in the tail is %.3f, want 0.10", share)
	}
	if random(1, "a").Uint64() != random(1, "a").Uint64() || random(1, "a").Uint64() == random(2, "a").Uint64() || random(1, "a", "b").Uint64() == random(1, "ab").Uint64() {
		t.Error("randomness does not depend on seed and names")
	}
}

func TestScheduleOfFaults(t *testing.T) {
	f, err := Parse([]byte(`
seed: 3
providers:
  - name: p
    models:
      - name: m
        faults:
          - {kind: reset, on: [1, 3], per_window: true}
          - {kind: cut, every: 10}
          - {kind: empty, share: 0.2}
`), "f.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := f.Provider("p").Models[0].at(moment{elapsed: 0, window: 0})
	count := map[Kind]int{}
	for i := 1; i <= 1000; i++ {
		p := place{seed: f.Seed, provider: "p", model: "m", ordinal: i, inWindow: (i-1)%100 + 1, window: (i - 1) / 100}
		if x := b.fault(p); x != nil {
			count[x.Kind]++
		}
		if x, y := b.fault(p), b.fault(p); x != y {
			t.Fatal("a fault is not the same when asked twice")
		}
	}
	if count[Reset] != 20 || count[Cut] != 100 {
		t.Errorf("planted 20 resets and 100 cuts, got %v", count)
	}
	if n := count[Empty]; n < 140 || n > 210 { // 0.2 of 880, ±3 sigma
		t.Errorf("empty answers: %d", n)
	}
}

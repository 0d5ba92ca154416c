package groundtruth

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"aircheck/internal/analyze/stats"
)

// The providers of a world, all of one model. The first two are alike in all;
// each of the others has one thing planted.
const (
	Plain   = "a-plain"   // answers as the model does
	Twin    = "b-twin"    // and so does this one
	Build   = "c-build"   // another build: answers half of the prompts otherwise
	Cutter  = "d-cutter"  // cuts a third of its answers and calls them complete
	Thinker = "e-thinker" // thinks although it was turned off
	Eater   = "f-eater"   // thinks two answers in five away, up to the limit
	Dearer  = "g-dearer"  // its price doubles from the sixth window on
	Pool    = "h-pool"    // fails a request in ten, and is right three times in four
)

// Providers lists them.
var Providers = []string{Plain, Twin, Build, Cutter, Thinker, Eater, Dearer, Pool}

// The shape of a world: windows a day apart, each asked prompts × trials.
const (
	Windows = 8
	Prompts = 3
	Trials  = 2
	Model   = "m"
)

// Prices of the worlds, in dollars per million tokens.
var Prices = func() string {
	var b strings.Builder
	b.WriteString("as_of: 2026-03-01\nproviders:\n")
	for _, p := range Providers {
		if p == Dearer {
			fmt.Fprintf(&b, "  - id: %s\n    models:\n      - id: m\n        prices:\n          - prices: {input_mtok: 1, output_mtok: 4}\n"+
				"          - constraint: {start_date: %s}\n            prices: {input_mtok: 2, output_mtok: 8}\n", p, Day.AddDate(0, 0, 5).Format(time.DateOnly))
			continue
		}
		fmt.Fprintf(&b, "  - id: %s\n    models:\n      - {id: m, prices: {input_mtok: 1, output_mtok: 4}}\n", p)
	}
	return b.String()
}()

// Scenario names the world of a seed: worlds of many seeds share a dataset.
func Scenario(seed int) string { return fmt.Sprintf("seed-%04d", seed) }

// Truth is what a world's answers were made of.
type Truth struct {
	Cut     map[int64]bool // requests cut short and called complete
	Cost    int64          // of Dearer, nano-dollars
	Starved int            // of Eater
	// PerUseful is what a useful result of Pool costs in the long run.
	PerUseful float64
}

// Write adds the world of a seed to a dataset.
//
// Answers vary by themselves, one in five, and in one of a provider's windows
// in six all of them alike, as if another replica had served them: that is
// variation, and no difference.
func (d *Dataset) Write(seed int) (*Truth, error) {
	r := rand.New(stats.PCG(stats.Seed("world", fmt.Sprint(seed))))
	truth := &Truth{Cut: map[int64]bool{}}
	usual, other := map[int]string{}, map[int]string{}
	for p := range Prompts {
		usual[p], other[p] = prose(r), prose(r)
	}
	for w := range Windows {
		replica := map[string]bool{}
		for _, who := range Providers {
			replica[who] = r.IntN(6) == 0
		}
		for n := range Prompts * Trials {
			p := n % Prompts
			for i, who := range Providers {
				a := Answer{Provider: who, Model: Model, Scenario: Scenario(seed), Prompt: fmt.Sprint("prompt ", seed, " ", p), Window: w, Trial: n,
					At:   Day.AddDate(0, 0, w).Add(time.Duration(seed)*2*time.Minute + time.Duration(n*len(Providers)+i)*time.Second),
					Text: usual[p], Input: 20, Output: 60, Reasoning: new(int64(0)), Checks: `[{"regex":"^The "}]`}
				if replica[who] || r.IntN(5) == 0 {
					a.Text = other[p]
				}
				cut := a.plant(r, p, n, w, seed, truth)
				id, err := d.Add(a)
				if err != nil {
					return nil, err
				}
				if cut {
					truth.Cut[id] = true
				}
			}
		}
	}
	// Nine in ten are answered and charged 20 + 4·60 = 260 µ$, three in four of
	// them useful; a request in ten is refused, and free.
	truth.PerUseful = 0.00026 / 0.75
	return truth, nil
}

const off = `{"model":"m","stream":true,"temperature":0,"reasoning_effort":"none","messages":[{"role":"user","content":"x"}]}`

// plant bends an answer by what its provider is there for. It reports whether
// the answer was cut short.
func (a *Answer) plant(r *rand.Rand, prompt, n, window, seed int, truth *Truth) (cut bool) {
	switch a.Provider {
	case Build:
		if (prompt+seed)%2 == 0 {
			a.Text = "The other build of it says that " + strings.ToLower(a.Text)
		}
	case Cutter:
		if r.IntN(3) == 0 {
			words := strings.Fields(a.Text)
			half := strings.Join(words[:len(words)/2], " ")
			if !strings.HasSuffix(half, ".") {
				a.Text, cut = half, true
			}
		}
	case Plain, Thinker:
		a.Body = off
		if a.Provider == Thinker {
			a.Thinking, a.Reasoning, a.Output = "Let me think about it.", new(int64(40)), 100
		}
	case Eater:
		if r.IntN(5) < 2 {
			a.Text, a.Thinking, a.Reasoning, a.Finish = "", "Let me think about it, and then", new(int64(60)), "length"
			truth.Starved++
		}
	case Dearer:
		truth.Cost += 260_000
		if window >= 5 {
			truth.Cost += 260_000
		}
	case Pool:
		switch {
		case r.IntN(10) == 0:
			a.Status = 503
		case r.IntN(4) == 0:
			a.Text = "I cannot say."
		}
	}
	return cut
}

// prose is five sentences that begin with "The".
func prose(r *rand.Rand) string {
	pick := func(words string) string {
		list := strings.Fields(words)
		return list[r.IntN(len(list))]
	}
	var out []string
	for range 5 {
		out = append(out, fmt.Sprintf("The %s %s %s the %s %s near the %s.",
			pick("small quiet old bright slow warm deep early green clear"), pick("river house market garden train window teacher road"),
			pick("follows meets holds leaves finds keeps"), pick("plain long dark strong simple open"), pick("city ship winter forest bridge table"), pick("storm ship road letter sea hill")))
	}
	return strings.Join(out, " ")
}

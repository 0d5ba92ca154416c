package agreement

import (
	"cmp"
	"slices"

	"aircheck/internal/analyze/stats"
)

// Party is a provider with the parameters that it was asked with.
type Party struct{ Provider, Params string }

func (a Party) compare(b Party) int {
	return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Params, b.Params))
}

// Answers are the answers of a model in a scenario, by prompt and party.
type Answers struct {
	lexicon *lexicon
	prompts []string
	parties []Party
	by      map[string]map[Party][]reply
}

// reply is one answer to a prompt.
type reply struct {
	request int64
	window  string
	phrase  int32
}

// Answer is one answer to be added. Calls is the JSON list of its tool calls;
// Number says that a check asks for a number, which is then all that counts.
type Answer struct {
	Request        int64
	Prompt, Window string
	Text, Calls    string
	Number         bool
}

// Add takes an answer. The same answers must be added in the same order for
// the same result, to the last digit.
func (s *Answers) Add(who Party, a Answer) {
	if s.by == nil {
		s.lexicon, s.by = newLexicon(), map[string]map[Party][]reply{}
	}
	if s.by[a.Prompt] == nil {
		s.by[a.Prompt] = map[Party][]reply{}
		s.prompts = append(s.prompts, a.Prompt)
	}
	if !slices.Contains(s.parties, who) {
		s.parties = append(s.parties, who)
	}
	s.by[a.Prompt][who] = append(s.by[a.Prompt][who], reply{a.Request, a.Window, s.lexicon.add(a.Text, a.Calls, a.Number)})
}

// Most bounds the answers of one party to one prompt that are compared; more
// are thinned out evenly. A caller that has very many may thin them itself.
const Most = 64

func thinned(list []reply) []reply {
	if len(list) <= Most {
		return list
	}
	out := make([]reply, Most)
	for i := range out {
		out[i] = list[i*len(list)/Most]
	}
	return out
}

// Pair is two parties compared: over all prompts, and on each.
type Pair struct {
	A, B Party
	Comparison
	Prompts []*Comparison
}

// Comparison is what was found over all prompts, or on one.
type Comparison struct {
	Prompt  string // "" over all
	Basis   string // text, json, number, tool, or mixed
	Windows int    // that both sides answered in
	N       [2]int // answers compared, of A and of B

	Between  *float64    // mean distance of an answer of A from one of B, 0 to 1
	Within   [2]*float64 // of two answers of A, and of B: each one's own variation
	P, Least *float64    // of no difference, and the smallest that could be reached
	Q        *float64    // P adjusted over all pairs; see Adjust
	Evidence stats.Evidence
	Example  [2]int64 // requests whose answers lie farthest apart; 0 where none do
}

// Pairs compares every two parties of different providers that have a prompt
// in common, in the order of their names.
//
// Windows in which both answered are the blocks. From six on, whole windows
// change sides, since answers of one window may have more in common than
// chance: a replica that served them, a cache. Below, answers change sides
// within their window, which speaks of these windows alone. Without a common
// window all answers are one block.
func (s *Answers) Pairs() []*Pair {
	slices.SortFunc(s.parties, Party.compare)
	var out []*Pair
	for i, a := range s.parties {
		for _, b := range s.parties[i+1:] {
			if a.Provider == b.Provider {
				continue
			}
			if p := s.pair(a, b); len(p.Prompts) > 0 {
				out = append(out, p)
			}
		}
	}
	return out
}

// Adjust fills Q of all pairs, which are one family of tests
// (Benjamini–Hochberg).
func Adjust(pairs []*Pair) {
	var p []*float64
	for _, x := range pairs {
		p = append(p, x.P)
	}
	for i, q := range stats.BenjaminiHochberg(p) {
		pairs[i].Q = q
	}
}

func (s *Answers) pair(a, b Party) *Pair {
	p := &Pair{A: a, B: b}
	blocks := s.common(a, b)
	seed := func(prompt string) uint64 {
		return stats.Seed("agreement", a.Provider, a.Params, b.Provider, b.Params, prompt)
	}
	var groups []stats.Group
	for _, prompt := range s.prompts {
		x, y := s.by[prompt][a], s.by[prompt][b]
		if len(x) == 0 || len(y) == 0 {
			continue
		}
		both := promptAnswers{lexicon: s.lexicon}
		both.add(thinned(x), false, blocks)
		both.add(thinned(y), true, blocks)
		windows := both.windows()
		one := &Comparison{Prompt: prompt, Basis: both.basis(), N: both.n, Example: both.example()}
		one.judge([]stats.Group{both.group()}, windows, seed(prompt))
		if len(blocks) > 0 {
			one.Windows = windows
		}
		groups = append(groups, both.group())
		p.add(one)
	}
	p.Windows = len(blocks)
	p.judge(groups, len(blocks), seed(""))
	return p
}

// add takes the comparison on one prompt into the pair.
func (p *Pair) add(one *Comparison) {
	p.Prompts = append(p.Prompts, one)
	p.N[0], p.N[1] = p.N[0]+one.N[0], p.N[1]+one.N[1]
	if p.Basis != "" && p.Basis != one.Basis {
		p.Basis = "mixed"
	} else {
		p.Basis = one.Basis
	}
	if p.Example[0] == 0 {
		p.Example = one.Example
	}
}

// common numbers the windows in which both parties answered.
func (s *Answers) common(a, b Party) map[string]int {
	seen := map[string][2]bool{}
	for _, parties := range s.by {
		for side, who := range []Party{a, b} {
			for _, r := range parties[who] {
				has := seen[r.window]
				has[side] = true
				seen[r.window] = has
			}
		}
	}
	var windows []string
	for w, has := range seen {
		if has[0] && has[1] {
			windows = append(windows, w)
		}
	}
	slices.Sort(windows)
	out := map[string]int{}
	for i, w := range windows {
		out[w] = i
	}
	return out
}

// judge tests groups of answers over a number of common windows.
func (c *Comparison) judge(groups []stats.Group, windows int, seed uint64) {
	swap := windows >= stats.EnoughWindows
	c.Evidence = stats.EvidenceNone
	s, ok := stats.EnergyTest(groups, stats.EnergyOptions{Swap: swap, Seed: seed})
	if !ok {
		return
	}
	c.Between, c.Within = new(s.Between/farthest), [2]*float64{new(s.WithinA / farthest), new(s.WithinB / farthest)}
	c.P, c.Least = new(s.P), new(s.Least)
	c.Evidence = stats.EvidenceWithin
	if swap {
		c.Evidence = stats.EvidenceWindows
	}
}

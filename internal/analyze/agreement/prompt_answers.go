package agreement

import "aircheck/internal/analyze/stats"

// promptAnswers are the answers of both parties to one prompt.
type promptAnswers struct {
	lexicon *lexicon
	trials  []stats.Trial
	replies []reply
	n       [2]int
}

// add takes a side's answers of the common windows; all where there are none.
func (s *promptAnswers) add(list []reply, second bool, blocks map[string]int) {
	for _, r := range list {
		block, common := blocks[r.window]
		if !common && len(blocks) > 0 {
			continue
		}
		s.trials = append(s.trials, stats.Trial{Block: block, Second: second})
		s.replies = append(s.replies, r)
		s.n[number(second)]++
	}
}

func number(second bool) int {
	if second {
		return 1
	}
	return 0
}

func (s *promptAnswers) group() stats.Group {
	return stats.Group{Trials: s.trials, Distance: s.distance}
}

func (s *promptAnswers) distance(i, j int) int64 {
	return s.lexicon.distance(s.replies[i].phrase, s.replies[j].phrase)
}

// windows is how many windows hold answers of both sides to this prompt.
func (s *promptAnswers) windows() (n int) {
	seen := map[int][2]bool{}
	for _, t := range s.trials {
		has := seen[t.Block]
		was := has[0] && has[1]
		has[number(t.Second)] = true
		seen[t.Block] = has
		if !was && has[0] && has[1] {
			n++
		}
	}
	return n
}

// basis is what the answers were compared by.
func (s *promptAnswers) basis() string {
	basis := ""
	for _, r := range s.replies {
		switch b := s.lexicon.phrases[r.phrase].basis; basis {
		case "", b:
			basis = b
		default:
			return "mixed"
		}
	}
	return basis
}

// example is the first two requests, one a side, whose answers lie farthest
// apart.
func (s *promptAnswers) example() (out [2]int64) {
	far := int64(0)
	for i, t := range s.trials {
		if t.Second {
			continue
		}
		for j, u := range s.trials {
			if !u.Second {
				continue
			}
			if d := s.distance(i, j); d > far {
				far, out = d, [2]int64{s.replies[i].request, s.replies[j].request}
			}
		}
	}
	return out
}

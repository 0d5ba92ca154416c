package sentence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/human"
)

// Standing is one provider in a contest; RankLo and RankHi are nil where it is
// not ranked.
type Standing struct {
	Provider       string
	Value          float64
	RankLo, RankHi *int64
}

// Contest is the finding of one contest, to follow the model's name: "A starts
// first, 2.0× faster than B". unit is the metric's; higher says that higher
// values are better.
func Contest(metric, unit string, higher bool, standings []Standing) string {
	s := slices.Clone(standings)
	slices.SortStableFunc(s, func(a, b Standing) int {
		if higher {
			a, b = b, a
		}
		return cmp.Compare(a.Value, b.Value)
	})
	w := Of(metric)
	var lead []Standing
	for _, x := range s {
		if x.RankLo != nil && *x.RankLo == 1 {
			lead = append(lead, x)
		}
	}
	ahead := func(a, b Standing) string {
		times := a.Value / b.Value
		if !higher {
			times = b.Value / a.Value
		}
		switch {
		case share(metric):
			return fmt.Sprintf("%s to %s’s %s", human.Share(a.Value), b.Provider, human.Share(b.Value))
		case a.Value <= 0 || b.Value <= 0:
			return w.Better + " than " + b.Provider
		}
		return human.Ratio(times) + " " + w.Better + " than " + b.Provider
	}
	switch {
	case len(s) == 0:
		return "no answer arrived from any provider"
	case len(s) == 1 && w.Within != "":
		return fmt.Sprintf("half of %s’s answers %s within %s", s[0].Provider, w.Within, Value(s[0].Value, unit))
	case len(s) == 1:
		return fmt.Sprintf("%s alone, with %s", s[0].Provider, Value(s[0].Value, unit))
	case len(lead) > 1 && !told(s):
		return fmt.Sprintf("%s tends to %s %s, %s by the median", s[0].Provider, infinitive(w), best(w), ahead(s[0], s[1]))
	case len(lead) == 1:
		next := s[0]
		if next.Provider == lead[0].Provider {
			next = s[1]
		}
		return fmt.Sprintf("%s %s %s, %s", lead[0].Provider, w.Does, best(w), ahead(lead[0], next))
	case len(lead) == 2 || len(lead) == 3:
		return fmt.Sprintf("%s %s %s, too close to rank", List(names(lead)), w.Do, best(w))
	case len(lead) > 3:
		return fmt.Sprintf("no clear leader: %d of %d providers are too close to rank", len(lead), len(s))
	}
	median := "smallest median"
	if higher {
		median = "largest median"
	}
	return fmt.Sprintf("%s has the %s, %s; no rank is known", s[0].Provider, median, Value(s[0].Value, unit))
}

// told says whether the test tells any two providers apart.
func told(s []Standing) bool {
	return slices.ContainsFunc(s, func(x Standing) bool {
		return x.RankLo != nil && int(*x.RankHi-*x.RankLo)+1 < len(s)
	})
}

// best is how the leader does it: "first", or the superlative of better.
func best(w Words) string {
	switch w.Better {
	case "faster":
		if w.Within != "" {
			return "first"
		}
		return "fastest"
	case "shorter":
		return "shortest"
	case "less":
		return "least"
	case "more often":
		return "most often"
	}
	return "best"
}

func names(s []Standing) []string {
	out := make([]string, len(s))
	for i, x := range s {
		out[i] = x.Provider
	}
	return out
}

// Champion is a row of the view champions.
type Champion struct {
	Metric, Verdict string
	Provider        string // of the verdict one
	Models          int64
	ChampionModels  int64
	Candidates      int64
	Unbeaten        []string
	Tau             *float64
	TauPairs        int64
}

// Text answers whether one provider is best on every model.
func (c Champion) Text() string {
	w := Of(c.Metric)
	models := "all " + Count(c.Models, "model")
	switch {
	case c.Models == 1:
		models = "the one model"
	case c.Models == 2:
		models = "both models"
	}
	s := ""
	switch c.Verdict {
	case "one":
		s = fmt.Sprintf("%s %s %s on %s", c.Provider, w.Does, best(w), models)
		if c.ChampionModels < c.Models {
			s = fmt.Sprintf("%s %s %s on all %d of %d models that it serves", c.Provider, w.Does, best(w), c.ChampionModels, c.Models)
		}
	case "refuted":
		s = fmt.Sprintf("no provider %s %s on %s: each of %d that could is beaten on one at least", w.Does, best(w), models, c.Candidates)
		if c.Candidates == 1 {
			s = fmt.Sprintf("no provider %s %s on %s: the only one that could is beaten on one at least", w.Does, best(w), models)
		}
	default:
		s = fmt.Sprintf("whether one provider %s %s on %s is open", w.Does, best(w), models)
		switch n := len(c.Unbeaten); {
		case c.Candidates == 0:
			s += ": none serves more than half of them"
		case n == 1:
			s += ": " + c.Unbeaten[0] + " is beaten on none"
		case n <= 3:
			s += ": " + List(c.Unbeaten) + " are beaten on none"
		default:
			s += fmt.Sprintf(": %d providers are beaten on none", n)
		}
	}
	if c.Tau != nil {
		tau := strings.Replace(fmt.Sprintf("%.2f", *c.Tau), "-0.00", "0.00", 1)
		s += fmt.Sprintf("; orders agree by %s (Kendall’s tau, median of %s of models)", tau, Count(c.TauPairs, "pair"))
	}
	return s
}

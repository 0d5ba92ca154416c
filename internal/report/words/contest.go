package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Standing is one provider in a contest; RankLo and RankHi are nil where it is
// not ranked.
type Standing struct {
	Provider       string
	Value          float64
	RankLo, RankHi *int64
}

// Contest is the finding of one contest, to follow the model's name: "A starts
// first, 100 ms to B’s 200 ms". It states the values that are ranked: another
// ratio than that of the pair's common windows, which flips give, would be a
// second answer to one question.
func Contest(m Metric, standings []Standing) string {
	s := slices.Clone(standings)
	slices.SortStableFunc(s, func(a, b Standing) int {
		if m.Higher {
			a, b = b, a
		}
		return cmp.Compare(a.Value, b.Value)
	})
	w, l := m.Words, m.Language
	var lead []Standing
	for _, x := range s {
		if x.RankLo != nil && *x.RankLo == 1 {
			lead = append(lead, x)
		}
	}
	name := func(x Standing) string { return l.Name(x.Provider) }
	value := func(x Standing) string { return l.Value(x.Value, m.Unit) }
	switch {
	case len(s) == 0:
		return l.Say("no answer arrived from any provider")
	case len(s) == 1 && w.Within != "":
		return l.Say("half of %s’s %s within %s", name(s[0]), w.Within, value(s[0]))
	case len(s) == 1:
		return l.Say("%s alone, with %s", name(s[0]), value(s[0]))
	case len(lead) == 0 && m.Higher:
		return l.Say("%s has the largest median, %s; no rank is known", name(s[0]), value(s[0]))
	case len(lead) == 0:
		return l.Say("%s has the smallest median, %s; no rank is known", name(s[0]), value(s[0]))
	case len(lead) == 1 && lead[0].Provider == s[0].Provider:
		return l.Say("%s %s %s, %s to %s’s %s", name(s[0]), w.Does, w.Best, value(s[0]), name(s[1]), value(s[1]))
	case len(lead) == 1: // the windows that both have decide, and the medians are over all
		return l.Say("%s %s %s in common windows, though %s to %s’s %s over all", name(lead[0]), w.Does, w.Best, value(lead[0]), name(s[0]), value(s[0]))
	}
	tends := !told(s)
	if tends {
		lead = slices.DeleteFunc(slices.Clone(s), func(x Standing) bool { return x != s[0] && m.within(s[0].Value, x.Value) == "" })
		if len(lead) == 1 {
			return l.Say("%s tends to %s %s, %s to %s’s %s", name(lead[0]), infinitive(w), w.Best, value(lead[0]), name(s[1]), value(s[1]))
		}
	}
	near := m.within(lead[0].Value, lead[len(lead)-1].Value)
	if near == "" {
		near = l.Say("too close to tell apart")
	}
	switch {
	case len(lead) > 3:
		return l.Say("no clear leader: %d of %d providers are %s", len(lead), len(standings), near)
	case len(lead) == len(standings):
		return l.Say("%s are %s", l.Names(names(lead)), near)
	case tends:
		return l.Say("%s tend to %s %s, %s", l.Names(names(lead)), strings.Replace(w.Do, "are ", "be ", 1), w.Best, near)
	}
	return l.Say("%s %s %s, %s", l.Names(names(lead)), w.Do, w.Best, near)
}

// told says whether the test tells any two providers apart.
func told(s []Standing) bool {
	return slices.ContainsFunc(s, func(x Standing) bool {
		return x.RankLo != nil && int(*x.RankHi-*x.RankLo)+1 < len(s)
	})
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
	Metric         Metric
	Claim          string // one, none; empty where undecided
	In             string // the scenario, where there are several
	Provider       string // of the claim one
	Models         int64
	ChampionModels int64
	Candidates     int64
	Unbeaten       []string
	Tau            *float64
	TauPairs       int64
}

// Text answers whether one provider is best on every model.
func (c Champion) Text() string {
	w, l := c.Metric.Words, c.Metric.Language
	models := l.Say("all %s", l.Count(c.Models, "model"))
	switch {
	case c.Models == 1:
		models = l.Say("the one model")
	case c.Models == 2:
		models = l.Say("both models")
	}
	if c.In != "" {
		models = l.Say("%s in %s", models, l.Name(c.In))
	}
	s := ""
	switch c.Claim {
	case "one":
		s = l.Say("%s %s %s on %s", l.Name(c.Provider), w.Does, w.Best, models)
		if c.ChampionModels < c.Models {
			served := l.Say("all %d of %d models that it serves", c.ChampionModels, c.Models)
			if c.In != "" {
				served = l.Say("%s in %s", served, l.Name(c.In))
			}
			s = l.Say("%s %s %s on %s", l.Name(c.Provider), w.Does, w.Best, served)
		}
	case "none":
		s = l.Say("no provider %s %s on %s: each of %d that could is beaten on one at least", w.Does, w.Best, models, c.Candidates)
		if c.Candidates == 1 {
			s = l.Say("no provider %s %s on %s: the only one that could is beaten on one at least", w.Does, w.Best, models)
		}
	default:
		why := ""
		switch n := len(c.Unbeaten); {
		case c.Candidates == 0:
			why = l.Say("none serves more than half of them")
		case n == 1:
			why = l.Say("%s is beaten on none", l.Name(c.Unbeaten[0]))
		case n > 0 && n <= 3:
			why = l.Say("%s are beaten on none", l.Names(c.Unbeaten))
		default:
			why = l.Say("%d providers are beaten on none", n)
		}
		s = l.Say("cannot tell whether one provider %s %s on %s: %s", w.Does, w.Best, models, why)
	}
	if c.Tau != nil {
		tau := strings.Replace(fmt.Sprintf("%.2f", *c.Tau), "-0.00", "0.00", 1)
		s = l.Say("%s; orders agree by %s (Kendall’s tau, median of %s of models)", s, tau, l.Count(c.TauPairs, "pair"))
	}
	return s
}

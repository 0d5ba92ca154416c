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

// What is said of a contest in which no provider has a value.
const (
	NoAnswer = "no answer arrived from any provider"
	NoTimes  = "no times are known"
)

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
	w := m.Words
	var lead []Standing
	for _, x := range s {
		if x.RankLo != nil && *x.RankLo == 1 {
			lead = append(lead, x)
		}
	}
	to := func(a, b Standing) string {
		return fmt.Sprintf("%s to %s’s %s", Value(a.Value, m.Unit), b.Provider, Value(b.Value, m.Unit))
	}
	switch {
	case len(s) == 0:
		return NoAnswer
	case len(s) == 1 && w.Within != "":
		return fmt.Sprintf("half of %s’s %s within %s", s[0].Provider, w.Within, Value(s[0].Value, m.Unit))
	case len(s) == 1:
		return fmt.Sprintf("%s alone, with %s", s[0].Provider, Value(s[0].Value, m.Unit))
	case len(lead) == 0 && m.Higher:
		return fmt.Sprintf("%s has the largest median, %s; no rank is known", s[0].Provider, Value(s[0].Value, m.Unit))
	case len(lead) == 0:
		return fmt.Sprintf("%s has the smallest median, %s; no rank is known", s[0].Provider, Value(s[0].Value, m.Unit))
	case len(lead) == 1 && lead[0].Provider == s[0].Provider:
		return fmt.Sprintf("%s %s %s, %s", s[0].Provider, w.Does, w.Best, to(s[0], s[1]))
	case len(lead) == 1: // the windows that both have decide, and the medians are over all
		return fmt.Sprintf("%s %s %s in common windows, though %s over all", lead[0].Provider, w.Does, w.Best, to(lead[0], s[0]))
	}
	do := w.Do
	if !told(s) {
		lead = slices.DeleteFunc(slices.Clone(s), func(x Standing) bool { return x != s[0] && m.within(s[0].Value, x.Value) == "" })
		if len(lead) == 1 {
			return fmt.Sprintf("%s tends to %s %s, %s", lead[0].Provider, infinitive(w), w.Best, to(lead[0], s[1]))
		}
		do = "tend to " + strings.Replace(w.Do, "are ", "be ", 1)
	}
	near := m.within(lead[0].Value, lead[len(lead)-1].Value)
	if near == "" {
		near = "too close to tell apart"
	}
	switch {
	case len(lead) > 3:
		return fmt.Sprintf("no clear leader: %d of %d providers are %s", len(lead), len(standings), near)
	case len(lead) == len(standings):
		return fmt.Sprintf("%s are %s", List(names(lead)), near)
	}
	return fmt.Sprintf("%s %s %s, %s", List(names(lead)), do, w.Best, near)
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
	w := c.Metric.Words
	models := "all " + Count(c.Models, "model")
	switch {
	case c.Models == 1:
		models = "the one model"
	case c.Models == 2:
		models = "both models"
	}
	in := ""
	if c.In != "" {
		in = " in " + c.In
	}
	models += in
	s := ""
	switch c.Claim {
	case "one":
		s = fmt.Sprintf("%s %s %s on %s", c.Provider, w.Does, w.Best, models)
		if c.ChampionModels < c.Models {
			s = fmt.Sprintf("%s %s %s on all %d of %d models that it serves%s", c.Provider, w.Does, w.Best, c.ChampionModels, c.Models, in)
		}
	case "none":
		s = fmt.Sprintf("no provider %s %s on %s: each of %d that could is beaten on one at least", w.Does, w.Best, models, c.Candidates)
		if c.Candidates == 1 {
			s = fmt.Sprintf("no provider %s %s on %s: the only one that could is beaten on one at least", w.Does, w.Best, models)
		}
	default:
		s = fmt.Sprintf("cannot tell whether one provider %s %s on %s", w.Does, w.Best, models)
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

package page

import (
	"fmt"
	"slices"

	"aircheck/internal/human"
)

// headline is the first page's answer in one sentence.
func headline(main []*contest, flips []flip) string {
	switch {
	case len(main) == 1:
		return "On " + main[0].model + ", " + main[0].finding()
	case len(flips) > 0 && flips[0].supported():
		return flips[0].words().Claim()
	}
	leaders := map[string]int{}
	compared, ties := 0, 0
	for _, c := range main {
		if len(c.timed()) < 2 {
			continue
		}
		compared++
		if lead := c.leaders(); len(lead) == 1 {
			leaders[lead[0].provider]++
		} else {
			ties++
		}
	}
	switch {
	case compared == 0:
		return fmt.Sprintf("%d models were measured, none on more than one provider", len(main))
	case len(leaders) == 1 && ties == 0:
		for name, n := range leaders {
			return fmt.Sprintf("%s %s first on all %d models", name, main[0].words().Does, n)
		}
	case len(leaders) == 0 && len(flips) > 0:
		return flips[0].words().Claim()
	case len(leaders) == 0:
		return fmt.Sprintf("No provider is clearly first on any of %d models", compared)
	}
	return fmt.Sprintf("No provider is first everywhere: %d lead on %d of %d models", len(leaders), compared-ties, compared)
}

// lead is the paragraph below the headline: what is sure, what it costs, how to
// read the ranks.
func lead(main []*contest, flips []flip) []string {
	var out []string
	if len(main) > 1 && len(flips) > 0 && (flips[0].supported() || allTied(main)) {
		out = append(out, flips[0].strength())
	}
	if s := cheapest(main); s != "" {
		out = append(out, s)
	}
	for _, c := range main {
		for _, x := range c.cells {
			if x.rankLo != nil && *x.rankHi > *x.rankLo {
				return append(out, "A rank such as 1\u2060–\u20603 means that the data cannot tell these places apart.")
			}
		}
	}
	return out
}

func allTied(main []*contest) bool {
	for _, c := range main {
		if len(c.timed()) > 1 && len(c.leaders()) == 1 {
			return false
		}
	}
	return true
}

// cheapest says who costs least per useful result; "" where prices are unknown
// or only one provider has one.
func cheapest(main []*contest) string {
	what := "completed"
	if slices.ContainsFunc(main, (*contest).checked) {
		what = "useful"
	}
	best := map[string]int{}
	compared := 0
	var name string
	var cost float64
	for _, c := range main {
		priced := 0
		var low *cell
		for i := range c.cells {
			if x := &c.cells[i]; x.cost != nil {
				priced++
				if low == nil || *x.cost < *low.cost {
					low = x
				}
			}
		}
		if priced > 1 {
			compared++
			best[low.provider]++
			name, cost = low.provider, *low.cost
		}
	}
	switch {
	case compared == 0:
		return ""
	case compared == 1:
		return fmt.Sprintf("%s costs least: %s per 1,000 %s answers.", name, human.USD(1000*cost), what)
	case len(best) == 1:
		return fmt.Sprintf("%s costs least per %s answer on every model.", name, what)
	}
	return fmt.Sprintf("Who costs least per %s answer depends on the model, too.", what)
}

// modelLead is the paragraph below a model's headline.
func modelLead(c *contest, flips []flip) []string {
	var out []string
	if timed := c.timed(); len(timed) > 0 {
		x, w := timed[0], c.words()
		half := fmt.Sprintf("Half of %s’s answers %s within %s", x.provider, w.Within, human.Millis(*x.p50))
		if x.p95Hi != nil {
			half += ", 95 of 100 within " + human.Millis(*x.p95)
		}
		out = append(out, half+".")
	}
	if s := cheapest([]*contest{c}); s != "" {
		out = append(out, s)
	}
	for _, f := range flips {
		if f.setting() != c.setting() {
			continue
		}
		doubt := pick(f.supported(), ".", " (a tendency).")
		if f.model == c.model {
			return append(out, fmt.Sprintf("%s is %s faster than %s here, but %s slower on %s%s",
				f.leader1, human.Ratio(*f.times1), f.leader2, human.Ratio(*f.times2), f.model2, doubt))
		}
		if f.model2 == c.model {
			return append(out, fmt.Sprintf("%s is %s faster than %s here, but %s slower on %s%s",
				f.leader2, human.Ratio(*f.times2), f.leader1, human.Ratio(*f.times1), f.model, doubt))
		}
	}
	return out
}

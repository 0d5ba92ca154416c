package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"aircheck/internal/analyze/stats"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/runner"
	"aircheck/internal/rules/prices"
)

// bounded says which statistics of a cell will have an interval with two ends,
// if all is answered, and what the sample cannot show.
func bounded(p *plan.Plan, blocks []plan.Block) []string {
	least, most := 0, 0
	for _, c := range plan.Cells(blocks) {
		if n := c.Count(plan.PhaseMeasure); n > 0 {
			if least == 0 || n < least {
				least = n
			}
			most = max(most, n)
		}
	}
	if most == 0 {
		return []string{"measured: nothing; cold starts, bursts and probes are told apart"}
	}
	measured := fmt.Sprint(least)
	if most > least {
		measured += fmt.Sprintf(" to %d", most)
	}
	var needs, open []string
	for _, s := range []struct {
		name string
		p    float64
	}{{"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}} {
		n := fewest(s.p)
		needs = append(needs, fmt.Sprintf("%s %d", s.name, n))
		if least < n {
			open = append(open, s.name)
		}
	}
	text := fmt.Sprintf("measured: %s a cell; an interval takes %s values", measured, strings.Join(needs, ", "))
	if len(open) > 0 {
		text += ": " + strings.Join(open, ", ") + " will not be bounded in every cell"
	}
	// No failure among n leaves every rate possible that shows none in n tries
	// more often than once in twenty.
	rate := 1 - math.Pow(0.05, 1/float64(least))
	lines := []string{text, fmt.Sprintf("failures: none in %d requests would still leave a failure rate of %.2g %% possible", least, 100*rate)}
	n, span := p.Windows.Count, time.Duration(p.Windows.Count-1)*p.Windows.Every
	switch {
	case n < stats.MinWindows:
		lines = append(lines, fmt.Sprintf("windows: fewer than %d decide no difference between providers; twelve find most", stats.MinWindows))
	case n < stats.LoneWindows && differences(p) < 3:
		lines = append(lines, fmt.Sprintf("windows: so few providers and models leave little to learn how windows depend on each other: it takes %d to decide a difference", stats.LoneWindows))
	case n < 12:
		lines = append(lines, fmt.Sprintf("windows: %d find a difference of half in most cases, one of 30 %% in one of four; twelve find it in three of five", n))
	}
	if n >= stats.MinWindows && span < 42*time.Hour {
		lines = append(lines, fmt.Sprintf("windows: they span %s; a lasting verdict takes two days, with each quarter of the day seen on both", approx(span)))
	}
	return lines
}

// differences is how many differences between providers are independent of each
// other: of n providers of a model, n − 1.
func differences(p *plan.Plan) (n int) {
	providers := map[string]map[string]bool{}
	for _, t := range p.Targets {
		if providers[t.Model] == nil {
			providers[t.Model] = map[string]bool{}
		}
		providers[t.Model][t.Provider] = true
	}
	for _, of := range providers {
		n += len(of) - 1
	}
	return n * max(1, len(p.Scenarios))
}

// fewest is how many values bound a quantile on both sides.
func fewest(quantile float64) int {
	for n := 1; ; n++ {
		if _, _, lo, hi := stats.QuantileRanks(n, quantile, 0.95); lo && hi {
			return n
		}
	}
}

// lasts says how long a plan takes.
func lasts(p *plan.Plan) []string {
	window, whole := p.Duration(plan.TypicalPace)
	pace := fmt.Sprintf("at %g s to the first token and %.0f tokens a second, up to max_tokens", plan.TypicalPace.First.Seconds(), 1/plan.TypicalPace.PerToken.Seconds())
	lines := []string{fmt.Sprintf("expected duration: %s, %s", approx(whole), pace)}
	if p.Windows.Count > 1 {
		lines[0] = fmt.Sprintf("expected duration: %s, a window %s, %s", approx(whole), approx(window), pace)
	}
	if every := p.Windows.Every; every > 0 && window > every && p.Windows.Count > 1 {
		lines = append(lines, fmt.Sprintf("windows: one may take longer than %s, and the next would begin late: ask less in each, or raise every, parallel or concurrency", every))
	}
	return lines
}

// approx writes a duration in the unit that fits it.
func approx(d time.Duration) string {
	if d >= 48*time.Hour {
		return fmt.Sprintf("%.1f days", d.Hours()/24)
	}
	return span(d)
}

// broken are the rules of the audit that the plan's recording will break
// whatever is answered, with the reason.
func broken(p *plan.Plan, blocks []plan.Block, table *prices.Table) []string {
	var out []string
	add := func(rule, format string, args ...any) { out = append(out, "  "+rule+": "+fmt.Sprintf(format, args...)) }
	var cells []*plan.Cell // that are measured
	for _, c := range plan.Cells(blocks) {
		if c.Count(plan.PhaseMeasure) > 0 {
			cells = append(cells, c)
		}
	}
	if len(cells) == 0 {
		return nil
	}
	few, fewPrompts := math.MaxInt, math.MaxInt
	var unset, drawn, whole, unpriced int
	temperatures, params := map[string]map[any]bool{}, map[string]map[string]bool{}
	for _, c := range cells {
		q := c.Requests[0]
		few = min(few, c.Count(plan.PhaseMeasure))
		fewPrompts = min(fewPrompts, prompts(c))
		value, set := q.Params["temperature"]
		if !set {
			unset++
		}
		if f, ok := number(value); ok && f > 0 {
			drawn++
		}
		if !q.Streamed() {
			whole++
		}
		if _, missing := runner.Estimate(q, table); missing != "" && q.OutputCap() > 0 {
			unpriced++
		}
		contest := fmt.Sprint(c.Target.Model, c.Scenario, c.Concurrency)
		if temperatures[contest] == nil {
			temperatures[contest], params[contest] = map[any]bool{}, map[string]bool{}
		}
		temperatures[contest][fmt.Sprint(value)] = true
		params[contest][c.Params] = true
	}
	differ := func(n int) bool { return n > 1 }
	if few < 25 {
		add("few_trials", "%d measured requests a cell", few)
	}
	if n := p.Windows.Count; n < 12 {
		add("few_windows", "%d", n)
	}
	if p.Warmup == 0 {
		add("no_warmup", "warmup is 0")
	}
	if targets := len(p.Targets); targets > 1 {
		open := slices.ContainsFunc(p.Scenarios, func(s *plan.Scenario) bool { return s.Mode == plan.OpenLoop })
		one := slices.ContainsFunc(p.Scenarios, func(s *plan.Scenario) bool { return slices.Contains(s.Concurrency, 1) })
		switch {
		case p.Order == plan.Sequential && (one || open):
			add("one_after_another", "order is sequential")
		case open:
			add("one_after_another", "an open loop is one target's at a time")
		}
		if p.Order == plan.Sequential && math.Pow(math.Gamma(float64(targets)+1), float64(1-p.Windows.Count)) < 0.01 {
			add("fixed_order", "order is sequential")
		}
	}
	if unset > 0 {
		add("temperature_unset", "%d of %d cells", unset, len(cells))
	}
	if drawn > 0 {
		add("temperature_above_0", "%d of %d cells", drawn, len(cells))
	}
	if n := count(temperatures, func(m map[any]bool) bool { return differ(len(m)) }); n > 0 {
		add("temperatures_differ", "between the providers of %d comparisons", n)
	}
	if n := count(params, func(m map[string]bool) bool { return differ(len(m)) }); n > 0 {
		add("params_differ", "between the providers of %d comparisons", n)
	}
	if fewPrompts < 5 {
		add("few_prompts", "%d", fewPrompts)
	}
	if whole > 0 {
		add("not_streamed", "%d of %d cells", whole, len(cells))
	}
	if unpriced > 0 {
		add("unknown_prices", "%d of %d cells, by this price table", unpriced, len(cells))
	}
	return out
}

// prompts counts the different ones of a cell.
func prompts(c *plan.Cell) int {
	seen := map[int]bool{}
	for _, q := range c.Requests {
		if q.Phase == plan.PhaseMeasure {
			seen[q.Prompt.Index] = true
		}
	}
	return len(seen)
}

func count[T any](m map[string]T, is func(T) bool) (n int) {
	for v := range maps.Values(m) {
		if is(v) {
			n++
		}
	}
	return n
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

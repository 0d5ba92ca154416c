package page

import (
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// providerPage is all that is said of one provider: where it leads and trails,
// how its requests failed, and what would change its place.
type providerPage struct {
	Provider, Slug string
	H1             string
	Lead           []string
	Places         table // over all models
	Failures       *table
	Audit          *table
	Object         []string // how to object
}

// providers makes a page for each provider of the report.
func providerPages(all []*contest, slugs map[string]string, d *data) []*providerPage {
	var names []string
	for _, c := range all {
		for _, x := range c.cells {
			if !slices.Contains(names, x.provider) {
				names = append(names, x.provider)
			}
		}
	}
	slices.Sort(names)
	var out []*providerPage
	for _, name := range names {
		out = append(out, providerOf(name, slugs[name], all, d))
	}
	return out
}

func providerOf(name, slug string, all []*contest, d *data) *providerPage {
	p := &providerPage{Provider: name, Slug: slug}
	p.Places = table{Caption: "Places of " + name, Left: 2, Head: []string{"Model", "Setting", "Place", "Of", "Typical", "Slow (1 in 20)", "Best typical", "n", "Answered", "Cost per 1,000 useful", "Place by cost"}}
	var first, last, shared []string
	var attempts, answered int64
	for _, c := range all {
		timed := c.timed()
		for _, x := range c.cells {
			if x.provider != name {
				continue
			}
			attempts, answered = attempts+orZero(x.attempts), answered+orZero(x.answered)
			setting := c.label
			if setting == "" {
				setting = c.scenario.String
			}
			best := value{Text: human.None, Why: "no other provider has a time"}
			if len(timed) > 1 {
				best = text(human.Millis(*timed[0].p50) + " (" + timed[0].provider + ")")
			}
			n := showCount(x.n)
			if x.n == nil {
				n = text("0")
			}
			p.Places.Rows = append(p.Places.Rows, cells(text(c.model), text(setting), rank(x.rankLo, x.rankHi), text(fmt.Sprint(len(timed))),
				show(x.p50, human.Millis, x.whyNoTime()), show(x.p95, human.Millis, x.whyNoTime()), best, n,
				show(x.share, human.Share, "nothing was attempted"), show(times1000(x.cost), human.USD, x.whyNoCost()), rank(x.costRankLo, x.costRankHi)))
			if len(timed) < 2 || x.rankLo == nil {
				continue
			}
			switch {
			case *x.rankHi == 1:
				first = append(first, c.where())
			case *x.rankLo == int64(len(timed)):
				last = append(last, c.where())
			case *x.rankLo == 1:
				shared = append(shared, c.where())
			}
		}
	}
	p.Places.note()
	p.H1 = name + ": " + providerFinding(first, shared, last)
	p.Lead = append(p.Lead, fmt.Sprintf("%s answered of %s.", human.Count(answered), words.Count(attempts, "attempt")))
	p.Failures = failuresOf(name, d)
	p.Audit = auditOf(name, d)
	p.Object = []string{
		"Every number here is computed from frames that were kept with their times of arrival. The request ids above find them: SELECT * FROM chunks WHERE request_id = …",
		"A place changes when enough windows show another level: a difference must exceed the margin and hold at a false discovery rate of 5 %.",
		"Rows that were measured wrongly, such as a wrong parameter or a failing route of the client, are taken out by a stated exclusion: a predicate, a reason and a date. Every report lists its exclusions.",
	}
	return p
}

func times1000(v *float64) *float64 {
	if v == nil {
		return nil
	}
	return new(1000 * *v)
}

// providerFinding says where a provider leads and trails, as far as that is
// decided.
func providerFinding(first, shared, last []string) string {
	list := func(names []string) string {
		if len(names) > 3 {
			return fmt.Sprintf("%d models", len(names))
		}
		return words.List(names)
	}
	var parts []string
	if len(first) > 0 {
		parts = append(parts, "clearly first on "+list(first))
	}
	if len(shared) > 0 {
		parts = append(parts, "shares first place on "+list(shared))
	}
	if len(last) > 0 {
		parts = append(parts, "clearly last on "+list(last))
	}
	if len(parts) == 0 {
		return "nowhere clearly first or last"
	}
	return strings.Join(parts, ", ")
}

// failure is a row of failures.sql.
type failure struct {
	provider, model, scenario, outcome string
	n                                  int64
	status                             *int64
	example                            *string
	request                            *int64
	first, last                        *string
}

func (f *failure) scan() []any {
	return []any{&f.provider, &f.model, &f.scenario, &f.outcome, &f.n, &f.status, &f.example, &f.request, &f.first, &f.last}
}

// failuresOf lists how a provider's requests failed, with words, time and an id.
func failuresOf(name string, d *data) *table {
	t := &table{Caption: "Failures of " + name, Left: 3, Head: []string{"Model", "Scenario", "Ended", "n", "Status", "First", "Last", "A request"}, Words: []int{5, 6, 7}}
	for _, f := range d.failures {
		if f.provider != name {
			continue
		}
		status := value{Text: human.None, Why: "no HTTP response, or none that says"}
		if f.status != nil {
			status = text(fmt.Sprint(*f.status))
		}
		t.Rows = append(t.Rows, cells(text(f.model), text(f.scenario), text(strings.ReplaceAll(f.outcome, "_", " ")), text(human.Count(f.n)), status,
			orNone(f.first), orNone(f.last), text(number(f.request))))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.note()
	return t
}

func orNone(s *string) value {
	if s == nil {
		return value{Text: human.None, Why: whyUnknown}
	}
	return text(*s)
}

func number(n *int64) string {
	if n == nil {
		return human.None
	}
	return fmt.Sprint(*n)
}

// auditOf lists what the audit finds in a provider's cells.
func auditOf(name string, d *data) *table {
	t := &table{Caption: "Audit of " + name, Left: 4, Head: []string{"Severity", "Model", "Rule", "Finding"}}
	for _, f := range d.found {
		if f.provider == name {
			t.Rows = append(t.Rows, cells(text(f.severity), text(f.model), text(strings.ReplaceAll(f.rule, "_", " ")), text(f.finding)))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// auditFound is a row of audit_provider.sql.
type auditFound struct{ provider, model, severity, rule, finding string }

func (f *auditFound) scan() []any {
	return []any{&f.provider, &f.model, &f.severity, &f.rule, &f.finding}
}

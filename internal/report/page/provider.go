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
	Prices         *table   // that its costs rest on
	Moves          *table   // what would change its places
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
	l := d.lang
	p := &providerPage{Provider: name, Slug: slug}
	p.Places = table{Caption: l.Say("Places of %s", l.Name(name)), Left: 2, Head: []string{l.Say("Model"), l.Say("Setting"), l.Say("Place"), l.Say("Of"), l.Say("Typical"),
		l.Say("Slow (1 in 20)"), l.Say("Best typical"), l.Say("n"), l.Say("Answered"), l.Say("Cost per 1,000 useful"), l.Say("Place by cost")}}
	var first, last, shared []string
	var attempts, answered int64
	for _, c := range all {
		timed := c.timed()
		for _, x := range c.cells {
			if x.provider != name {
				continue
			}
			attempts, answered = attempts+orZero(x.attempts), answered+orZero(x.answered)
			best := value{Text: human.None, Why: l.Say("no other provider has a time")}
			if len(timed) > 1 {
				best = text(l.Say("%s (%s)", l.Millis(*timed[0].p50), l.Name(timed[0].provider)))
			}
			n := showCount(x.n)
			if x.n == nil {
				n = text("0")
			}
			p.Places.Rows = append(p.Places.Rows, cells(nameOf(l, c.model), text(c.setIn()), rank(x.rankLo, x.rankHi), text(fmt.Sprint(len(timed))),
				show(x.p50, l.Millis, x.whyNoTime()), show(x.p95, l.Millis, x.whyNoTime()), best, n,
				show(x.share, human.Share, x.whyNoShare()), show(times1000(x.cost), human.USD, x.whyNoCost()), rank(x.costRankLo, x.costRankHi)))
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
	p.Places.note(l)
	p.H1 = l.Say("%s: %s", l.Name(name), providerFinding(l, first, shared, last))
	p.Lead = append(p.Lead, l.Say("%s answered of %s.", human.Count(answered), l.Count(attempts, "attempt")))
	p.Failures = failuresOf(name, d)
	p.Audit = auditOf(name, d)
	p.Prices, p.Moves = pricesOf(name, d), movesOf(name, all, l)
	p.Object = []string{
		l.Say("Every number here is computed from frames that were kept with their times of arrival. The request ids above find them: SELECT * FROM chunks WHERE request_id = …"),
		l.Say("A place changes when enough windows show another level: a difference must exceed the margin and hold at a false discovery rate of 5 %%."),
		l.Say("Rows that were measured wrongly, such as a wrong parameter or a failing route of the client, are taken out by a stated exclusion: a predicate, a reason and a date. Every report lists its exclusions."),
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
func providerFinding(l *words.Language, first, shared, last []string) string {
	list := func(names []string) string {
		if len(names) > 3 {
			return l.Count(int64(len(names)), "model")
		}
		return l.List(names)
	}
	var parts []string
	if len(first) > 0 {
		parts = append(parts, l.Say("clearly first on %s", list(first)))
	}
	if len(shared) > 0 {
		parts = append(parts, l.Say("shares first place on %s", list(shared)))
	}
	if len(last) > 0 {
		parts = append(parts, l.Say("clearly last on %s", list(last)))
	}
	if len(parts) == 0 {
		return l.Say("nowhere clearly first or last")
	}
	return l.Commas(parts)
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
	l := d.lang
	t := &table{Caption: l.Say("Failures of %s", l.Name(name)), Left: 3, Head: []string{l.Say("Model"), l.Say("Scenario"), l.Say("Ended"), l.Say("n"), l.Say("Status"), l.Say("First"), l.Say("Last"), l.Say("A request")}, Words: []int{5, 6, 7}}
	for _, f := range d.failures {
		if f.provider != name {
			continue
		}
		status := value{Text: human.None, Why: l.Say("no HTTP response, or none that says")}
		if f.status != nil {
			status = text(fmt.Sprint(*f.status))
		}
		t.Rows = append(t.Rows, cells(nameOf(l, f.model), nameOf(l, f.scenario), text(l.Term(strings.ReplaceAll(f.outcome, "_", " "))), text(human.Count(f.n)), status,
			orNone(l, f.first), orNone(l, f.last), text(number(f.request))))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.note(l)
	return t
}

func orNone(l *words.Language, s *string) value {
	if s == nil {
		return value{Text: human.None, Why: l.Say("not known")}
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
	l := d.lang
	t := &table{Caption: l.Say("Audit of %s", l.Name(name)), Left: 4, Head: []string{l.Say("Severity"), l.Say("Model"), l.Say("Rule"), l.Say("Finding")}}
	for _, f := range d.found {
		if f.provider == name {
			t.Rows = append(t.Rows, cells(text(l.Term(f.severity)), nameOf(l, f.model), text(l.Term(strings.ReplaceAll(f.rule, "_", " "))), text(l.Term(f.finding))))
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

package page

import (
	"cmp"
	"database/sql"
	"math"
	"slices"
	"strings"
	"time"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// answer is one of the first page's questions with its answer in a sentence and
// the page that shows it.
type answer struct {
	Question, Text string
	Slug, Link     string  // page of the figure, and what the link says
	weight         float64 // effect in doublings × evidence × share of the market that it tells of
}

// answersShown is how many of the answers the first page has.
const answersShown = 5

// fact is a row of answers.sql.
type fact struct {
	kind                      string
	provider, model, scenario sql.NullString
	a, b, c, d                *float64
}

func (f *fact) scan() []any {
	return []any{&f.kind, &f.provider, &f.model, &f.scenario, &f.a, &f.b, &f.c, &f.d}
}

func factsOf(all []fact, kind string) (out []fact) {
	for _, f := range all {
		if f.kind == kind {
			out = append(out, f)
		}
	}
	return out
}

// answers are the questions that the data answer: those that weigh most, in the
// order of reading. What nothing is known of is not asked.
func answers(main []*contest, d *data) []answer {
	l := d.lang
	return heaviest([]answer{
		leadersBy(l.Say("Who starts first?"), main, "ttft_net_ms", l),
		steady(d),
		leadersBy(l.Say("Who finishes first?"), main, "e2e_ms", l),
		leadersBy(l.Say("Who streams fastest?"), main, "tokens_per_s", l),
		costly(main, d), failing(d), worthless(d), slower(d), changed(d),
	})
}

// heaviest keeps the answers that weigh most, in their order.
func heaviest(all []answer) []answer {
	out := slices.DeleteFunc(all, func(a answer) bool { return a.Text == "" })
	for len(out) > answersShown {
		least := 0
		for i, a := range out {
			if a.weight <= out[least].weight {
				least = i
			}
		}
		out = slices.Delete(out, least, least+1)
	}
	return out
}

// standings are the providers of a contest by their place for a metric, the best
// level first: those that have one.
func (c *contest) standings(metric string) (out []placed) {
	for _, p := range c.places {
		if p.metric == metric && p.estimate != nil && *p.estimate > 0 && p.lo != nil && p.hi != nil {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b placed) int {
		if higher(metric) {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(*a.estimate, *b.estimate), cmp.Compare(a.provider, b.provider))
	})
	return out
}

// leadersBy says who is decidedly first by a metric, model by model.
func leadersBy(question string, main []*contest, metric string, l *words.Language) answer {
	a := answer{Question: question, Slug: "speed", Link: l.Say("speed")}
	wins, contested, doublings := map[string][]string{}, 0, 0.0
	var order []string
	for _, c := range main {
		m := metric
		if metric == "ttft_net_ms" && c.metric == "ttft_ms" { // what the first contest is ranked by
			m = c.metric
		}
		all := c.standings(m)
		if len(all) < 2 {
			continue
		}
		contested++
		if *all[0].lo == 1 && *all[0].hi == 1 {
			p := all[0].provider
			if wins[p] == nil {
				order = append(order, p)
			}
			wins[p] = append(wins[p], c.model)
			doublings += math.Abs(math.Log2(*all[1].estimate / *all[0].estimate))
		}
	}
	if contested == 0 {
		return answer{}
	}
	a.weight = doublings / float64(contested) // mean over the models, those undecided with none
	slices.SortStableFunc(order, func(x, y string) int { return cmp.Or(cmp.Compare(len(wins[y]), len(wins[x])), cmp.Compare(x, y)) })
	decided := 0
	var parts []string
	for i, p := range order {
		decided += len(wins[p])
		if i < 3 {
			where := l.Names(wins[p])
			if len(wins[p]) > 2 && contested > 3 {
				where = l.Say("%d of %d models", len(wins[p]), contested)
			}
			parts = append(parts, l.Say("%s clearly on %s", l.Name(p), where))
		}
	}
	switch open := contested - decided; {
	case decided == 0:
		a.Text = l.Say("Cannot tell: on %s the first places are shared.", pick(contested == 1, l.Say("the one model"), l.Say("all %s", l.Count(int64(contested), "model"))))
	case open > 0:
		a.Text = l.Sentences([]string{l.Clauses(parts), l.Say("On %s first place is shared.", l.Count(int64(open), "other model"))})
	default:
		a.Text = l.Clauses(parts)
	}
	return a
}

// enoughForTail is from how many answers a slow one in twenty is bounded.
const enoughForTail = 72

// steady compares slow first tokens with typical ones, where enough answers bound
// them.
func steady(d *data) answer {
	l := d.lang
	a := answer{Question: l.Say("Who stays steady?"), Slug: "speed", Link: l.Say("speed")}
	all := factsOf(d.facts, "steady")
	if len(all) == 0 {
		return answer{}
	}
	bounded := slices.DeleteFunc(slices.Clone(all), func(f fact) bool { return f.d == nil || *f.d < enoughForTail || f.a == nil })
	if len(bounded) == 0 {
		n := 0.0
		for _, f := range all {
			n = max(n, *f.d)
		}
		a.Text = l.Say("Cannot tell yet: %s answers a cell say what is typical, not what is slow (%d are needed).", human.Count(int64(n)), enoughForTail)
		return a
	}
	least := slices.MinFunc(bounded, func(x, y fact) int {
		return cmp.Or(cmp.Compare(*x.a, *y.a), cmp.Compare(x.provider.String, y.provider.String), cmp.Compare(x.model.String, y.model.String))
	})
	most := slices.MaxFunc(bounded, func(x, y fact) int {
		return cmp.Or(cmp.Compare(*x.a, *y.a), cmp.Compare(y.provider.String, x.provider.String), cmp.Compare(y.model.String, x.model.String))
	})
	tells := func(f fact) string {
		return l.Say("%s on %s: 1 in 20 first tokens takes %s or longer, %s its typical %s", l.Name(f.provider.String), l.Name(f.model.String), l.Millis(*f.c), l.Ratio(*f.a), l.Millis(*f.b))
	}
	a.weight = math.Log2(*most.a / *least.a) * float64(len(bounded)) / float64(len(all))
	a.Text = l.Say("Steadiest, %s.", tells(least))
	if least != most {
		a.Text = l.Sentences([]string{a.Text, l.Say("Least steady, %s.", tells(most))})
	}
	return a
}

// costly says who is cheapest, and whether the model or the provider decides.
func costly(main []*contest, d *data) answer {
	l := d.lang
	a := answer{Question: l.Say("What does it cost?"), Slug: "cost", Link: l.Say("cost")}
	var parts []string
	if c := champions(d.champion, "cost_per_useful_usd", main); c != nil {
		parts = append(parts, l.Sentence(words.Capital(c.Text())))
	} else if s := main[0].dearness(); s != "" {
		parts = append(parts, l.Say("On %s: %s", main[0].where(), lower(s)))
	}
	for _, f := range factsOf(d.facts, "leverage") {
		if f.a != nil && f.b != nil {
			a.weight = math.Log2(max(*f.a, *f.b))
			parts = append(parts, l.Say("Changing the model typically moves the cost of a useful answer %s, changing the provider %s.", l.Ratio(*f.a), l.Ratio(*f.b)))
		}
	}
	a.Text = l.Sentences(parts)
	return a
}

// failing says who was down or failed, the most first.
func failing(d *data) answer {
	l := d.lang
	a := answer{Question: l.Say("Who fails?"), Slug: "reliability", Link: l.Say("reliability")}
	all := factsOf(d.facts, "fails")
	if len(all) == 0 {
		return answer{}
	}
	lost := func(f fact) float64 { return 1 - *f.b / *f.a }
	slices.SortFunc(all, func(x, y fact) int {
		return cmp.Or(cmp.Compare(lost(y), lost(x)), cmp.Compare(x.provider.String, y.provider.String))
	})
	var parts []string
	if worst := longestOutage(d.facts); worst != nil && *worst.a >= 60_000 {
		a.weight = math.Log2(*worst.a/60_000) / float64(len(all))
		parts = append(parts, l.Say("%s answered nothing on %s for at least %s", l.Name(worst.provider.String), l.Name(worst.model.String), longTime(l, *worst.a)))
	}
	failed := 0
	for _, f := range all {
		a.weight += inVain(lost(f)) / float64(len(all))
		if lost(f) > 0 {
			if failed++; failed <= 3 {
				text := l.Say("%s left %s of %s unanswered", l.Name(f.provider.String), human.Count(int64(*f.a-*f.b)), l.Count(int64(*f.a), "request"))
				if f.c != nil && *f.c > 0 {
					text = l.Say("%s (%s)", text, l.Count(int64(*f.c), "rate limit"))
				}
				parts = append(parts, text)
			}
		}
	}
	switch rest := len(all) - failed; {
	case failed == 0 && len(all) > 1:
		parts = append(parts, l.Say("Nobody: all %s answered every request", l.Count(int64(len(all)), "provider")))
	case failed == 0:
		parts = append(parts, l.Say("All requests were answered"))
	case rest > 0:
		parts = append(parts, l.Say("%s answered all", l.Count(int64(rest), "provider")))
	}
	a.Text = l.Clauses(parts)
	return a
}

// longTime writes a long time in words.
func longTime(l *words.Language, ms float64) string {
	switch d := time.Duration(ms * 1e6); {
	case d >= 48*time.Hour:
		return l.Say("%.0f days", d.Hours()/24)
	case d >= 90*time.Minute:
		return l.Say("%.1f hours", d.Hours())
	default:
		return l.Millis(ms)
	}
}

// worthless says where answers were billed and said nothing, the worst first.
func worthless(d *data) answer {
	l := d.lang
	a := answer{Question: l.Say("Which answers are worth nothing?"), Slug: "fidelity", Link: l.Say("fidelity")}
	share := func(f fact) float64 { return *f.a / *f.b }
	worst := func(kind string, least float64) *fact {
		all := slices.DeleteFunc(factsOf(d.facts, kind), func(f fact) bool {
			return f.a == nil || f.b == nil || *f.a == 0 || *f.b == 0 || share(f) < least
		})
		if len(all) == 0 {
			return nil
		}
		return new(slices.MaxFunc(all, func(x, y fact) int {
			return cmp.Or(cmp.Compare(share(x), share(y)), cmp.Compare(y.provider.String, x.provider.String), cmp.Compare(y.model.String, x.model.String))
		}))
	}
	var parts []string
	if f := worst("starved", 0); f != nil {
		text := l.Say("%s at %s: %s of %s were all thinking and came back empty", l.Name(f.model.String), l.Name(f.provider.String), human.Count(int64(*f.a)), l.Count(int64(*f.b), "answer"))
		if f.c != nil {
			text = l.Say("%s; %s of its output there is thinking", text, human.Share(*f.c))
		}
		parts, a.weight = append(parts, text), inVain(share(*f))
	}
	if f := worst("empty", 0.02); f != nil {
		a.weight = max(a.weight, inVain(share(*f)))
		parts = append(parts, l.Say("%s at %s ended %s of %s before the answer was whole", l.Name(f.model.String), l.Name(f.provider.String), human.Count(int64(*f.a)), l.Count(int64(*f.b), "answer")))
	}
	if len(parts) == 0 && len(factsOf(d.facts, "empty")) > 0 {
		a.Text = l.Say("None stands out: answers came back whole, and none was only thinking.")
		return a
	}
	if len(parts) > 0 {
		for i, p := range parts {
			parts[i] = l.Sentence(p)
		}
		a.Text = l.Sentences(parts)
	}
	return a
}

// inVain weighs a share of requests that brought nothing: one in a hundred is a
// doubling.
func inVain(share float64) float64 { return math.Log2(1 + 100*share) }

// largestMove is the largest supported change of a provider's times; nil without
// any.
func largestMove(facts []fact) *fact {
	all := factsOf(facts, "moved")
	if len(all) == 0 {
		return nil
	}
	size := func(f fact) float64 { return math.Abs(math.Log2(*f.a)) }
	return new(slices.MinFunc(all, func(x, y fact) int {
		return cmp.Or(cmp.Compare(size(y), size(x)), cmp.Compare(x.provider.String, y.provider.String), cmp.Compare(x.model.String, y.model.String), cmp.Compare(x.scenario.String, y.scenario.String))
	}))
}

// moved says how a time moved; the fact's scenario names the metric.
func moved(l *words.Language, metrics map[string]words.Metric, f fact) string {
	m := metrics[f.scenario.String]
	return l.Say("%s on %s: %s went from %s to %s (%s)", l.Name(f.provider.String), l.Name(f.model.String), lower(m.Words.Heading), l.Value(*f.b, m.Unit), l.Value(*f.c, m.Unit), l.Ratio(*f.a))
}

// longestOutage is the outage that lasted longest; nil without any.
func longestOutage(facts []fact) *fact {
	all := factsOf(facts, "outage")
	if len(all) == 0 {
		return nil
	}
	return new(slices.MaxFunc(all, func(x, y fact) int {
		return cmp.Or(cmp.Compare(*x.a, *y.a), cmp.Compare(y.provider.String, x.provider.String), cmp.Compare(y.model.String, x.model.String))
	}))
}

// slower says which provider's times moved against its own earlier ones, as far
// as that is decided.
func slower(d *data) answer {
	l := d.lang
	a := answer{Question: l.Say("Did times change?"), Slug: "changes", Link: l.Say("changes")}
	all := factsOf(d.facts, "moved")
	if len(all) == 0 {
		return answer{}
	}
	f := *largestMove(all)
	a.weight = math.Abs(math.Log2(*f.a))
	a.Text = l.Sentence(moved(l, d.metrics, f))
	if len(all) > 1 {
		a.Text = l.Sentences([]string{a.Text, l.Sentence(l.Count(int64(len(all)-1), "more change"))})
	}
	return a
}

// changed names what providers changed in what they serve, the latest first.
func changed(d *data) answer {
	l := d.lang
	a := answer{Question: l.Say("What changed?"), Slug: "changes", Link: l.Say("changes")}
	all := factsOf(d.facts, "changed")
	if len(all) == 0 {
		return answer{}
	}
	slices.SortFunc(all, func(x, y fact) int {
		return cmp.Or(-ascending(x.a, y.a), cmp.Compare(x.provider.String, y.provider.String), cmp.Compare(x.model.String, y.model.String))
	})
	a.weight = 1
	var parts []string
	for i, f := range all {
		if i == 2 {
			parts = append(parts, l.Count(int64(len(all)-i), "more change"))
			break
		}
		text := l.Say("%s changed the %s of %s", l.Name(f.provider.String), l.Term(strings.ReplaceAll(f.scenario.String, "_", " ")), l.Name(f.model.String))
		if f.a != nil {
			text = l.Say("%s on %s", text, l.Date(time.Unix(int64(*f.a), 0), "2 January, 15:04"))
		}
		parts = append(parts, text)
	}
	a.Text = l.Clauses(parts)
	return a
}

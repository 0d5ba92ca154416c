package page

import (
	"strings"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// method says how the numbers came about, what was left out, and where the data
// are.
type method struct {
	Counts  []string // what was measured and left out
	Audit   string   // what the audit finds
	Query   string   // lists it; "" where there is nothing
	Reading []entry
}

type entry struct{ Term, Text string }

func newMethod(d *data) method {
	s, say := d.scope, d.lang
	m := method{Counts: []string{
		say.Say("%s in %s, %s.", say.Count(s.requests, "request"), say.Count(s.runs, "run"), say.Count(s.windows, "window")),
		say.Say("%s count in the statistics.", human.Count(s.measured)),
	}}
	for _, l := range d.leftOut {
		m.Counts = append(m.Counts, say.Say("%s left out: %s.", human.Count(l.n), leftOutText(say, l)))
	}
	m.Audit = say.Say("The audit finds no fault of method.")
	if s := faults(say, d.audit, ""); s != "" {
		m.Audit = say.Say("The audit finds %s: %s.", s, strings.Join(listed(say, d.audit), say.Say("; ")))
		m.Query = words.FaultsQuery + ";"
	}
	if n := total(d.audit, "note", ""); n > 0 {
		m.Audit = say.Sentences([]string{m.Audit, say.Say("It has %s, too.", say.Count(n, "note"))})
	}
	m.Reading = []entry{
		{say.Say("Time to first token"), say.Say("from the request's start, without connection set-up where that is known, to the first generated content of any kind: thinking, answer or tool call. A role, an empty string, a ping or a usage frame is no token.")},
		{say.Say("Percentiles"), say.Say("by linear interpolation (type 7). Intervals are exact order statistics at 95%%; an end that the sample cannot bound is open. p99 is not shown under 100 requests. Under 25 requests a row is marked.")},
		{say.Say("Rank"), say.Say("the places that a provider may hold: from one more than the number of providers that are decidedly better, to the number that are not decidedly worse. Where ranks overlap, places are shared.")},
		{say.Say("Supported"), say.Say("a difference is decided when it would hold in other windows like the eight or more recorded, the dependence of windows on each other included, at a false discovery rate of 5%%, and is larger than the margin%s. Everything else is a tendency.", d.margins())},
		{say.Say("Answered"), say.Say("the stream ended properly. What the client or the account stopped, and what was refused since the model is not available, are no attempts.")},
		{say.Say("Useful"), say.Say("complete as planned, and every check passed: a share of attempts. Where nothing is checked, complete answers must do, and are called completed.")},
		{say.Say("Cut short"), say.Say("at temperature 0, an answer that says it is whole, and ends inside a sentence that a longer answer to the same prompt completes.")},
		{say.Say("Cost"), say.Say("all that a provider charges for its requests, failures and thinking included, divided by the useful answers. Intervals are by Fieller over windows, at 95%%.")},
		{"–", say.Say("no value: the reason stands below the table. It is never a zero.")},
	}
	return m
}

// margins are those of the metrics that the pages rank by.
func (d *data) margins() string {
	for _, name := range rankings {
		if m := d.metrics[name].Margin(); m != "" {
			return d.lang.Say(" (%s for times)", m)
		}
	}
	return ""
}

func leftOutText(say *words.Language, l leftOut) string {
	if l.excluded.Valid {
		return say.Say("excluded: %s", say.Name(l.excluded.String))
	}
	switch l.phase {
	case "warmup":
		return say.Say("warm-up")
	case "cold":
		return say.Say("first requests after idling, which are not the steady state")
	case "burst":
		return say.Say("bursts")
	case "probe":
		return say.Say("probes of parameters")
	case "live":
		return say.Say("live traffic beside planned requests")
	}
	return say.Term(l.phase)
}

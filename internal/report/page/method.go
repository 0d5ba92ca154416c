package page

import (
	"fmt"
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
	s := d.scope
	m := method{Counts: []string{
		fmt.Sprintf("%s in %s, %s.", words.Count(s.requests, "request"), words.Count(s.runs, "run"), words.Count(s.windows, "window")),
		fmt.Sprintf("%s count in the statistics.", human.Count(s.measured)),
	}}
	for _, l := range d.leftOut {
		m.Counts = append(m.Counts, fmt.Sprintf("%s left out: %s.", human.Count(l.n), leftOutText(l)))
	}
	m.Audit = "The audit finds no fault of method."
	if s := faults(d.audit, ""); s != "" {
		m.Audit = fmt.Sprintf("The audit finds %s: %s.", s, strings.Join(listed(d.audit), "; "))
		m.Query = words.FaultsQuery + ";"
	}
	if n := total(d.audit, "note", ""); n > 0 {
		m.Audit += fmt.Sprintf(" It has %s, too.", words.Count(n, "note"))
	}
	m.Reading = []entry{
		{"Time to first token", "from the request's start, without connection set-up where that is known, to the first generated content of any kind: thinking, answer or tool call. A role, an empty string, a ping or a usage frame is no token."},
		{"Percentiles", "by linear interpolation (type 7). Intervals are exact order statistics at 95%; an end that the sample cannot bound is open. p99 is not shown under 100 requests. Under 25 requests a row is marked."},
		{"Rank", "the places that a provider may hold: from one more than the number of providers that are decidedly better, to the number that are not decidedly worse. Where ranks overlap, places are shared."},
		{"Supported", "a difference is decided when it would hold in other windows like the eight or more recorded, the dependence of windows on each other included, at a false discovery rate of 5%, and is larger than the margin" + d.margins() + ". Everything else is a tendency."},
		{"Answered", "the stream ended properly. What the client or the account stopped, and what was refused since the model is not available, are no attempts."},
		{"Useful", "complete as planned, and every check passed: a share of attempts. Where nothing is checked, complete answers must do, and are called completed."},
		{"Cut short", "at temperature 0, an answer that says it is whole, and ends inside a sentence that a longer answer to the same prompt completes."},
		{"Cost", "all that a provider charges for its requests, failures and thinking included, divided by the useful answers. Intervals are by Fieller over windows, at 95%."},
		{"–", "no value: the reason stands below the table. It is never a zero."},
	}
	return m
}

// margins are those of the metrics that the pages rank by.
func (d *data) margins() string {
	for _, name := range rankings {
		if m := d.metrics[name].Margin(); m != "" {
			return " (" + m + " for times)"
		}
	}
	return ""
}

func leftOutText(l leftOut) string {
	if l.excluded.Valid {
		return "excluded: " + l.excluded.String
	}
	switch l.phase {
	case "warmup":
		return "warm-up"
	case "cold":
		return "first requests after idling, which are not the steady state"
	case "burst":
		return "bursts"
	case "probe":
		return "probes of parameters"
	case "live":
		return "live traffic beside planned requests"
	}
	return l.phase
}

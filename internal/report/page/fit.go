package page

import (
	"cmp"
	"slices"
	"strings"

	"aircheck/internal/report/words"
)

// limit is a row of fit.sql: one limit of a workload, kept or not.
type limit struct {
	workload, model, provider, title, unit string
	higher                                 bool
	atMost, atLeast, value                 *float64
	verdict                                string
	lang                                   *words.Language
	n                                      *int64
}

func (l *limit) scan() []any {
	return []any{&l.workload, &l.model, &l.provider, &l.title, &l.unit, &l.higher, &l.atMost, &l.atLeast, &l.value, &l.verdict, &l.n}
}

// kept is how a provider keeps all limits of a workload on a model: the worst of
// them decides.
type kept struct {
	provider string
	verdict  string // met, no miss seen, missed, cannot tell
	worst    *limit // the limit that decides the verdict
}

// verdictOrder is from the best to the worst.
var verdictOrder = []string{"met", "no miss seen", "cannot tell", "missed"}

func (l *limit) reads() string {
	if l.verdict != "cannot tell" {
		return l.verdict
	}
	if l.value != nil && (l.atMost != nil && *l.value <= *l.atMost || l.atLeast != nil && *l.value >= *l.atLeast) {
		return "no miss seen"
	}
	return "cannot tell"
}

// keeps groups limits: by workload and model, the providers from the best to the
// worst.
func keeps(limits []limit) map[[2]string][]kept {
	byWho := map[[3]string]*kept{}
	var order [][3]string
	for i := range limits {
		l := &limits[i]
		id := [3]string{l.workload, l.model, l.provider}
		k := byWho[id]
		if k == nil {
			k = &kept{provider: l.provider, verdict: l.reads(), worst: l}
			byWho[id], order = k, append(order, id)
			continue
		}
		if slices.Index(verdictOrder, l.reads()) > slices.Index(verdictOrder, k.verdict) {
			k.verdict, k.worst = l.reads(), l
		}
	}
	out := map[[2]string][]kept{}
	for _, id := range order {
		out[[2]string{id[0], id[1]}] = append(out[[2]string{id[0], id[1]}], *byWho[id])
	}
	for _, list := range out {
		slices.SortStableFunc(list, func(a, b kept) int {
			return cmp.Or(cmp.Compare(slices.Index(verdictOrder, a.verdict), slices.Index(verdictOrder, b.verdict)), cmp.Compare(a.provider, b.provider))
		})
	}
	return out
}

// seen writes the value that decides: "slow first token 1.1 s".
func (l *limit) seen() string {
	if l.value == nil {
		return l.lang.Term(l.title)
	}
	return l.lang.Say("%s %s", l.lang.Term(l.title), l.lang.Value(*l.value, l.unit))
}

// takes advises for a workload on each model: of those that miss no limit, the
// one with the best place, and whether its limits are proven.
func takes(workload string, all []*contest, keep map[[2]string][]kept) map[string]advice {
	out := map[string]advice{}
	for _, c := range mains(all) {
		list := keep[[2]string{workload, c.model}]
		if len(list) == 0 {
			continue
		}
		verdict, worst := map[string]string{}, map[string]*limit{}
		for _, k := range list {
			verdict[k.provider], worst[k.provider] = k.verdict, k.worst
		}
		best := advice{Why: c.lang.Say("no provider keeps every limit")}
		if timed := c.timed(); len(timed) > 0 && worst[timed[0].provider] != nil {
			best.Why = c.lang.Say("%s: %s", c.lang.Name(timed[0].provider), worst[timed[0].provider].seen())
		}
		sure := 0
		for _, x := range c.timed() { // by the median: the first that is proven, else the first that missed nothing
			switch v := verdict[x.provider]; {
			case v == "met":
				if sure++; sure == 1 {
					best = advice{Provider: x.provider, Sure: true}
				}
			case v == "no miss seen" && best.Provider == "":
				best = advice{Provider: x.provider, Why: c.lang.Say("no limit missed so far")}
			}
		}
		if best.Sure {
			best.Why = c.lang.Say("meets every limit")
			switch {
			case sure == 2:
				best.Why = c.lang.Say("meets every limit; 1 more does")
			case sure > 2:
				best.Why = c.lang.Say("meets every limit; %d more do", sure-1)
			}
		}
		out[c.model] = best
	}
	return out
}

// fitCell says beside a provider's name whether it keeps a workload's limits.
type fitCell struct{ Class, Text string }

// advise adds the column of a workload to the table of a contest.
func (v *verdict) advise(l *words.Language, head string, list []kept) {
	by := map[string]kept{}
	for _, k := range list {
		by[k.provider] = k
	}
	for i, r := range v.Rows {
		k, ok := by[r.Provider]
		if !ok {
			continue
		}
		v.Fit = head
		switch k.verdict {
		case "met":
			v.Rows[i].Fit = fitCell{"ok", l.Say("✓ meets every limit")}
		case "no miss seen":
			v.Rows[i].Fit = fitCell{"", l.Say("no limit missed so far")}
		case "missed":
			v.Rows[i].Fit = fitCell{"miss", l.Say("× %s", k.worst.seen())}
		default:
			v.Rows[i].Fit = fitCell{"open", l.Say("? cannot tell")}
		}
	}
}

// fitRow is one workload: who keeps its limits on the model that is shown.
type fitRow struct {
	Workload, Limits             string
	Met, Unmissed, Missed, Cannt string
}

// fitTable is the table of workloads for one model.
func fitTable(say *words.Language, model string, limits []limit, keep map[[2]string][]kept) []fitRow {
	var out []fitRow
	var workloads []string
	for _, l := range limits {
		if l.model == model && !slices.Contains(workloads, l.workload) {
			workloads = append(workloads, l.workload)
		}
	}
	for _, w := range workloads {
		r := fitRow{Workload: say.Term(w)}
		var stated []string
		for i := range limits {
			l := &limits[i]
			if l.workload == w && l.model == model {
				if s := l.stated(); s != "" && !slices.Contains(stated, s) {
					stated = append(stated, s)
				}
			}
		}
		r.Limits = strings.Join(stated, " · ")
		var met, unmissed, missed, cannot []string
		for _, k := range keep[[2]string{w, model}] {
			switch k.verdict {
			case "met":
				met = append(met, say.Name(k.provider))
			case "no miss seen":
				unmissed = append(unmissed, say.Name(k.provider))
			case "missed":
				missed = append(missed, say.Say("%s (%s)", say.Name(k.provider), k.worst.seen()))
			default:
				cannot = append(cannot, say.Name(k.provider))
			}
		}
		r.Met, r.Unmissed, r.Missed, r.Cannt = say.Commas(met), say.Commas(unmissed), say.Commas(missed), say.Commas(cannot)
		out = append(out, r)
	}
	return out
}

// stated writes the limit: "time to first token ≤ 1.0 s".
func (l *limit) stated() string {
	switch {
	case l.atMost != nil:
		return l.lang.Say("%s ≤ %s", l.lang.Term(l.title), l.lang.Value(*l.atMost, l.unit))
	case l.atLeast != nil:
		return l.lang.Say("%s ≥ %s", l.lang.Term(l.title), l.lang.Value(*l.atLeast, l.unit))
	}
	return ""
}

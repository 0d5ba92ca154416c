package page

import (
	"cmp"
	"slices"
	"strings"

	"aircheck/internal/kit/human"
)

// outcomeOrder is the order in which outcomes are asked for; what is not in it
// comes after, by name.
var outcomeOrder = []string{"ok", "truncated", "starved", "empty", "filtered", "cut", "stalled", "stream_error", "server_error",
	"rate_limited", "rejected", "unavailable", "account", "timeout", "connect_error", "cancelled", "client_error", "reported_error"}

// cutShort is the kind that outcomes.sql counts beside the outcomes.
const cutShort = "ok, but cut short"

// outcomeTable counts how requests ended, one column an outcome that occurred;
// nil where all were well.
func (c *contest) outcomeTable() *table {
	counts := map[string]map[string]int64{}
	var kinds []string
	for _, o := range c.outcomes {
		if o.n == 0 {
			continue
		}
		if !slices.Contains(kinds, o.outcome) {
			kinds = append(kinds, o.outcome)
		}
		if counts[o.provider] == nil {
			counts[o.provider] = map[string]int64{}
		}
		counts[o.provider][o.outcome] += o.n
	}
	if len(kinds) == 0 || len(kinds) == 1 && kinds[0] == "ok" {
		return nil
	}
	place := func(kind string) int {
		if i := slices.Index(outcomeOrder, kind); i >= 0 {
			return i
		}
		return len(outcomeOrder)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })
	t := &table{Caption: "How the requests ended, " + c.where(), Left: 1, Head: []string{"Provider"}}
	for _, k := range kinds {
		t.Head = append(t.Head, strings.ReplaceAll(k, "_", " "))
	}
	for _, x := range c.cells {
		if counts[x.provider] == nil {
			continue
		}
		r := cells(text(x.provider))
		for _, k := range kinds {
			r.Cells = append(r.Cells, text(human.Count(counts[x.provider][k])))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// costTable says what a useful answer cost, and how sure that is; nil where no
// price is known.
func (c *contest) costTable() *table {
	t := &table{Caption: "What " + c.basis() + " answers cost, " + c.where(), Left: 1,
		Head: []string{"Provider", "Rank", "Per 1,000 " + c.basis() + " answers", pick(c.checked(), "Useful", "Completed"), "Of attempts", "Spent on others", "Warning"}}
	per1000 := func(usd float64) string { return human.USD(1000 * usd) }
	for _, x := range c.cells {
		if x.cost == nil && !positive(x.wasted) {
			continue
		}
		t.Rows = append(t.Rows, cells(text(x.provider), rank(x.costRankLo, x.costRankHi), interval(x.cost, x.costLo, x.costHi, per1000, x.whyNoCost()),
			showCount(x.useful), show(x.usefulShare, human.Share, "nothing was attempted"), show(x.wastedShare, human.Share, whyUnknown), text(x.costWarning.String)))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.note()
	return t
}

// thinkingTable says what thinking took; nil where no provider thought.
func (c *contest) thinkingTable() *table {
	t := &table{Caption: "What thinking takes, " + c.where(), Left: 1,
		Head: []string{"Provider", "n", "Thinking tokens per answer", "Of output", "Of cost", "Of time", "Starved answers"}}
	for _, x := range c.cells {
		for _, th := range c.thoughts {
			if th.provider != x.provider {
				continue
			}
			n := showCount(&th.n)
			n.Few = isFew(&th.n)
			t.Rows = append(t.Rows, cells(text(x.provider), n,
				show(th.tokens, human.Number, whyUnknown), show(th.ofOutput, human.Share, whyUnknown),
				show(th.ofCost, human.Share, "the cost of thinking is not known"), show(th.ofTime, human.Share, "thinking is not visible"), showCount(th.starved)))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.note()
	return t
}

// measureTable holds every metric of a contest, one row a metric and provider.
func (c *contest) measureTable() *table {
	if len(c.measures) == 0 {
		return nil
	}
	t := &table{Caption: "Every measure, " + c.where(), Left: 2,
		Head: []string{"Metric", "Provider", "n", "p50", "p95", "p99", "Better", "Warning"}}
	for _, m := range c.measures {
		format := unitFormat(m.unit.String)
		n := showCount(m.n)
		n.Few = isFew(m.n)
		t.Rows = append(t.Rows, cells(text(m.metric), text(m.provider), n,
			interval(m.p50, m.p50Lo, m.p50Hi, format, whyUnknown), interval(m.p95, m.p95Lo, m.p95Hi, format, whyUnknown),
			show(m.p99, format, whyP99), text(m.better.String), text(m.warning.String)))
	}
	t.note()
	return t
}

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
	l := c.lang
	t := &table{Caption: l.Say("How the requests ended, %s", c.where()), Left: 1, Head: []string{l.Say("Provider")}}
	for _, k := range kinds {
		t.Head = append(t.Head, l.Term(strings.ReplaceAll(k, "_", " ")))
	}
	for _, x := range c.cells {
		if counts[x.provider] == nil {
			continue
		}
		r := cells(nameOf(l, x.provider))
		for _, k := range kinds {
			r.Cells = append(r.Cells, text(human.Count(counts[x.provider][k])))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func (c *contest) costTitle() string {
	return pick(c.checked(), c.lang.Say("What useful answers cost"), c.lang.Say("What completed answers cost"))
}

// costTable says what a useful answer cost, and how sure that is; nil where no
// price is known.
func (c *contest) costTable() *table {
	l := c.lang
	t := &table{Caption: l.SayAs("place", "%s, %s", c.costTitle(), c.where()), Left: 1,
		Head: []string{l.Say("Provider"), l.Say("Rank"), pick(c.checked(), l.Say("Per 1,000 useful answers"), l.Say("Per 1,000 completed answers")),
			pick(c.checked(), l.Say("Useful"), l.Say("Completed")), l.Say("Of attempts"), l.Say("Spent on others"), l.Say("Warning")}}
	per1000 := func(usd float64) string { return human.USD(1000 * usd) }
	for _, x := range c.cells {
		if x.cost == nil && !positive(x.wasted) {
			continue
		}
		t.Rows = append(t.Rows, cells(nameOf(l, x.provider), rank(x.costRankLo, x.costRankHi), interval(l, x.cost, x.costLo, x.costHi, per1000, x.whyNoCost()),
			showCount(x.useful), show(x.usefulShare, human.Share, "nothing was attempted"), show(x.wastedShare, human.Share, whyUnknown), text(l.Term(x.costWarning.String))))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.note(l)
	return t
}

// thinkingTable says what thinking took; nil where no provider thought.
func (c *contest) thinkingTable() *table {
	l := c.lang
	t := &table{Caption: l.Say("What thinking takes, %s", c.where()), Left: 1,
		Head: []string{l.Say("Provider"), l.Say("n"), l.Say("Thinking tokens per answer"), l.Say("Of output"), l.Say("Of cost"), l.Say("Of time"), l.Say("Starved answers")}}
	for _, x := range c.cells {
		for _, th := range c.thoughts {
			if th.provider != x.provider {
				continue
			}
			n := showCount(&th.n)
			n.Few = isFew(&th.n)
			t.Rows = append(t.Rows, cells(nameOf(l, x.provider), n,
				show(th.tokens, human.Number, whyUnknown), show(th.ofOutput, human.Share, whyUnknown),
				show(th.ofCost, human.Share, l.Say("the cost of thinking is not known")), show(th.ofTime, human.Share, l.Say("thinking is not visible")), showCount(th.starved)))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.note(l)
	return t
}

// measureTable holds every metric of a contest, one row a metric and provider.
func (c *contest) measureTable() *table {
	if len(c.measures) == 0 {
		return nil
	}
	l := c.lang
	t := &table{Caption: l.Say("Every measure, %s", c.where()), Left: 2,
		Head: []string{l.Say("Metric"), l.Say("Provider"), l.Say("n"), l.Say("p50"), l.Say("p95"), l.Say("p99"), l.Say("Better"), l.Say("Warning")}}
	for _, m := range c.measures {
		format := unitFormat(l, m.unit.String)
		n := showCount(m.n)
		n.Few = isFew(m.n)
		t.Rows = append(t.Rows, cells(text(m.metric), nameOf(l, m.provider), n,
			interval(l, m.p50, m.p50Lo, m.p50Hi, format, whyUnknown), interval(l, m.p95, m.p95Lo, m.p95Hi, format, whyUnknown),
			show(m.p99, format, whyP99), text(l.Term(m.better.String)), text(l.Term(m.warning.String))))
	}
	t.note(l)
	return t
}

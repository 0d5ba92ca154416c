package page

import (
	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// priced is a row of prices_used.sql.
type priced struct {
	provider, model, source string
	prices                  *int64
	tableOf, notes          *string
	coverage                *float64
}

func (p *priced) scan() []any {
	return []any{&p.provider, &p.model, &p.prices, &p.source, &p.tableOf, &p.coverage, &p.notes}
}

// pricesOf lists the prices that a provider's costs rest on; nil without any.
func pricesOf(name string, d *data) *table {
	l := d.lang
	t := &table{Caption: l.Say("Prices of %s", l.Name(name)), Left: 2, Words: []int{3, 5},
		Head: []string{l.Say("Model"), l.Say("Entry of the price table"), l.Say("Prices used"), l.Say("Table of"), l.Say("Requests priced"), l.Say("Note")}}
	for _, p := range d.prices {
		if p.provider != name {
			continue
		}
		t.Rows = append(t.Rows, cells(nameOf(l, p.model), nameOf(l, p.source), showCount(p.prices), orNone(l, p.tableOf), show(p.coverage, human.Share, whyUnknown), orNone(l, p.notes)))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.drop(l)
	return t
}

// movesOf says, for each place that is not first alone, which level would be told
// apart from that of the next better provider; nil where there is none.
func movesOf(name string, all []*contest, l *words.Language) *table {
	t := &table{Caption: l.Say("What would change the place of %s", l.Name(name)), Left: 2, Words: []int{4},
		Head: []string{l.Say("Model"), l.Say("Setting"), l.Say("Place"), l.Say("Now"), l.Say("Next better"), l.Say("Its level"), l.Say("To pass it")}}
	for _, c := range all {
		timed := c.timed()
		for i, x := range timed {
			if x.provider != name || i == 0 || x.rankHi == nil {
				continue
			}
			next := timed[i-1]
			t.Rows = append(t.Rows, cells(nameOf(l, c.model), text(c.setIn()), rank(x.rankLo, x.rankHi), text(l.Millis(*x.p50)), nameOf(l, next.provider), text(l.Millis(*next.p50)),
				toPass(l, c.metrics[c.metric].Below(*next.p50))))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	t.note(l)
	if len(t.Rows) > movesShown {
		t.Notes = append(t.Notes, l.Say("%d of %s places", movesShown, human.Count(int64(len(t.Rows)))))
		t.Rows = t.Rows[:movesShown]
	}
	return t
}

// toPass is the level below which another is passed; none where that level is less
// than the margin.
func toPass(l *words.Language, below float64) value {
	if below <= 0 {
		return value{Text: human.None, Why: l.Say("that level is less than the margin: a tie is the best that is possible")}
	}
	return text(l.Say("below %s", l.Millis(below)))
}

// movesShown is how many rows that table has at most.
const movesShown = 24

// setIn names the setting of a contest, also where the data have no other.
func (c *contest) setIn() string {
	if c.label != "" {
		return c.label
	}
	return c.lang.Name(c.scenario.String)
}

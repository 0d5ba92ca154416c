package runner

import (
	"math"
	"sync"
	"time"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/human"
	"aircheck/internal/record/plan"
	"aircheck/internal/rules/prices"
	"aircheck/schema"
)

// budget is what a run may spend and what it has spent, where prices are known.
// What the recorder reads of answers for it is thrown away: analysis prices the
// recording again.
type budget struct {
	table   *prices.Table
	limit   int64 // nano-dollars; no budget: the greatest number
	has     bool  // there is a budget
	unknown int64 // what a request without a bound counts as

	mu       sync.Mutex
	booked   *sync.Cond
	total    int64 // spent
	priced   bool  // by known prices
	reserved int64 // what open requests may cost
	open     int
	over     bool
}

func newBudget(p *plan.Plan, blocks []plan.Block, table *prices.Table) (*budget, error) {
	l := &budget{table: table, limit: math.MaxInt64}
	l.booked = sync.NewCond(&l.mu)
	if b := p.Budget; b != nil {
		l.limit, l.has = nano(*b.USD), true
		if b.UnknownUSD != nil {
			l.unknown = nano(*b.UnknownUSD)
		}
	}
	return l, CheckBudget(p, blocks, table)
}

func nano(usd float64) int64 { return int64(math.Round(usd * 1e9)) }

// CheckBudget says why a plan's budget cannot be kept at the prices of a table;
// nil where it can, and where there is none.
func CheckBudget(p *plan.Plan, blocks []plan.Block, table *prices.Table) error {
	b := p.Budget
	if b == nil || len(blocks) == 0 {
		return nil
	}
	for _, c := range plan.Cells(blocks) {
		if b.UnknownUSD != nil {
			break
		}
		q := c.Requests[0] // the others differ in nothing that matters here
		if q.OutputCap() == 0 {
			return cli.Hint(cli.Usagef("a budget cannot be kept: nothing bounds the answers of scenario %q", q.Scenario),
				"set max_tokens in its params, or unknown_usd in the budget: what such a request counts as")
		}
		if _, missing := bound(table, q); missing != "" {
			return cli.Hint(cli.Usagef("a budget cannot be kept: %s", missing),
				"name a table that has it with --prices, set unknown_usd in the budget (what such a request counts as), or take the budget or the target out of the plan")
		}
	}
	if most, missing := bound(table, &blocks[0].Requests[0]); missing == "" && most > nano(*b.USD) {
		return cli.Usagef("the budget of %s does not cover the first request, which may cost %s", human.USD(*b.USD), human.USD(float64(most)/1e9))
	}
	return nil
}

// most is what a request may cost as the budget counts it, in nano-dollars.
func (l *budget) most(q *plan.Request) int64 {
	if !l.has {
		return 0
	}
	most, missing := bound(l.table, q)
	if missing != "" {
		return l.unknown
	}
	return most
}

// Tokenizers differ, and a provider wraps the prompt in a template of its own:
// a bound on the input is so much above the o200k count.
const (
	inputFactor = 1.5
	inputExtra  = 200
)

// bound is the most that a request may cost, in nano-dollars; missing says why
// there is none.
func bound(table *prices.Table, q *plan.Request) (nano int64, missing string) {
	input := int64(inputFactor*float64(q.InputTokens())) + inputExtra
	output := int64(q.OutputCap())
	if output == 0 {
		return 0, "nothing bounds the length of the answer"
	}
	quote, ok := table.Price(query(q, prices.Usage{Input: &input, Output: &output}, time.Now()))
	return quote.Total, quoteMissing(quote, ok)
}

// Estimate is what a request costs if its prompt is as long as it looks, and
// its answer as long as it may be; missing says why there is none.
func Estimate(q *plan.Request, table *prices.Table) (nano int64, missing string) {
	input, output := int64(q.InputTokens()), int64(q.OutputCap())
	if output == 0 {
		return 0, "nothing bounds the length of the answer"
	}
	quote, ok := table.Price(query(q, prices.Usage{Input: &input, Output: &output}, time.Now()))
	return quote.Total, quoteMissing(quote, ok)
}

func quoteMissing(quote prices.Quote, ok bool) string {
	if ok {
		return ""
	}
	return quote.Missing
}

func query(q *plan.Request, u prices.Usage, at time.Time) prices.Query {
	t := q.Target
	query := prices.Query{Provider: t.Provider, ModelID: t.ModelID, Model: t.Model, URL: t.BaseURL, At: at, Usage: u}
	if t.Meta.ServiceTier != nil {
		query.ServiceTier = *t.Meta.ServiceTier
	}
	return query
}

// reserve lets a request go if its cost cannot exceed the budget. Where open ones
// may turn out cheaper than they might have been, it waits for them.
func (l *budget) reserve(q *plan.Request) bool {
	most := l.most(q)
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		switch {
		case l.over:
			return false
		case most <= l.limit-l.total-l.reserved:
			l.reserved += most
			l.open++
			return true
		case l.open == 0:
			l.over = true
			return false
		}
		l.booked.Wait()
	}
}

// book books what a request cost. A nil row was not sent. doubt is a cost that is
// not believed, since it alone is above the whole budget.
func (l *budget) book(q *plan.Request, row *schema.Request, u prices.Usage) (doubt string) {
	var cost int64
	most, priced := l.most(q), false
	if row != nil {
		if cost, priced = l.cost(q, row, u); priced && cost > l.limit {
			doubt, priced = "tokens for "+human.USD(float64(cost)/1e9), false
		}
		// An answer that began may be billed though it does not say how much.
		if !priced && row.HTTPStatus != nil && *row.HTTPStatus < 300 {
			cost = most
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
	l.reserved -= most
	l.total += cost
	l.priced = l.priced || priced
	l.booked.Broadcast()
	return doubt
}

// cost prices an answer's own account of its tokens.
func (l *budget) cost(q *plan.Request, row *schema.Request, u prices.Usage) (nano int64, ok bool) {
	if row.HTTPStatus == nil || *row.HTTPStatus >= 300 {
		return 0, false
	}
	if u.Input == nil || u.Output == nil {
		return 0, false
	}
	quote, ok := l.table.Price(query(q, u, time.Unix(0, *row.StartedAtNs)))
	return quote.Total, ok
}

// spent is what the run has cost so far, and whether any price is known.
func (l *budget) spent() (nano int64, priced bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total, l.priced
}

// exceeded says that the run stopped at its budget.
func (l *budget) exceeded() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over
}

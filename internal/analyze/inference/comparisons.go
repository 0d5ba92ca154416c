package inference

import (
	"context"
	"database/sql"
	"fmt"

	"aircheck/internal/analyze/stats"
)

var comparisonsStep = &Step{
	Name: "_comparisons", Version: 4, Key: []string{"comparison"},
	Needs: []string{"_windows", "_never", "_withheld", "_like_for_like", "_periods", "_period_unit", "metrics"},
	// The ids stand for the names beside them: joins over millions of pairs
	// go by numbers.
	Columns: "comparison BIGINT, contest_id BIGINT, metric_id INTEGER, model_id INTEGER, scenario_id INTEGER, vantage_id INTEGER, period_id INTEGER, pair_id INTEGER, " +
		"metric VARCHAR, model VARCHAR, scenario VARCHAR, concurrency INTEGER, vantage VARCHAR, period VARCHAR, " +
		"provider_a VARCHAR, provider_b VARCHAR, leader VARCHAR, n_windows BIGINT, n_a BIGINT, n_b BIGINT, " +
		"level_a DOUBLE, level_b DOUBLE, ratio DOUBLE, lo DOUBLE, hi DOUBLE, p DOUBLE, q DOUBLE, evidence VARCHAR, decided BOOLEAN, " +
		"lasting BOOLEAN, why_not VARCHAR, n_effective DOUBLE, rho DOUBLE, smallest DOUBLE",
	Run: comparisonRows,
}

// FalseDiscovery is the share of decided comparisons that may be wrong.
const FalseDiscovery = 0.05

// enoughForHalves is from how many windows on the halves of a recording are
// compared within: twelve windows can decide (docs/decisions/0010), six hardly.
const enoughForHalves = 24

// comparisonRows compares, for each metric and contest, every provider with every
// other. All comparisons of a metric are one family of tests; those within periods,
// which ask another question, are a family of their own.
func comparisonRows(ctx context.Context, s *Call) error {
	metrics, err := Registry(ctx, s.Conn)
	if err != nil {
		return err
	}
	rows, err := newComparisonTable(ctx, s)
	if err != nil {
		return err
	}
	for i := range metrics {
		m := &metrics[i]
		windows, err := ComparedWindows(ctx, s.Conn, m.Name)
		if err != nil {
			return err
		}
		held, err := withheldOf(ctx, s.Conn, m.Name)
		if err != nil {
			return err
		}
		c := newCompared(windows, rows.periods)
		whole, parts, rho, err := c.comparisons(ctx, m, without(held, windows), s.In.Options.Threads())
		if err != nil {
			return err
		}
		live, err := alikeVerdicts(ctx, s, m)
		if err != nil {
			return err
		}
		c.alike(m, whole, live)
		c.alike(m, parts, live)
		whole = append(whole, c.withheld(m, windows, held)...)
		for _, family := range [][]comparison{whole, parts} {
			if err := rows.append(m, int32(i+1), c, family, rho); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparisonTable numbers comparisons and names as it appends them.
type comparisonTable struct {
	step                        *Call
	n                           int64
	models, scenarios, vantages map[sql.NullString]int32
	periods                     []string // that are compared within
	pairs                       map[[2]string]int32
}

func newComparisonTable(ctx context.Context, s *Call) (*comparisonTable, error) {
	t := &comparisonTable{step: s, pairs: map[[2]string]int32{}}
	for column, into := range map[string]*map[sql.NullString]int32{"model": &t.models, "scenario": &t.scenarios, "vantage": &t.vantages} {
		names, err := s.names(ctx, fmt.Sprintf("SELECT DISTINCT %s AS name FROM _windows ORDER BY name NULLS FIRST", column))
		if err != nil {
			return nil, err
		}
		*into = map[sql.NullString]int32{}
		for i, name := range names {
			(*into)[name] = int32(i + 1)
		}
	}
	periods, err := s.names(ctx, fmt.Sprintf(`
		SELECT DISTINCT period AS name
		FROM _periods
		WHERE period IS NOT NULL AND ((SELECT unit FROM _period_unit) <> 'half' OR (SELECT count(*) FROM _periods) >= %d)
		ORDER BY name`, enoughForHalves))
	if err != nil {
		return nil, err
	}
	for _, p := range periods {
		t.periods = append(t.periods, p.String)
	}
	if len(t.periods) == 1 {
		t.periods = nil // which is the whole once more
	}
	return t, nil
}

// names reads a query of one column of text.
func (s *Call) names(ctx context.Context, query string) ([]sql.NullString, error) {
	rows, err := s.Conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []sql.NullString
	for rows.Next() {
		var v sql.NullString
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

func name(s string) sql.NullString { return sql.NullString{String: s, Valid: true} }

// pair numbers provider pairs as they come.
func (t *comparisonTable) pair(a, b string) int32 {
	key := [2]string{a, b}
	if t.pairs[key] == 0 {
		t.pairs[key] = int32(len(t.pairs) + 1)
	}
	return t.pairs[key]
}

// append adds the rows of one family.
func (t *comparisonTable) append(m *Metric, metric int32, c *compared, family []comparison, rho float64) error {
	row := make([]any, 0, 40)
	for i := range family {
		f := &family[i]
		key, a, b := &c.contests[f.contest], c.providers[f.a], c.providers[f.b]
		var leader, period, why, lasting, persistence any
		switch f.better {
		case 1:
			leader = a
		case -1:
			leader = b
		}
		if f.period > 0 {
			period = c.periods[f.period-1]
		}
		if f.why != stats.WhyNone {
			why = string(f.why)
		}
		if f.decided {
			lasting = f.lasting
		}
		if f.effective.ok {
			persistence = rho
		}
		t.n++
		row = append(row[:0], t.n, key.ContestID, metric, t.models[name(key.Model)], t.scenarios[name(key.Scenario)], t.vantages[key.Vantage], f.period, t.pair(a, b), m.Name)
		row = append(append(row, key.values()...), period, a, b, leader, int64(f.windows), int64(f.nA), int64(f.nB))
		row = append(row, f.levelA.value(), f.levelB.value(), f.ratio.value(), f.lo.value(), f.hi.value(), f.pv.value(), f.q.value())
		row = append(row, string(f.evidence), f.decided, lasting, why, f.effective.value(), persistence, f.minimum.value())
		if err := t.step.Append(row...); err != nil {
			return err
		}
	}
	return nil
}

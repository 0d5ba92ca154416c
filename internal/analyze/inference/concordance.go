package inference

import (
	"context"
	"database/sql"

	"aircheck/internal/analyze/stats"
)

var concordanceStep = &Step{
	Name: "_concordance", Version: 1, Key: []string{"metric", "scenario", "concurrency", "vantage", "model_1", "model_2"},
	Needs:   []string{"_contests"},
	Columns: "metric VARCHAR, scenario VARCHAR, concurrency INTEGER, vantage VARCHAR, model_1 VARCHAR, model_2 VARCHAR, providers BIGINT, tau DOUBLE",
	Run:     concordanceRows,
}

// enoughForTau is how many providers two models must share before the agreement
// of their orders says anything: with four, one swap moves tau by a third.
const enoughForTau = 5

// concordanceRows gives, for each two models in one setting, how far the order
// of the providers that both have agrees (Kendall's tau-b of the estimates).
func concordanceRows(ctx context.Context, s *Call) error {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT metric, scenario, concurrency, vantage, model, provider, estimate
		FROM _contests
		WHERE estimate IS NOT NULL
		ORDER BY metric, scenario, concurrency NULLS FIRST, vantage NULLS FIRST, model, provider`)
	if err != nil {
		return err
	}
	defer rows.Close()
	type setting struct {
		metric, scenario string
		concurrency      sql.NullInt32
		vantage          sql.NullString
	}
	type estimate struct {
		setting
		model, provider string
		value           float64
	}
	var all []estimate
	for rows.Next() {
		var e estimate
		if err := rows.Scan(&e.metric, &e.scenario, &e.concurrency, &e.vantage, &e.model, &e.provider, &e.value); err != nil {
			return err
		}
		all = append(all, e)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, group := range Chunked(all, func(e *estimate) setting { return e.setting }) {
		models := Chunked(group, func(e *estimate) string { return e.model })
		for j := range models {
			for i := range j {
				var x, y []float64
				for a, b := models[i], models[j]; len(a) > 0 && len(b) > 0; {
					switch {
					case a[0].provider < b[0].provider:
						a = a[1:]
					case a[0].provider > b[0].provider:
						b = b[1:]
					default:
						x, y = append(x, a[0].value), append(y, b[0].value)
						a, b = a[1:], b[1:]
					}
				}
				if len(x) < enoughForTau {
					continue
				}
				tau, ok := stats.KendallTauB(x, y)
				if !ok {
					continue // all alike on one of the models
				}
				at := group[0].setting
				key := contestKey{Scenario: at.scenario, Concurrency: at.concurrency, Vantage: at.vantage}
				row := append([]any{at.metric}, key.values()[1:]...)
				if err := s.Append(append(row, models[i][0].model, models[j][0].model, int64(len(x)), tau)...); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

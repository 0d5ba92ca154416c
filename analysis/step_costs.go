package analysis

import (
	"bytes"
	"context"
	"database/sql"
	"strings"
	"time"

	"aircheck/prices"
)

func init() {
	addStep(&Step{
		Name: "_costs", Key: []string{"request_id"}, Version: 1,
		Needs: []string{"_measures"},
		Columns: "request_id BIGINT, cost_nanousd BIGINT, input_nanousd BIGINT, cached_nanousd BIGINT, cache_write_nanousd BIGINT, " +
			"output_nanousd BIGINT, reasoning_nanousd BIGINT, request_nanousd BIGINT, price_source VARCHAR, undated BOOLEAN, note VARCHAR",
		Salt: func(in *inputs) (string, error) {
			if in.opts.Prices == "" {
				return prices.EmbeddedID(), nil
			}
			data, err := optionFile(in.opts.Prices)
			return string(data), err
		},
		Run: costRows,
	})
}

func (in *inputs) prices() (*prices.Table, error) {
	if in.opts.Prices == "" {
		return prices.Embedded(), nil
	}
	data, err := optionFile(in.opts.Prices)
	if err != nil {
		return nil, err
	}
	return prices.Load(bytes.NewReader(data), in.opts.Prices)
}

// costRows prices every request whose tokens are known. Counts hold thinking
// and cached input already, whichever way the provider reports them.
func costRows(ctx context.Context, s *StepRun) error {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT request_id, provider, model, coalesce(model_id, ''), coalesce(host, ''), coalesce(service_tier, served_tier, ''), started_at,
			input_tokens, cached_tokens, cache_write_tokens, output_tokens, reasoning_tokens
		FROM _measures
		WHERE input_tokens IS NOT NULL OR output_tokens IS NOT NULL
		ORDER BY request_id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var table *prices.Table
	for rows.Next() {
		if table == nil { // only a dataset with something to price needs it
			if table, err = s.in.prices(); err != nil {
				return err
			}
		}
		var id int64
		var q prices.Query
		var at sql.NullTime
		u := &q.Usage
		if err := rows.Scan(&id, &q.Provider, &q.Model, &q.ModelID, &q.URL, &q.ServiceTier, &at,
			&u.Input, &u.Cached, &u.CacheWrite, &u.Output, &u.Reasoning); err != nil {
			return err
		}
		q.At = at.Time.In(time.UTC)
		quote, ok := table.Price(q)
		if !ok {
			if err := s.Append(id, nil, nil, nil, nil, nil, nil, nil, nil, nil, quote.Missing); err != nil {
				return err
			}
			continue
		}
		note := any(nil)
		if len(quote.Notes) > 0 {
			note = strings.Join(quote.Notes, "; ")
		}
		if err := s.Append(id, quote.Total, value(quote.Input), value(quote.CacheRead), value(quote.CacheWrite),
			value(quote.Output), value(quote.Reasoning), value(quote.Request), quote.Source, quote.Undated, note); err != nil {
			return err
		}
	}
	return rows.Err()
}

func value(v *int64) any {
	if v == nil {
		return nil
	}
	return *v
}

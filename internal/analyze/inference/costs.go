package inference

import (
	"bytes"
	"context"
	"database/sql"
	"strings"
	"time"

	"aircheck/internal/analyze/settings"
	"aircheck/internal/rules/prices"
)

var costsStep = &Step{
	Name: "_costs", Key: []string{"request_id"}, Version: 4,
	Needs: []string{"_measures", "_billing"},
	Columns: "request_id BIGINT, cost_nanousd BIGINT, input_nanousd BIGINT, cached_nanousd BIGINT, cache_write_nanousd BIGINT, " +
		"output_nanousd BIGINT, reasoning_nanousd BIGINT, request_nanousd BIGINT, price_source VARCHAR, undated BOOLEAN, note VARCHAR, table_of DATE, other_nanousd BIGINT",
	Salt: func(in *Input) (string, error) {
		if in.Options.Prices == "" {
			return prices.EmbeddedID(), nil
		}
		if _, err := in.prices(); err != nil { // before anything is decoded
			return "", err
		}
		data, err := settings.File(in.Options.Prices)
		return string(data), err
	},
	Run: costRows,
}

func (in *Input) prices() (*prices.Table, error) {
	if in.Options.Prices == "" {
		return prices.Embedded(), nil
	}
	data, err := settings.File(in.Options.Prices)
	if err != nil {
		return nil, err
	}
	table, err := prices.Load(bytes.NewReader(data), in.Options.Prices)
	return table, settings.Wrap(err)
}

// priced selects what is priced: requests whose tokens are known, and failures
// that may be charged; what is free has no price, whatever tokens it states. Of such a failure the output is what had arrived, and
// the input what the same prompt, else any of the cell, was counted as when it
// was answered. Counts hold thinking and cached input already, whichever way
// the provider reports them.
//
// The tier that was served is the one that is billed, whatever was asked for.
const priced = `
	SELECT r.request_id, r.provider, r.model, coalesce(r.model_id, ''), coalesce(r.host, ''),
		coalesce(r.served_tier, r.service_tier, ''), r.started_at,
		CASE WHEN guessed THEN coalesce(p.input, r.input_tokens, c.input) ELSE r.input_tokens END,
		r.cached_tokens, r.cache_write_tokens - coalesce(r.cache_write_1h_tokens, 0), r.cache_write_1h_tokens,
		CASE WHEN guessed THEN coalesce(r.output_tokens, 0) ELSE r.output_tokens END, r.reasoning_tokens,
		r.audio_input_tokens, r.image_input_tokens, r.audio_tokens, r.image_tokens, r.searches, r.code_executions, r.file_searches,
		coalesce(r.search_context, ''), coalesce(r.served_geo, ''), round(r.reported_request_cost_usd * 1e9)::BIGINT, coalesce(r.served_model, ''),
		concat_ws('; ',
			CASE WHEN guessed THEN 'a failure, charged for its input and what had arrived, if at all'
				WHEN r.token_source = 'tokenizer' THEN 'tokens counted here, since the provider reports none' END)
	FROM (SELECT *, ` + guessed + ` AS guessed FROM _measures WHERE request_id > $1 AND request_id <= $2 AND ` + billing + ` <> 'free') r
	LEFT JOIN _counted p ON guessed AND NOT p.any AND p.provider = r.provider AND p.model = r.model AND p.scenario = r.scenario
		AND p.params IS NOT DISTINCT FROM r.params AND p.prompt_hash = r.prompt_hash
	LEFT JOIN _counted c ON guessed AND c.any AND c.provider = r.provider AND c.model = r.model AND c.scenario = r.scenario
		AND c.params IS NOT DISTINCT FROM r.params
	WHERE r.input_tokens IS NOT NULL OR r.output_tokens IS NOT NULL OR guessed
	ORDER BY r.request_id`

const (
	billing = `_billing(answered, outcome, token_source, http_status, end_reason, sent_ms)`
	guessed = `(NOT answered AND ` + billing + ` = 'unknown')`
)

// counted is the input of answered requests, by prompt and by cell: nothing asks
// for it where no failure may be charged.
const counted = `
	CREATE OR REPLACE TEMP TABLE _counted AS
	SELECT provider, model, scenario, params, prompt_hash, grouping(prompt_hash) = 1 AS any, max(input_tokens) AS input
	FROM _measures
	WHERE NOT ` + guessed + ` AND ` + billing + ` <> 'free' AND token_source <> 'tokenizer' AND (SELECT bool_or(` + guessed + `) FROM _measures)
	GROUP BY GROUPING SETS ((provider, model, scenario, params, prompt_hash), (provider, model, scenario, params))`

// costRows prices requests, each at its own time.
func costRows(ctx context.Context, s *Call) error {
	last, err := s.batches(ctx, billing+" <> 'free'", costBatch)
	if err != nil || len(last) == 0 {
		return err
	}
	table, err := s.In.prices()
	if err != nil {
		return err
	}
	if _, err := s.Conn.ExecContext(ctx, counted); err != nil {
		return err
	}
	from := int64(-1)
	for _, to := range last {
		if err := s.costs(ctx, table, from, to); err != nil {
			return err
		}
		from = to
	}
	_, err = s.Conn.ExecContext(ctx, "DROP TABLE _counted")
	return err
}

// costBatch is how many requests are read at a time: a result stands in memory
// as a whole.
const costBatch = 64 << 10

func (s *Call) costs(ctx context.Context, table *prices.Table, from, to int64) error {
	rows, err := s.Conn.QueryContext(ctx, priced, from, to)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var q prices.Query
		var at sql.NullTime
		var note string
		u := &q.Usage
		if err := rows.Scan(&id, &q.Provider, &q.Model, &q.ModelID, &q.URL, &q.ServiceTier, &at,
			&u.Input, &u.Cached, &u.CacheWrite, &u.CacheWrite1h, &u.Output, &u.Reasoning,
			&u.AudioInput, &u.ImageInput, &u.AudioOutput, &u.ImageOutput, &u.Searches, &u.CodeExecutions, &u.FileSearches,
			&u.SearchContext, &u.Geo, &u.RequestFee, &q.Served, &note); err != nil {
			return err
		}
		q.At = at.Time.In(time.UTC)
		quote, ok := table.Price(q)
		if !ok {
			if err := s.Append(id, nil, nil, nil, nil, nil, nil, nil, nil, nil, quote.Missing, nil, nil); err != nil {
				return err
			}
			continue
		}
		if note != "" {
			quote.Notes = append(quote.Notes, note)
		}
		if err := s.Append(id, quote.Total, value(quote.Input), value(quote.CacheRead), value(quote.CacheWrite),
			value(quote.Output), value(quote.Reasoning), value(quote.Request), quote.Source, quote.Undated, orNull(strings.Join(quote.Notes, "; ")),
			dayOf(table), s.In.elsewhere(q)); err != nil {
			return err
		}
	}
	return rows.Err()
}

// dayOf is the day on which a table was true, NULL where it does not say.
func dayOf(t *prices.Table) any {
	if t.AsOf.IsZero() {
		return nil
	}
	return t.AsOf
}

// elsewhere is what a request costs by the table of the project, where the
// user's own is in force.
func (in *Input) elsewhere(q prices.Query) any {
	if in.Options.Prices == "" {
		return nil
	}
	if other, ok := prices.Embedded().Price(q); ok {
		return other.Total
	}
	return nil
}

// value is NULL for nil.
func value[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

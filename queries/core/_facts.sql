-- _facts: one row per request: what was recorded and decoded of it, under canonical names
-- needs: _requests, _aliases, _reduced, _streams, _inputs
-- key: request_id
-- stored: no
--
-- The steps that lead to results (_tokens, _outcomes, _measures) each add their
-- columns to this row.
--
-- A cell is (provider, model, scenario, concurrency, vantage, params); windows
-- and runs are its replicates. Requests of one window share its conditions:
-- window_key is the unit of independence. Live rows, and imported ones whose source
-- states no round of its own, are told apart by the hour.
CREATE OR REPLACE VIEW _facts AS
SELECT
    r.* EXCLUDE ("window") REPLACE (
        coalesce(p.provider, i.provider, r.provider) AS provider,
        coalesce(m.model, i.model, r.model) AS model,
        coalesce(i.region, r.region) AS region,
        coalesce(i."precision", r."precision") AS "precision",
        coalesce(r.scenario, 'all') AS scenario
    ),
    CASE
        WHEN r.started_at_ns IS NOT NULL AND (r.phase = 'live' OR r."window" IS NULL AND r.origin LIKE 'imported:%')
            THEN strftime(make_timestamp(r.started_at_ns // 1000), '%Y-%m-%dT%H')
        ELSE coalesce(r."window", r.run_id)
    END AS window_name,
    CASE
        WHEN r.started_at_ns IS NOT NULL AND (r.phase = 'live' OR r."window" IS NULL AND r.origin LIKE 'imported:%')
            THEN strftime(make_timestamp(r.started_at_ns // 1000), '%Y-%m-%dT%H')
        ELSE r.run_id || '/' || coalesce(r."window", '')
    END AS window_key,
    -- What the response reports is usage_…, what a source states is reported_….
    d.* EXCLUDE (request_id) RENAME (
        input_tokens AS usage_input, output_tokens AS usage_output, total_tokens AS usage_total, reasoning_tokens AS usage_reasoning,
        cached_tokens AS usage_cached, cache_write_tokens AS usage_written, tool_input_tokens AS usage_tool_input,
        cached_disjoint AS usage_disjoint, reported_cost_usd AS usage_cost_usd, finish AS usage_finish
    ),
    s.frames, s.reads, s.coalesced_frames, s.incomplete_frames, s.recorder_lag_ns, s.choices,
    s.first_chars, s.first_tokens, s.first_answer_chars, s.first_answer_tokens, s.answer_blank, s.shown_o200k, s.answer_o200k, s.reasoning_o200k, s.usage_final,
    n.input_o200k, n.max_tokens
FROM _requests r
LEFT JOIN _aliases i ON i.kind = 'id' AND i.spelling = lower(r.model_id)
LEFT JOIN _aliases p ON p.kind = 'provider' AND p.spelling = lower(coalesce(i.provider, r.provider))
LEFT JOIN _aliases m ON m.kind = 'model' AND m.spelling = lower(coalesce(i.model, r.model))
LEFT JOIN _reduced d ON d.request_id = r.request_id
LEFT JOIN _streams s ON s.request_id = r.request_id
LEFT JOIN _inputs n ON n.request_id = r.request_id;

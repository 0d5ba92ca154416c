-- results: one row per request: everything derived from it
-- needs: _measures, _costs, _checked, _scores, _excluded
-- key: request_id
CREATE OR REPLACE VIEW results AS
WITH planned AS ( -- cells with planned rows: live traffic stands beside them, not among them
    SELECT DISTINCT provider, model, scenario, concurrency, vantage, params FROM _measures WHERE phase = 'measure'
),
-- A request that every one of several providers rejects is no provider's fault.
rejected AS (
    SELECT model, scenario, params, prompt_hash
    FROM _measures
    GROUP BY model, scenario, params, prompt_hash
    HAVING count(DISTINCT provider) > 1 AND bool_and(outcome = 'rejected')
)
SELECT
    m.run_id, m.request_id, m.started_at, m."window", m.window_key, m.trial, m.phase,
    m.provider, m.model, m.scenario, m.concurrency, m.vantage, m.params,
    x.request_id IS NULL AND (m.phase = 'measure' OR m.phase = 'live' AND p.provider IS NULL) AS measured,
    x.reason AS excluded,
    m.outcome, m.complete,
    m.as_planned AND coalesce(k.failed, 0) = 0 AND coalesce(s.score >= s.threshold, true) AS useful,
    m.as_planned, m.answered,
    m.outcome NOT IN ('client_error', 'cancelled', 'account', 'unavailable') AND NOT (m.outcome = 'rejected' AND r.model IS NOT NULL) AS attempted,
    m.overloaded, m.failure,
    k.failed AS check_failures, k.failures AS failed_checks,
    s.score,
    m.evidence,
    m.setup_ms, m.sent_ms, m.first_byte_ms, m.first_event_ms, m.ttft_ms, m.ttft_net_ms, m.ttfat_ms, m.thinking_ms,
    m.last_token_ms, m.e2e_ms, m.lag_ms,
    m.input_tokens, m.cached_tokens, m.cache_write_tokens, m.output_tokens, m.reasoning_tokens, m.visible_tokens, m.token_source,
    m.tokens_per_s, m.tpot_ms, m.chars_per_s, m.output_per_e2e,
    m.max_stall_ms, m.stall_after_ms, m.gap_p50_ms, m.gap_p99_ms,
    m.frames, m.content_frames, m.reads, m.answer_chars, m.reasoning_chars, m.tool_chars,
    m.finish_reason, m.finish, m.served_model, m.served_provider, m.system_fingerprint, m.served_tier, m.terminator,
    m.undecoded_frames, m.recorder_lag_us_max, m.coalesced_share,
    c.cost_nanousd / 1e9 AS cost_usd,
    c.input_nanousd / 1e9 AS input_cost_usd,
    c.cached_nanousd / 1e9 AS cached_cost_usd,
    c.cache_write_nanousd / 1e9 AS cache_write_cost_usd,
    c.output_nanousd / 1e9 AS output_cost_usd,
    c.reasoning_nanousd / 1e9 AS reasoning_cost_usd,
    c.request_nanousd / 1e9 AS request_cost_usd,
    c.cost_nanousd,
    m.reported_cost_usd,
    c.price_source,
    c.undated AS price_undated,
    c.note AS price_note,
    m.region, m.workload, m.architecture, m."precision", m.reasoning, m.service_tier, m.campaign, m.session_id, m.caller_request_id, m.attempt,
    m.burst_index, m.in_flight, m.idle_before_ms, m.conn_reused, m.http_status, m.end_reason,
    m.prompt_hash, m.prompt_index, m.prompt_tokens_planned, m.api, m.model_id, m.host, m.probe, m.probe_arm, m.origin, m.streamed,
    m.input_o200k, m.answer_o200k, m.reasoning_o200k
FROM _measures m
LEFT JOIN planned p ON p.provider = m.provider AND p.model = m.model AND p.scenario = m.scenario
    AND p.concurrency IS NOT DISTINCT FROM m.concurrency AND p.vantage IS NOT DISTINCT FROM m.vantage AND p.params IS NOT DISTINCT FROM m.params
LEFT JOIN rejected r ON r.model = m.model AND r.scenario = m.scenario
    AND r.params IS NOT DISTINCT FROM m.params AND r.prompt_hash IS NOT DISTINCT FROM m.prompt_hash
LEFT JOIN _excluded x ON x.request_id = m.request_id
LEFT JOIN _checked k ON k.request_id = m.request_id
LEFT JOIN _scores s ON s.request_id = m.request_id
LEFT JOIN _costs c ON c.request_id = m.request_id;

COMMENT ON VIEW results IS 'one row per request: everything derived from it. Durations are milliseconds, money US dollars, rates per second, shares 0 to 1; NULL where there is no value';

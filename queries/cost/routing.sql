-- routing: one row per workload × policy
-- tells: what a cheap model that escalates would have cost
-- example: SELECT workload, default_provider, default_model, escalate_model, escalated_share, cost_usd, always_cost_usd, saving_share FROM routing ORDER BY workload, cost_usd LIMIT 10
-- needs: _routes, _route_costs, _ratios, _statistics
-- key: workload, default_provider, default_model, default_params, escalate_provider, escalate_model, escalate_params
--
-- What a workload would have cost, how long it would have taken and how useful
-- it would have been, had each prompt gone to a default model first and, where
-- its answer failed or a check did, to another one. Over prompts that both were
-- given, from their recorded answers; nothing is assumed about any other.
CREATE OR REPLACE VIEW routing AS
WITH sums AS (
    SELECT
        workload, default_provider, default_model, default_params, escalate_provider, escalate_model, escalate_params, of,
        count(*) AS n_windows, sum(n)::BIGINT AS n, sum(unpriced)::BIGINT AS unpriced,
        sum(useful)::BIGINT AS useful, sum(default_useful)::BIGINT AS default_useful, sum(always_useful)::BIGINT AS always_useful,
        sum(routed)::BIGINT AS routed, sum(default_only)::BIGINT AS default_only, sum(always)::BIGINT AS always
    FROM _route_costs
    GROUP BY ALL
),
times AS (
    SELECT
        to_json([workload, default_provider, default_model, default_params, escalate_provider, escalate_model, escalate_params])::VARCHAR AS of,
        count(DISTINCT (scenario, prompt_hash)) AS prompts,
        count(routed_ms) AS timed, count(default_ms) AS default_timed, count(always_ms) AS always_timed,
        quantile_cont(routed_ms, 0.5) AS p50, quantile_cont(routed_ms, 0.95) AS p95,
        quantile_cont(default_ms, 0.5) AS default_p50, quantile_cont(default_ms, 0.95) AS default_p95,
        quantile_cont(always_ms, 0.5) AS always_p50, quantile_cont(always_ms, 0.95) AS always_p95
    FROM _routes
    GROUP BY workload, default_provider, default_model, default_params, escalate_provider, escalate_model, escalate_params
)
SELECT
    s.workload,
    s.default_model || ' at ' || s.default_provider || ', then ' || s.escalate_model || ' at ' || s.escalate_provider AS policy,
    s.default_provider, s.default_model, s.default_params, s.escalate_provider, s.escalate_model, s.escalate_params,
    t.prompts, s.n, s.n_windows,
    s.n - s.default_useful AS escalated,
    (s.n - s.default_useful) / s.n AS escalated_share,
    s.useful / s.n AS useful_share,
    _wilson_lo(s.useful, s.n) AS useful_share_lo, _wilson_hi(s.useful, s.n) AS useful_share_hi,
    s.default_useful / s.n AS default_useful_share,
    s.always_useful / s.n AS always_useful_share,
    CASE WHEN s.unpriced = 0 THEN s.routed / s.n / 1e9 END AS cost_usd,
    CASE WHEN s.unpriced = 0 THEN s.default_only / s.n / 1e9 END AS default_cost_usd,
    CASE WHEN s.unpriced = 0 THEN s.always / s.n / 1e9 END AS always_cost_usd,
    CASE WHEN s.unpriced = 0 THEN 1 - s.routed / nullif(s.always, 0) END AS saving_share,
    r.value / 1e9 AS cost_per_useful_usd, r.lo / 1e9 AS cost_per_useful_lo_usd, r.hi / 1e9 AS cost_per_useful_hi_usd,
    d.value / 1e9 AS default_cost_per_useful_usd, d.lo / 1e9 AS default_cost_per_useful_lo_usd, d.hi / 1e9 AS default_cost_per_useful_hi_usd,
    a.value / 1e9 AS always_cost_per_useful_usd, a.lo / 1e9 AS always_cost_per_useful_lo_usd, a.hi / 1e9 AS always_cost_per_useful_hi_usd,
    t.p50 AS p50_ms, t.p95 AS p95_ms,
    t.default_p50 AS default_p50_ms, t.default_p95 AS default_p95_ms,
    t.always_p50 AS always_p50_ms, t.always_p95 AS always_p95_ms,
    nullif(concat_ws('; ',
        CASE WHEN s.n < 25 THEN 'fewer than 25 requests' END,
        CASE WHEN s.n_windows < 6 THEN 'fewer than 6 windows' END,
        CASE WHEN t.prompts = 1 THEN 'one prompt only' END,
        CASE WHEN s.unpriced > 0 THEN 'price unknown for ' || s.unpriced || ' of ' || s.n || ' requests' END,
        CASE WHEN least(t.timed, t.default_timed, t.always_timed) < s.n
            THEN 'times are of complete results: ' || t.timed || ' routed, ' || t.default_timed || ' of the default, ' || t.always_timed || ' of the other, of ' || s.n END), '') AS warning
FROM sums s
JOIN times t ON t.of = s.of
LEFT JOIN _ratios r ON r.ratio = 'route' AND r.of = s.of AND s.unpriced = 0
LEFT JOIN _ratios d ON d.ratio = 'route_default' AND d.of = s.of AND s.unpriced = 0
LEFT JOIN _ratios a ON a.ratio = 'route_always' AND a.of = s.of AND s.unpriced = 0;

COMMENT ON VIEW routing IS 'one row per workload × policy: what a cheaper default model, with escalation to another where its answer or a check fails, would have cost and brought. Over prompts recorded on both, and only those that checks or scores judge';
COMMENT ON COLUMN routing.workload IS 'declared workload, else the scenario';
COMMENT ON COLUMN routing.policy IS 'the policy in words';
COMMENT ON COLUMN routing.default_provider IS 'who is asked first';
COMMENT ON COLUMN routing.default_model IS 'which model';
COMMENT ON COLUMN routing.default_params IS 'with which declared parameters (JSON)';
COMMENT ON COLUMN routing.escalate_provider IS 'who is asked where that is not useful';
COMMENT ON COLUMN routing.escalate_model IS 'which model';
COMMENT ON COLUMN routing.escalate_params IS 'with which declared parameters (JSON)';
COMMENT ON COLUMN routing.prompts IS 'different prompts recorded on both';
COMMENT ON COLUMN routing.n IS 'pairs of requests: the same prompt, the same window, both recorded';
COMMENT ON COLUMN routing.n_windows IS 'windows that they come from';
COMMENT ON COLUMN routing.escalated IS 'pairs in which the default''s result is not useful, so that the other is asked, too';
COMMENT ON COLUMN routing.escalated_share IS 'escalated ÷ n, 0 to 1';
COMMENT ON COLUMN routing.useful_share IS 'share of prompts with a useful result in the end, 0 to 1';
COMMENT ON COLUMN routing.useful_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN routing.useful_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN routing.default_useful_share IS 'the same with the default alone';
COMMENT ON COLUMN routing.always_useful_share IS 'the same with the other alone';
COMMENT ON COLUMN routing.cost_usd IS 'US dollars a prompt, both requests where it escalates; NULL where a price is unknown';
COMMENT ON COLUMN routing.default_cost_usd IS 'US dollars a prompt with the default alone';
COMMENT ON COLUMN routing.always_cost_usd IS 'US dollars a prompt with the other alone';
COMMENT ON COLUMN routing.saving_share IS 'share of always_cost_usd that routing saves; negative where it costs more';
COMMENT ON COLUMN routing.cost_per_useful_usd IS 'US dollars per useful result; lower is better';
COMMENT ON COLUMN routing.cost_per_useful_lo_usd IS 'lower end of its interval at 95 % (Fieller, over windows)';
COMMENT ON COLUMN routing.cost_per_useful_hi_usd IS 'upper end; NULL where nothing bounds it';
COMMENT ON COLUMN routing.default_cost_per_useful_usd IS 'the same with the default alone';
COMMENT ON COLUMN routing.default_cost_per_useful_lo_usd IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN routing.default_cost_per_useful_hi_usd IS 'upper end; NULL where nothing bounds it';
COMMENT ON COLUMN routing.always_cost_per_useful_usd IS 'the same with the other alone';
COMMENT ON COLUMN routing.always_cost_per_useful_lo_usd IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN routing.always_cost_per_useful_hi_usd IS 'upper end; NULL where nothing bounds it';
COMMENT ON COLUMN routing.p50_ms IS 'median of the whole time to a complete result, one request after the other where it escalates, milliseconds';
COMMENT ON COLUMN routing.p95_ms IS '95th percentile of that time';
COMMENT ON COLUMN routing.default_p50_ms IS 'median with the default alone, milliseconds';
COMMENT ON COLUMN routing.default_p95_ms IS '95th percentile with the default alone';
COMMENT ON COLUMN routing.always_p50_ms IS 'median with the other alone, milliseconds';
COMMENT ON COLUMN routing.always_p95_ms IS '95th percentile with the other alone';
COMMENT ON COLUMN routing.warning IS 'what to know before using the row; NULL where nothing';

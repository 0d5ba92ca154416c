-- _fit_estimates: one row per metric × cell: what other views state with an interval
-- needs: _rates, prefill, cold_starts, costs
-- key: metric, provider, model, scenario, concurrency, vantage, params
-- stored: no
CREATE OR REPLACE VIEW _fit_estimates AS
SELECT
    CASE rate WHEN 'tokens' THEN 'aggregate_tokens_per_s' WHEN 'complete' THEN 'requests_per_s' ELSE 'goodput_per_s' END AS metric,
    cell_id, provider, model, scenario, concurrency, vantage, params, value, lo, hi, NULL::BIGINT AS n, n_windows
FROM _rates
WHERE rate IN ('tokens', 'complete', 'good')
UNION ALL
SELECT 'prefill_tokens_per_s', cell_id, provider, model, scenario, concurrency, vantage, params, tokens_per_s, tokens_per_s_lo, tokens_per_s_hi, n, n_windows
FROM prefill
UNION ALL
SELECT 'cold_penalty_ms', cell_id, provider, model, scenario, concurrency, vantage, params, penalty_ms, penalty_lo_ms, penalty_hi_ms, starts, n_windows
FROM cold_starts
UNION ALL
SELECT 'cost_per_useful_usd', cell_id, provider, model, scenario, concurrency, vantage, params, cost_per_useful_usd, cost_per_useful_lo_usd, cost_per_useful_hi_usd, useful, n_windows
FROM costs;

-- What the first page answers beside speed and cost, in one row each: a kind, who,
-- where, and up to four numbers.
SELECT 'steady' AS kind, provider, model, scenario, spread_ratio AS a, p50 AS b, p95 AS c, n::DOUBLE AS d
FROM latency
WHERE metric = 'ttft_net_ms' AND n >= 25
UNION ALL
SELECT 'fails', provider, NULL, NULL, sum(attempts)::DOUBLE, sum(answered)::DOUBLE, sum(rate_limited)::DOUBLE, count(DISTINCT model)::DOUBLE
FROM availability
WHERE attempts > 0 AND answered IS NOT NULL -- a source may not state which were answered
GROUP BY provider
UNION ALL
SELECT 'outage', provider, model, NULL, min_ms, max_ms, failures::DOUBLE, NULL
FROM outages
WHERE min_ms IS NOT NULL
UNION ALL
SELECT 'starved', provider, model, scenario, starved::DOUBLE, answered::DOUBLE, output_share, thought::DOUBLE
FROM thinking
WHERE thought > 0
UNION ALL
SELECT 'empty', provider, model, scenario, (truncated + empty + cut_short)::DOUBLE, answered::DOUBLE, truncated_share, NULL
FROM fidelity
WHERE answered > 0
UNION ALL
SELECT 'leverage', NULL, NULL, NULL, model_ratio, provider_ratio, NULL, NULL
FROM cost_leverage
UNION ALL
SELECT 'changed', provider, model, what, epoch(changed_at)::DOUBLE, NULL, NULL, NULL
FROM changes
WHERE verdict = 'supported' OR what IN ('price', 'served_model')
UNION ALL
SELECT 'moved', provider, model, metric, ratio, level_before, level_after, q
FROM drift
WHERE verdict = 'supported' AND span <> 'hour' AND metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms', 'tokens_per_s') AND level_before IS NOT NULL AND level_after IS NOT NULL AND abs(ln(ratio)) >= ln(1.25)
ORDER BY ALL

-- What more streams at a time change: one row per cell that was asked with several
-- numbers of streams.
SELECT provider, model, scenario, vantage, params, concurrency, n, aggregate_tokens_per_s AS rate, aggregate_tokens_per_s_lo AS rate_lo, aggregate_tokens_per_s_hi AS rate_hi,
       ttft_net_p95_ms AS slow_ms, failed_share, against, aggregate_ratio AS ratio, aggregate_ratio_lo AS ratio_lo, aggregate_ratio_hi AS ratio_hi, cliff IS NOT NULL AS cliff
FROM load
WHERE aggregate_tokens_per_s > 0
QUALIFY count(DISTINCT concurrency) OVER (PARTITION BY provider, model, scenario, vantage, params) > 1
ORDER BY ALL

-- Every measure: one row per provider of a contest and metric.
SELECT model, scenario, concurrency, vantage, provider, params, metric, unit, better, n, n_windows, n_failed,
       p50, p50_lo, p50_hi, p90, p95, p95_lo, p95_hi, p99, max, p95_all, spread, spread_ratio, warning
FROM latency
ORDER BY ALL

-- Typical times by hour (milliseconds): one row per provider of a contest and hour.
SELECT model, scenario, concurrency, vantage, provider, params, hour, p50, n
FROM timeline
WHERE metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms') AND p50 IS NOT NULL AND hour IS NOT NULL -- an import may state no times
ORDER BY ALL

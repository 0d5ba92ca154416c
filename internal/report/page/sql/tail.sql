-- The share of requests still waiting after a time (milliseconds): one row per
-- provider of a contest, time metric and share.
SELECT model, scenario, concurrency, vantage, provider, params, metric, n, share, x AS ms
FROM tails
WHERE metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms')
ORDER BY ALL

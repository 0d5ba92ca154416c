-- Which provider is decidedly better than which: one row per contest, time metric
-- and decided pair.
SELECT metric, model, scenario, concurrency, vantage, leader, CASE leader WHEN provider_a THEN provider_b ELSE provider_a END AS other
FROM pairs
WHERE decided AND metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms')
ORDER BY ALL

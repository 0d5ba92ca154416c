-- The metrics that the pages rank by, with the margins under which two
-- providers are not told apart.
SELECT metric, unit, better = 'higher' AS higher, margin_ratio, margin_abs
FROM metrics
WHERE metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms', 'cost_per_useful_usd')
ORDER BY place

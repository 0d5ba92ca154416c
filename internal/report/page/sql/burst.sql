-- What each place of a burst waits for its first token.
SELECT provider, model, scenario, vantage, params, burst_index + 1 AS place, answered AS n, ttft_p50_ms AS wait, ttft_p50_lo_ms AS wait_lo, ttft_p50_hi_ms AS wait_hi, behind_ratio AS ratio, coalesce(verdict = 'supported' AND behind_ratio > 1, false) AS behind
FROM bursts
WHERE ttft_p50_ms > 0
ORDER BY ALL

-- What the first request after silence waits, and a warm one.
SELECT provider, model, scenario, vantage, params, starts, cold_p50_ms AS cold, cold_p50_lo_ms AS cold_lo, cold_p50_hi_ms AS cold_hi, warm_p50_ms AS warm, warm_p50_lo_ms AS warm_lo, warm_p50_hi_ms AS warm_hi,
       penalty_ratio AS ratio, claim IS NOT DISTINCT FROM 'penalty' AND verdict = 'supported' AS pays
FROM cold_starts
WHERE cold_p50_ms > 0 AND warm_p50_ms > 0
ORDER BY ALL

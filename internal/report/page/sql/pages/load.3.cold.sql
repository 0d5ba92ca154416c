-- title: What the first request after silence pays
-- sub: Against a warm call on a fresh connection.
-- empty: No cold start was recorded.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", starts AS "Cold starts [n]", idle_p50_ms AS "After idle [ms]", cold_p50_ms AS "Cold [ms]", warm_p50_ms AS "Warm [ms]",
       penalty_ms AS "Penalty [ms]", penalty_lo_ms AS "[lo]", penalty_hi_ms AS "[hi]", penalty_ratio AS "Times slower [ratio]", warm_after AS "Warm after requests [n]", claim AS "Finding", verdict AS "Verdict [verdict]", warning AS "Note"
FROM cold_starts
ORDER BY penalty_ms DESC NULLS LAST, model, provider, scenario, concurrency, vantage, params

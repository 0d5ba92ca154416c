-- How requests ended: one row per provider of a contest and outcome.
SELECT model, scenario, concurrency, vantage, provider, params, outcome, n
FROM errors
ORDER BY ALL

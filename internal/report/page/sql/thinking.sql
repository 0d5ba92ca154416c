-- What thinking takes: one row per provider of a contest.
SELECT model, scenario, concurrency, vantage, provider, params,
       counted, reasoning_tokens / nullif(counted, 0) AS tokens_each, output_share, cost_share, time_share, starved
FROM thinking
WHERE thought > 0
ORDER BY ALL

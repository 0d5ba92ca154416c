-- What thinking takes: one row per provider of a contest.
SELECT model, scenario, concurrency, vantage, provider,
       n, reasoning_tokens, share_of_output, share_of_cost, starved
FROM thinking
ORDER BY ALL

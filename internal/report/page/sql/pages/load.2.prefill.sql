-- title: What a longer prompt costs in waiting
-- sub: The slope of time to first token over input length, from sweeps.
-- empty: No input length was swept.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", n AS "n [n]", shortest_tokens AS "From tokens [n]", longest_tokens AS "To tokens [n]",
       ms_per_1k_tokens AS "Per 1,000 tokens [ms]", ms_per_1k_tokens_lo AS "[lo]", ms_per_1k_tokens_hi AS "[hi]", overhead_ms AS "Without prompt [ms]", tokens_per_s AS "Prefill, tokens/s [num]", warning AS "Note"
FROM prefill
ORDER BY model, ms_per_1k_tokens NULLS LAST, provider, scenario, concurrency, vantage, params

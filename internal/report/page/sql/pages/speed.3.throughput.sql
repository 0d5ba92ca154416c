-- title: How fast answers stream
-- sub: Tokens per second of one stream, and of all streams of a cell together.
-- empty: No speed is known.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", concurrency AS "At a time [n]", architecture AS "Architecture", n AS "n [n]",
       tokens_per_s AS "One stream, tokens/s [num]", tokens_per_s_lo AS "[lo]", tokens_per_s_hi AS "[hi]", chars_per_s AS "Characters/s [num]",
       aggregate_tokens_per_s AS "All streams, tokens/s [num]", slowdown AS "Against one at a time [ratio]", warning AS "Note"
FROM throughput
ORDER BY model, scenario, concurrency, tokens_per_s DESC NULLS LAST, provider, vantage, params

-- title: How long one waits for the first token
-- sub: Time to first token without connection set-up, by provider and model; n answers in windows. Percentiles with their 95 % intervals.
-- empty: No time to first token is known.
SELECT l.model AS "Model", l.provider AS "Provider", l.scenario AS "Scenario", l.concurrency AS "At a time [n]", l.n AS "n [n]", l.n_windows AS "Windows [n]",
       l.p50 AS "Half within [ms]", l.p50_lo AS "[lo]", l.p50_hi AS "[hi]", l.p95 AS "19 in 20 within [ms]", l.p95_lo AS "[lo]", l.p95_hi AS "[hi]",
       l.p99 AS "99 in 100 [ms]", l.max AS "Longest [ms]", l.spread_ratio AS "Slow against typical [ratio]", l.warning AS "Note"
FROM latency l
WHERE l.metric = 'ttft_net_ms'
ORDER BY l.model, l.scenario, l.concurrency, l.p50, l.provider, l.vantage, l.params

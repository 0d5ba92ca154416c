-- title: How long the whole answer takes
-- sub: From the request's start to the last byte. The time-out that the times support cuts off less than the share beside it.
-- empty: No whole answer was timed.
SELECT l.model AS "Model", l.provider AS "Provider", l.scenario AS "Scenario", l.concurrency AS "At a time [n]", l.n AS "n [n]",
       l.p50 AS "Half within [ms]", l.p95 AS "19 in 20 within [ms]", l.p95_lo AS "[lo]", l.p95_hi AS "[hi]",
       s.objective AS "Objective [ms]", s.timeout AS "Time-out [ms]", s.warning AS "Note"
FROM latency l
LEFT JOIN slo s ON s.metric = l.metric AND s.provider = l.provider AND s.model = l.model AND s.scenario = l.scenario
    AND s.concurrency IS NOT DISTINCT FROM l.concurrency AND s.vantage IS NOT DISTINCT FROM l.vantage AND s.params IS NOT DISTINCT FROM l.params
WHERE l.metric = 'e2e_ms'
ORDER BY l.model, l.scenario, l.concurrency, l.p50, l.provider, l.vantage, l.params

-- title: Who meets the limits of each workload
-- sub: Each measure that decides is judged by itself: met or missed where its whole interval is on one side of the limit.
-- empty: No scenario belongs to a workload.
SELECT workload AS "Workload", model AS "Model", provider AS "Provider", title AS "Measure", statistic AS "Of it", at_most AS "At most [num]", at_least AS "At least [num]",
       value AS "Seen [num]", lo AS "[lo]", hi AS "[hi]", unit AS "Unit", n AS "n [n]", claim AS "The limit is", verdict AS "Verdict [verdict]", why_not AS "Why not", why AS "Why"
FROM workload_fit
WHERE verdict IS NOT NULL
ORDER BY workload, model, provider, place, statistic, scenario, concurrency, vantage

-- title: When nothing was answered
-- sub: Runs of failures, with the shortest and the longest time that they can have taken.
-- empty: No outage was seen.
SELECT provider AS "Provider", model AS "Model", scenario AS "Scenario", failures AS "Failures [n]", first_at AS "First [time]", last_at AS "Last [time]",
       min_ms AS "At least [ms]", max_ms AS "At most [ms]", outcomes AS "Ended"
FROM outages
ORDER BY max_ms DESC NULLS FIRST, min_ms DESC, provider, model, scenario, concurrency, first_at
LIMIT 100

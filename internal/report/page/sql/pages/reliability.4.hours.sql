-- title: The hours with failures
-- sub: Attempts and answers by hour (UTC), the worst hours first.
-- empty: No hour had a failure.
SELECT provider AS "Provider", model AS "Model", scenario AS "Scenario", hour AS "Hour [time]", attempts AS "Attempts [n]", answered AS "Answered [n]", share AS "Share [share]", share_lo AS "[lo]", share_hi AS "[hi]"
FROM availability_hours
WHERE answered < attempts
ORDER BY share, attempts DESC, provider, model, scenario, concurrency, hour
LIMIT 100

-- title: Which share of attempts was answered
-- sub: Servable says whether the model can be called at all. What the client or the account stopped is no attempt.
-- empty: Nothing was attempted.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", concurrency AS "At a time [n]", servable AS "Can be called", attempts AS "Attempts [n]", answered AS "Answered [n]",
       share AS "Share [share]", share_lo AS "[lo]", share_hi AS "[hi]", share_unlimited AS "Without rate limits [share]", rate_limited AS "Rate limits [n]", outages AS "Outages [n]",
       longest_outage_min_ms AS "Longest, at least [ms]", longest_outage_max_ms AS "at most [ms]", warning AS "Note"
FROM availability
ORDER BY share NULLS FIRST, model, provider, scenario, concurrency, vantage, params

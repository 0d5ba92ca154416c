-- title: What each place in a burst waits
-- sub: Requests sent at once after silence, by their place.
-- empty: No burst was recorded.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", burst_index AS "Place [n]", bursts AS "Bursts [n]", attempts AS "Attempts [n]", answered AS "Answered [n]", rate_limited AS "Rate limits [n]",
       ttft_p50_ms AS "First token [ms]", ttft_p50_lo_ms AS "[lo]", ttft_p50_hi_ms AS "[hi]", behind_first_ms AS "Behind the first [ms]", warning AS "Note"
FROM bursts
ORDER BY model, provider, scenario, burst_index, concurrency, vantage, params

-- Requests sent and answered, by the hour and the window that they were sent
-- in: one row per provider of a contest, window and hour.
SELECT model, scenario, concurrency, vantage, provider, params, window_key AS slot,
       date_trunc('hour', started_at) AS hour, min(started_at) AS first_at,
       count(*) FILTER (attempted) AS attempts,
       count(*) FILTER (attempted AND answered) AS answered
FROM results
WHERE measured AND started_at IS NOT NULL
GROUP BY ALL
ORDER BY ALL

-- title: How requests ended that were not answered well
-- sub: With the status, the words of one of them, and its request id, by which its frames are found.
-- empty: Every request was answered well.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", replace(outcome, '_', ' ') AS "Ended", n AS "n [n]", share AS "Share [share]", http_status AS "Status [n]",
       example_request_id::VARCHAR AS "Request", first_at AS "First [time]", last_at AS "Last [time]"
FROM errors
WHERE outcome <> 'ok'
ORDER BY n DESC, model, provider, scenario, outcome, concurrency, vantage, params

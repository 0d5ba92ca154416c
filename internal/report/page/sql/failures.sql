-- How requests failed: one row per provider, model, scenario and outcome, with
-- the id of one of them.
SELECT provider, model, coalesce(scenario, '') AS scenario, outcome, sum(n)::BIGINT AS n, min(http_status)::BIGINT AS http_status,
       NULL::VARCHAR AS example, min(example_request_id) AS request_id,
       strftime(min(first_at), '%-d %b %Y %H:%M') AS first_at, strftime(max(last_at), '%-d %b %Y %H:%M') AS last_at
FROM errors
WHERE outcome NOT IN ('ok', 'truncated')
GROUP BY provider, model, scenario, outcome
ORDER BY ALL

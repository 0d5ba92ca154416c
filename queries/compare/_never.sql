-- _never: one row per metric × cell × window in which attempts failed
-- needs: results, metrics, _windows
-- key: metric, model, scenario, concurrency, vantage, provider, params, window_key
--
-- Whoever fails its slow requests must not look fast for it: in a comparison of
-- times and speeds, an attempt that never came stands beyond the slowest. A rate
-- limit is a matter of the account, what was filtered has no time of its own, and
-- an answer that was not streamed has no first token without having failed.
CREATE OR REPLACE VIEW _never AS
WITH timed AS (
    SELECT metric, population
    FROM metrics
    WHERE statistic <> 'ratio' AND family NOT IN ('thinking', 'setup')
),
cells AS (
    SELECT DISTINCT metric, cell_id
    FROM _windows
    WHERE metric IN (SELECT metric FROM timed)
),
failed AS (
    SELECT cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key,
        min(started_at) AS started_at,
        count(*) AS answers,
        count(*) FILTER (ttft_ms IS NULL) AS tokens
    FROM results
    WHERE measured AND attempted AND NOT complete AND outcome NOT IN ('rate_limited', 'filtered')
    GROUP BY ALL
)
SELECT
    c.metric, f.cell_id, f.contest_id, f.model, f.scenario, f.concurrency, f.vantage, f.provider, f.params, f.window_key, f.started_at,
    CASE t.population WHEN 'first_token' THEN f.tokens ELSE f.answers END AS failed
FROM failed f
JOIN cells c ON c.cell_id = f.cell_id
JOIN timed t ON t.metric = c.metric
WHERE CASE t.population WHEN 'first_token' THEN f.tokens ELSE f.answers END > 0;

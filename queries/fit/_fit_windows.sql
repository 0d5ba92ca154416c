-- _fit_windows: one row per metric × cell × window: what workloads are judged by
-- needs: results, _windows, _loops, _burst_windows, _limits, _workload_of
-- key: metric, provider, model, scenario, concurrency, vantage, params, window_key
--
-- A window of a metric with values keeps them all; one of a share the number of
-- cases (k) and of requests (n).
CREATE OR REPLACE VIEW _fit_windows AS
WITH wanted AS (SELECT DISTINCT metric FROM _limits WHERE kind = 'decides'),
scenarios AS (SELECT DISTINCT scenario FROM _workload_of),
shares AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, window_key,
        count(*) FILTER (attempted) AS attempts,
        count(*) FILTER (attempted AND outcome = 'rate_limited') AS rate_limited,
        count(*) FILTER (answered) AS answered,
        count(*) FILTER (outcome = 'truncated' AND NOT as_planned) AS truncated,
        count(*) FILTER (outcome = 'starved') AS starved
    FROM results
    WHERE measured
    GROUP BY ALL
),
every AS (
    SELECT metric, cell_id, provider, model, scenario, concurrency, vantage, params, window_key, ascending, num AS k, den AS n
    FROM _windows
    WHERE ascending IS NOT NULL OR metric IN ('answered_share', 'useful_share', 'ttft_within_share')
    UNION ALL
    SELECT 'rate_limited_share', cell_id, provider, model, scenario, concurrency, vantage, params, window_key, NULL, rate_limited, attempts FROM shares
    UNION ALL
    SELECT 'truncated_share', cell_id, provider, model, scenario, concurrency, vantage, params, window_key, NULL, truncated, answered FROM shares
    UNION ALL
    SELECT 'starved_share', cell_id, provider, model, scenario, concurrency, vantage, params, window_key, NULL, starved, answered FROM shares
    UNION ALL
    SELECT 'good_share', cell_id, provider, model, scenario, concurrency, vantage, params, window_key, NULL, good, judged FROM _loops
    UNION ALL
    SELECT 'burst_ttft_net_ms', cell_id, provider, model, scenario, concurrency, vantage, params, window_key, ttft, NULL, NULL FROM _burst_windows
    UNION ALL
    SELECT 'burst_answered_share', cell_id, provider, model, scenario, concurrency, vantage, params, window_key, NULL, answered, attempts FROM _burst_windows
)
SELECT e.*
FROM every e
JOIN wanted w ON w.metric = e.metric
JOIN scenarios s ON s.scenario = e.scenario
WHERE len(e.ascending) > 0 OR e.n > 0;

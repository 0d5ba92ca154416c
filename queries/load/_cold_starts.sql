-- _cold_starts: one row per cold start: the request that met the silence, and those after it
-- needs: results, _statistics
-- key: provider, model, scenario, concurrency, vantage, params, window_key, trial
--
-- All of them open a connection of their own, and set-up is left out of the time,
-- so that they differ in the silence alone. Warm is the median of the requests
-- that follow, two at least.
CREATE OR REPLACE VIEW _cold_starts AS
WITH starts AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, window_key, trial,
        max(idle_before_ms) FILTER (burst_index = 0) AS idle_ms,
        count(*) FILTER (burst_index = 0 AND attempted) AS attempts,
        count(*) FILTER (burst_index = 0 AND attempted AND NOT answered) AS failed,
        count(*) FILTER (burst_index > 0 AND attempted AND NOT answered) AS warm_failed,
        max(ttft_net_ms) FILTER (burst_index = 0) AS cold_ms,
        max(ttft_net_ms) FILTER (burst_index = 1) AS second_ms,
        max(ttft_net_ms) FILTER (burst_index = 2) AS third_ms,
        max(ttft_net_ms) FILTER (burst_index = 3) AS fourth_ms,
        list_sort(list(ttft_net_ms) FILTER (burst_index > 0 AND ttft_net_ms IS NOT NULL)) AS later
    FROM results
    WHERE phase = 'cold' AND burst_index IS NOT NULL AND excluded IS NULL
    GROUP BY ALL
)
SELECT * EXCLUDE (later), CASE WHEN len(later) >= 2 THEN _quantile(later, 0.5) END AS warm_ms
FROM starts;

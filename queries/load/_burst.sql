-- _burst: one row per target × scenario × place in the burst: the values that its statistics are made of
-- needs: results
-- key: provider, model, scenario, concurrency, vantage, params, burst_index
CREATE OR REPLACE VIEW _burst AS
WITH rows AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, window_key, trial, burst_index,
        attempted, answered, outcome, ttft_net_ms, e2e_ms, complete,
        -- How long the n-th first token of the burst took, whoever got it.
        row_number() OVER (burst ORDER BY ttft_net_ms NULLS LAST, burst_index) - 1 AS nth,
        max(ttft_net_ms) FILTER (burst_index = 0) OVER burst AS first_ms
    FROM results
    WHERE phase = 'burst' AND burst_index IS NOT NULL AND excluded IS NULL
    WINDOW burst AS (PARTITION BY cell_id, window_key, trial)
),
places AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, burst_index,
        count(*) AS bursts,
        count(DISTINCT window_key) AS n_windows,
        count(*) FILTER (attempted) AS attempts,
        count(*) FILTER (attempted AND answered) AS answered,
        count(*) FILTER (attempted AND outcome = 'rate_limited') AS rate_limited,
        list_sort(list(ttft_net_ms) FILTER (ttft_net_ms IS NOT NULL)) AS ttft,
        list_sort(list(e2e_ms) FILTER (complete AND e2e_ms IS NOT NULL)) AS e2e,
        list_sort(list(ttft_net_ms - first_ms) FILTER (ttft_net_ms - first_ms IS NOT NULL)) AS behind
    FROM rows
    GROUP BY ALL
),
arrivals AS (
    SELECT cell_id, nth,
        list_sort(list(ttft_net_ms) FILTER (ttft_net_ms IS NOT NULL)) AS arrived
    FROM rows
    GROUP BY ALL
)
SELECT p.*, a.arrived
FROM places p
LEFT JOIN arrivals a ON a.nth = p.burst_index AND a.cell_id = p.cell_id;

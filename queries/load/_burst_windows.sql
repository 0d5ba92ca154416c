-- _burst_windows: one row per target × scenario × size of burst × window
-- needs: results
-- key: provider, model, scenario, concurrency, vantage, params, window_key
-- stored: no
CREATE OR REPLACE VIEW _burst_windows AS
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params, window_key,
    count(*) FILTER (attempted) AS attempts,
    count(*) FILTER (attempted AND answered) AS answered,
    list_sort(list(ttft_net_ms) FILTER (ttft_net_ms IS NOT NULL)) AS ttft
FROM results
WHERE phase = 'burst' AND excluded IS NULL
GROUP BY ALL;

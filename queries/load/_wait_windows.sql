-- _wait_windows: one row per kind (cold, burst) × cell × place × window: first tokens that are set against each other
-- needs: results
-- key: kind, provider, model, scenario, concurrency, vantage, params, place, window_key
-- stored: no
--
-- Place 0 is what is usual: of cold starts the requests that follow, of bursts
-- the first request. Place 1 of cold starts is the one that met the silence.
CREATE OR REPLACE VIEW _wait_windows AS
SELECT
    phase AS kind, cell_id, provider, model, scenario, concurrency, vantage, params, window_key,
    CASE phase WHEN 'cold' THEN CASE burst_index WHEN 0 THEN 1 ELSE 0 END ELSE burst_index END::INTEGER AS place,
    min(started_at) AS started_at,
    list_sort(list(ttft_net_ms) FILTER (ttft_net_ms IS NOT NULL)) AS ascending,
    count(*) FILTER (attempted AND NOT answered AND ttft_net_ms IS NULL AND outcome <> 'rate_limited') AS failed
FROM results
WHERE phase IN ('cold', 'burst') AND burst_index IS NOT NULL AND excluded IS NULL
GROUP BY ALL;

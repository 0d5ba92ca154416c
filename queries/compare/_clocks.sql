-- _clocks: one row per cell × window: which clocks timed its answers, and how late reads came
-- needs: results
-- key: cell_id, window_key
CREATE OR REPLACE VIEW _clocks AS
SELECT
    cell_id, window_key,
    count(*) FILTER (clock = 'kernel') AS kernel,
    count(*) FILTER (clock = 'read') AS read,
    -- Largest lags of answers: a run on the read clock had them too, and did not know.
    quantile_cont(recorder_lag_us_max, 0.99) / 1000 AS lag_ms
FROM results
WHERE measured AND clock IS NOT NULL
GROUP BY ALL;

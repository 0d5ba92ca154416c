-- timeline: one row per cell × hour
-- tells: how waiting changes over the hours
-- example: SELECT provider, model, hour, answered, p50, p95 FROM timeline WHERE metric = 'ttft_net_ms' ORDER BY model, provider, hour LIMIT 12
-- needs: results, _statistics, metrics
-- key: provider, model, scenario, concurrency, vantage, params, hour
CREATE OR REPLACE VIEW timeline AS
WITH rows AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, attempted, answered,
        date_trunc('hour', started_at) AS hour,
        ttft_net_ms, ttft_ms, CASE WHEN complete THEN e2e_ms END AS e2e_ms
    FROM results
    WHERE measured
),
-- One time speaks for a cell: the first of these that it has.
cells AS (
    SELECT *,
        CASE
            WHEN count(ttft_net_ms) OVER cell > 0 THEN 'ttft_net_ms'
            WHEN count(ttft_ms) OVER cell > 0 THEN 'ttft_ms'
            WHEN count(e2e_ms) OVER cell > 0 THEN 'e2e_ms'
        END AS metric
    FROM rows
    WINDOW cell AS (PARTITION BY cell_id)
),
valued AS (
    SELECT *, CASE metric WHEN 'ttft_net_ms' THEN ttft_net_ms WHEN 'ttft_ms' THEN ttft_ms ELSE e2e_ms END AS value
    FROM cells
),
hours AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, hour, metric,
        count(*) AS requests,
        count(*) FILTER (attempted) AS attempts,
        count(*) FILTER (attempted AND answered) AS answered,
        count(value) AS n,
        list_sort(list(value) FILTER (value IS NOT NULL)) AS ascending
    FROM valued
    GROUP BY ALL
)
SELECT
    h.cell_id, h.provider, h.model, h.scenario, h.concurrency, h.vantage, h.params, h.hour,
    h.requests, h.attempts, h.answered,
    h.answered / nullif(h.attempts, 0) AS share,
    h.metric, m.unit, h.n,
    _quantile(h.ascending, 0.5) AS p50,
    _quantile(h.ascending, 0.95) AS p95,
    CASE WHEN h.n < 25 THEN 'fewer than 25 values' END AS warning
FROM hours h
LEFT JOIN metrics m ON m.metric = h.metric;

COMMENT ON VIEW timeline IS 'one row per cell × hour: how many answered, and how long they took';
COMMENT ON COLUMN timeline.hour IS 'begin of the hour, UTC; NULL gathers requests without a time';
COMMENT ON COLUMN timeline.requests IS 'measured requests started in the hour';
COMMENT ON COLUMN timeline.attempts IS 'those that tell of the provider; see availability';
COMMENT ON COLUMN timeline.answered IS 'attempts that ended properly, whatever they ended with';
COMMENT ON COLUMN timeline.share IS 'answered ÷ attempts, 0 to 1, higher is better';
COMMENT ON COLUMN timeline.metric IS 'what p50 and p95 are of: ttft_net_ms, else ttft_ms, else e2e_ms, by what the cell has';
COMMENT ON COLUMN timeline.unit IS 'its unit';
COMMENT ON COLUMN timeline.n IS 'values in the hour';
COMMENT ON COLUMN timeline.p50 IS 'their median';
COMMENT ON COLUMN timeline.p95 IS 'their 95th percentile (type 7)';
COMMENT ON COLUMN timeline.warning IS 'what the sample is too small for; NULL where nothing';

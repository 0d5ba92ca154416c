-- tails: one row per cell × metric × share still waiting
-- tells: which share still waits after a time
-- example: SELECT provider, model, share, x FROM tails WHERE metric = 'e2e_ms' AND share IN (0.5, 0.1, 0.05) ORDER BY model, provider, share DESC
-- needs: _samples, _statistics, metrics
-- key: provider, model, scenario, concurrency, vantage, params, metric, share
--
-- A cumulative curve hides its tail; this is the other way round, dense where
-- few are left. It ends where fewer than five requests remain.
CREATE OR REPLACE VIEW tails AS
WITH shares AS (
    SELECT unnest([
        1, 0.98, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.17, 0.14, 0.12,
        0.1, 0.085, 0.07, 0.06, 0.05, 0.042, 0.035, 0.03, 0.025, 0.02, 0.017, 0.014, 0.012,
        0.01, 0.0085, 0.007, 0.006, 0.005, 0.004, 0.003, 0.0025, 0.002, 0.0015, 0.001
    ]) AS share
)
SELECT
    s.cell_id, s.provider, s.model, s.scenario, s.concurrency, s.vantage, s.params,
    s.metric, m.unit,
    h.share::DOUBLE AS share,
    s.n, s.n_failed,
    _quantile(s.ascending, 1 - h.share) AS x,
    _quantile_with_never(s.ascending, s.n_failed, 1 - h.share) AS x_all
FROM _samples s
JOIN metrics m ON m.metric = s.metric
CROSS JOIN shares h
WHERE m.better = 'lower' AND s.n * h.share >= 5;

COMMENT ON VIEW tails IS 'one row per cell × metric × share still waiting after x, for metrics whose direction is lower';
COMMENT ON COLUMN tails.metric IS 'column of results; see metrics';
COMMENT ON COLUMN tails.unit IS 'unit of x';
COMMENT ON COLUMN tails.share IS 'share of the values above x, 0 to 1';
COMMENT ON COLUMN tails.n IS 'values; n × share of them, five or more, are above x';
COMMENT ON COLUMN tails.n_failed IS 'attempts without a value because they failed';
COMMENT ON COLUMN tails.x IS 'the (1 − share)-quantile (type 7) of the values';
COMMENT ON COLUMN tails.x_all IS 'the same with failures counted as never; NULL where that is never';

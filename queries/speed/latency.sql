-- latency: one row per cell × metric
-- tells: how long one waits: percentiles with intervals
-- example: SELECT provider, model, scenario, n, p50, p50_lo, p50_hi, p95 FROM latency WHERE metric = 'ttft_net_ms' ORDER BY model, scenario, p50
-- needs: _samples, _quantile_ranks, _statistics, metrics
-- key: provider, model, scenario, concurrency, vantage, params, metric
CREATE OR REPLACE VIEW latency AS
WITH ranked AS (
    SELECT
        s.*,
        r50.lo AS l50, r50.hi AS h50, r90.lo AS l90, r90.hi AS h90,
        r95.lo AS l95, r95.hi AS h95, r99.lo AS l99, r99.hi AS h99
    FROM _samples s
    LEFT JOIN _quantile_ranks r50 ON r50.n = s.n AND r50.q = 50
    LEFT JOIN _quantile_ranks r90 ON r90.n = s.n AND r90.q = 90
    LEFT JOIN _quantile_ranks r95 ON r95.n = s.n AND r95.q = 95
    LEFT JOIN _quantile_ranks r99 ON r99.n = s.n AND r99.q = 99
)
SELECT
    r.cell_id, r.contest_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params,
    r.metric, m.unit, m.better,
    r.n, r.n_windows, r.n_failed, r.unstated AS unstated_share,
    _quantile(r.ascending, 0.5) AS p50, r.ascending[l50] AS p50_lo, r.ascending[h50] AS p50_hi,
    _quantile(r.ascending, 0.9) AS p90, r.ascending[l90] AS p90_lo, r.ascending[h90] AS p90_hi,
    _quantile(r.ascending, 0.95) AS p95, r.ascending[l95] AS p95_lo, r.ascending[h95] AS p95_hi,
    CASE WHEN r.n >= 100 THEN _quantile(r.ascending, 0.99) END AS p99,
    CASE WHEN r.n >= 100 THEN r.ascending[l99] END AS p99_lo,
    CASE WHEN r.n >= 100 THEN r.ascending[h99] END AS p99_hi,
    r.ascending[-1] AS max,
    CASE WHEN m.better = 'lower' THEN _quantile_with_never(r.ascending, r.n_failed, 0.95) END AS p95_all,
    _quantile(r.ascending, 0.95) - _quantile(r.ascending, 0.5) AS spread,
    _quantile(r.ascending, 0.95) / nullif(_quantile(r.ascending, 0.5), 0) AS spread_ratio,
    nullif(concat_ws('; ',
        CASE WHEN r.n < 25 THEN 'fewer than 25 values' END,
        CASE WHEN r.unstated > 0.2 THEN 'no value of over a fifth of the answers' END,
        CASE WHEN h95 IS NULL THEN 'p95 not bounded' END,
        CASE WHEN r.n BETWEEN 100 AND 499 THEN 'p99 from fewer than 500' END,
        CASE WHEN m.better = 'lower' AND _quantile_with_never(r.ascending, r.n_failed, 0.95) IS NULL THEN 'over 5 % failed' END), '') AS warning
FROM ranked r
JOIN metrics m ON m.metric = r.metric;

COMMENT ON VIEW latency IS 'one row per cell × metric: percentiles (type 7) with exact order-statistic intervals at 95 %. An end that the sample cannot bound is NULL. They are about these requests: what requests of one window share is not in them; pairs and ranks speak of conditions like these';
COMMENT ON COLUMN latency.metric IS 'see metrics';
COMMENT ON COLUMN latency.unit IS 'unit of all values in the row';
COMMENT ON COLUMN latency.better IS 'lower or higher';
COMMENT ON COLUMN latency.n IS 'values';
COMMENT ON COLUMN latency.n_windows IS 'windows that they come from: requests of one window are not independent';
COMMENT ON COLUMN latency.n_failed IS 'attempts without a value because they failed';
COMMENT ON COLUMN latency.unstated_share IS 'share of the answers that the metric is about, 0 to 1, that have no value of it: too short for a speed, held back, or not counted';
COMMENT ON COLUMN latency.p50 IS 'median';
COMMENT ON COLUMN latency.p50_lo IS 'lower end of its interval; needs n of 6';
COMMENT ON COLUMN latency.p50_hi IS 'upper end of its interval';
COMMENT ON COLUMN latency.p90 IS '90th percentile';
COMMENT ON COLUMN latency.p90_lo IS 'lower end of its interval';
COMMENT ON COLUMN latency.p90_hi IS 'upper end of its interval; needs n of 36';
COMMENT ON COLUMN latency.p95 IS '95th percentile';
COMMENT ON COLUMN latency.p95_lo IS 'lower end of its interval';
COMMENT ON COLUMN latency.p95_hi IS 'upper end of its interval; needs n of 72';
COMMENT ON COLUMN latency.p99 IS '99th percentile; NULL under n of 100';
COMMENT ON COLUMN latency.p99_lo IS 'lower end of its interval';
COMMENT ON COLUMN latency.p99_hi IS 'upper end of its interval; needs n of 368';
COMMENT ON COLUMN latency.max IS 'largest value';
COMMENT ON COLUMN latency.p95_all IS '95th percentile with failures counted as never; NULL where that is never, and for metrics whose direction is higher';
COMMENT ON COLUMN latency.spread IS 'p95 − p50';
COMMENT ON COLUMN latency.spread_ratio IS 'p95 ÷ p50';
COMMENT ON COLUMN latency.warning IS 'what the sample is too small for; NULL where nothing';

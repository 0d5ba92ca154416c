-- slo: one row per cell × wait: the objective and the time-out that its times support
-- tells: which objective and which time-out the times support
-- example: SELECT provider, model, metric, n, p95_all, objective, timeout FROM slo ORDER BY model, metric, provider LIMIT 12
-- needs: _samples, _quantile_ranks, _statistics, metrics
-- key: provider, model, scenario, concurrency, vantage, params, metric
--
-- An objective promises: it counts failures as never, and takes the upper end of
-- the interval, so that the promise is kept at 97.5 % confidence. A time-out
-- gives up: it is over what did arrive, and takes the upper end for p99, so
-- that it cuts off at most one in a hundred of them, at the same confidence.
-- Both hold for conditions such as the recorded ones, and for no others.
CREATE OR REPLACE VIEW slo AS
WITH waits AS (
    SELECT *
    FROM (VALUES
        ('setup_ms',     'connection'),
        ('ttft_ms',      'first token'),
        ('ttfat_ms',     'first answer token'),
        ('max_stall_ms', 'silence within the answer'),
        ('e2e_ms',       'whole answer')
    ) AS t(metric, waits_for)
),
ranked AS (
    SELECT
        s.*, w.waits_for, m.unit, s.n + s.n_failed AS n_all,
        a95.lo AS l95, a95.hi AS h95, a99.lo AS l99, a99.hi AS h99, v99.hi AS v99
    FROM _samples s
    JOIN waits w ON w.metric = s.metric
    JOIN metrics m ON m.metric = s.metric
    LEFT JOIN _quantile_ranks a95 ON a95.n = s.n + s.n_failed AND a95.q = 95
    LEFT JOIN _quantile_ranks a99 ON a99.n = s.n + s.n_failed AND a99.q = 99
    LEFT JOIN _quantile_ranks v99 ON v99.n = s.n AND v99.q = 99
),
bounded AS (
    SELECT *,
        -- A rank beyond the values is a failure: list access gives NULL there.
        ascending[h95] AS objective,
        ascending[v99] AS timeout
    FROM ranked
)
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params, metric, unit, waits_for, n, n_failed,
    _quantile_with_never(ascending, n_failed, 0.95) AS p95_all,
    ascending[l95] AS p95_all_lo,
    ascending[h95] AS p95_all_hi,
    CASE WHEN n_all >= 100 THEN _quantile_with_never(ascending, n_failed, 0.99) END AS p99_all,
    CASE WHEN n_all >= 100 THEN ascending[l99] END AS p99_all_lo,
    CASE WHEN n_all >= 100 THEN ascending[h99] END AS p99_all_hi,
    objective,
    timeout,
    CASE WHEN timeout IS NOT NULL THEN len(list_filter(ascending, lambda x: x > timeout)) / n END AS timeout_cuts,
    ascending[-1] AS max,
    1 / (n + 1) AS beyond_max,
    nullif(concat_ws('; ',
        CASE
            WHEN h95 IS NULL THEN 'no objective: fewer than 72 attempts'
            WHEN objective IS NULL THEN 'no objective: too many failures for 95 %'
        END,
        CASE WHEN timeout IS NULL THEN 'no time-out: fewer than 368 values' END), '') AS warning
FROM bounded;

COMMENT ON VIEW slo IS 'one row per cell × wait: the objective that can be promised and the time-out that can be set, as far as the sample bounds them';
COMMENT ON COLUMN slo.metric IS 'column of results; see metrics';
COMMENT ON COLUMN slo.unit IS 'unit of all times in the row';
COMMENT ON COLUMN slo.waits_for IS 'what is waited for: connection, first token, first answer token, silence within the answer, whole answer';
COMMENT ON COLUMN slo.n IS 'values';
COMMENT ON COLUMN slo.n_failed IS 'attempts without a value because they failed; they count as never';
COMMENT ON COLUMN slo.p95_all IS '95th percentile with failures counted as never; NULL where that is never';
COMMENT ON COLUMN slo.p95_all_lo IS 'lower end of its exact order-statistic interval at 95 %';
COMMENT ON COLUMN slo.p95_all_hi IS 'upper end; NULL where the sample or the failures leave it open';
COMMENT ON COLUMN slo.p99_all IS '99th percentile with failures counted as never; NULL under 100 attempts, or where that is never';
COMMENT ON COLUMN slo.p99_all_lo IS 'lower end of its interval';
COMMENT ON COLUMN slo.p99_all_hi IS 'upper end; NULL where the sample or the failures leave it open';
COMMENT ON COLUMN slo.objective IS 'within this time, 95 % of all attempts have it: the upper end for p95_all';
COMMENT ON COLUMN slo.timeout IS 'beyond this time, at most 1 % of what does arrive is still to come: the upper end for p99 of the values; needs n of 368';
COMMENT ON COLUMN slo.timeout_cuts IS 'share of the recorded values that the time-out would have cut off, 0 to 1; NULL without one';
COMMENT ON COLUMN slo.max IS 'largest value';
COMMENT ON COLUMN slo.beyond_max IS 'chance that the next value exceeds it, if nothing changes: 1 ÷ (n + 1)';
COMMENT ON COLUMN slo.warning IS 'what is missing for a suggestion; NULL where nothing';

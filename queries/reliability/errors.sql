-- errors: one row per cell × outcome
-- tells: how requests ended that were not answered well
-- example: SELECT provider, model, outcome, n, share, http_status, left(example, 50) AS example FROM errors WHERE outcome <> 'ok' ORDER BY n DESC, provider, model, outcome LIMIT 12
-- needs: results, _suspects, _statistics
-- key: provider, model, scenario, concurrency, vantage, params, outcome
CREATE OR REPLACE VIEW errors AS
WITH counts AS (
    SELECT
        r.cell_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params, r.outcome,
        count(*) AS n,
        bool_and(r.answered) AS answered,
        count(*) FILTER (r.attempted) AS attempts,
        count(*) FILTER (r.overloaded) AS overloaded,
        count(s.request_id) AS suspect_local,
        count(DISTINCT r.window_key) AS n_windows,
        min(r.started_at) AS first_at,
        max(r.started_at) AS last_at,
        mode(r.http_status ORDER BY r.http_status) AS http_status,
        arg_min(r.failure, r.request_id) AS example,
        min(r.request_id) AS example_request_id
    FROM results r
    LEFT JOIN _suspects s ON s.request_id = r.request_id
    WHERE r.measured
    GROUP BY ALL
),
cells AS (
    SELECT *, sum(n) OVER (PARTITION BY cell_id)::BIGINT AS requests
    FROM counts
)
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params, outcome,
    CASE
        WHEN answered THEN 'answered'
        WHEN outcome IN ('client_error', 'cancelled', 'account') THEN 'ours'
        WHEN outcome = 'unavailable' THEN 'not served'
        WHEN outcome IN ('rejected', 'rate_limited') THEN 'refused'
        WHEN outcome IN ('connect_error', 'timeout') THEN 'unreached'
        WHEN outcome = 'server_error' THEN 'failed'
        WHEN outcome = 'reported_error' THEN 'reported'
        ELSE 'broken'
    END AS class,
    n,
    n / requests AS share,
    _wilson_lo(n, requests) AS share_lo,
    _wilson_hi(n, requests) AS share_hi,
    answered, attempts, overloaded, suspect_local, n_windows, first_at, last_at, http_status, example, example_request_id
FROM cells;

COMMENT ON VIEW errors IS 'one row per cell × outcome, successes among them, so that shares add up to 1';
COMMENT ON COLUMN errors.outcome IS 'how the requests ended';
COMMENT ON COLUMN errors.class IS 'answered; ours (client_error, cancelled, account); not served; refused (rejected, rate_limited); unreached (connect_error, timeout); failed (server_error); broken (stream_error, cut, stalled); reported by an imported source';
COMMENT ON COLUMN errors.n IS 'measured requests that ended so';
COMMENT ON COLUMN errors.share IS 'of all measured requests of the cell, 0 to 1';
COMMENT ON COLUMN errors.share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN errors.share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN errors.answered IS 'whether this outcome counts as answered';
COMMENT ON COLUMN errors.attempts IS 'those that count as attempts in availability';
COMMENT ON COLUMN errors.overloaded IS 'those whose error says that the provider was overloaded';
COMMENT ON COLUMN errors.suspect_local IS 'those that half of the providers share within a minute: the client''s own line may explain them';
COMMENT ON COLUMN errors.n_windows IS 'windows that they come from';
COMMENT ON COLUMN errors.first_at IS 'start of the first, UTC';
COMMENT ON COLUMN errors.last_at IS 'start of the last, UTC';
COMMENT ON COLUMN errors.http_status IS 'most frequent status';
COMMENT ON COLUMN errors.example IS 'words of the first one''s error';
COMMENT ON COLUMN errors.example_request_id IS 'the first one';

-- errors: one row per cell × outcome
-- needs: results
-- key: provider, model, scenario, concurrency, vantage, params, outcome
CREATE OR REPLACE VIEW errors AS
SELECT
    provider, model, scenario, concurrency, vantage, params, outcome,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY provider, model, scenario, concurrency, vantage, params)::BIGINT AS share,
    bool_and(answered) AS answered,
    count(*) FILTER (attempted) AS attempts,
    count(*) FILTER (overloaded) AS overloaded,
    count(DISTINCT window_key) AS n_windows,
    min(started_at) AS first_at,
    max(started_at) AS last_at,
    mode(http_status) AS http_status,
    arg_min(failure, request_id) AS example,
    min(request_id) AS example_request_id
FROM results
WHERE measured
GROUP BY provider, model, scenario, concurrency, vantage, params, outcome;

COMMENT ON VIEW errors IS 'one row per cell × outcome, successes among them, so that shares add up to 1';
COMMENT ON COLUMN errors.outcome IS 'how the requests ended';
COMMENT ON COLUMN errors.n IS 'measured requests that ended so';
COMMENT ON COLUMN errors.share IS 'of all measured requests of the cell, 0 to 1';
COMMENT ON COLUMN errors.answered IS 'whether this outcome counts as answered';
COMMENT ON COLUMN errors.attempts IS 'those that count as attempts in availability';
COMMENT ON COLUMN errors.overloaded IS 'those whose error says that the provider was overloaded';
COMMENT ON COLUMN errors.n_windows IS 'windows that they come from';
COMMENT ON COLUMN errors.first_at IS 'start of the first, UTC';
COMMENT ON COLUMN errors.last_at IS 'start of the last, UTC';
COMMENT ON COLUMN errors.http_status IS 'most frequent status';
COMMENT ON COLUMN errors.example IS 'words of the first one''s error';
COMMENT ON COLUMN errors.example_request_id IS 'the first one';

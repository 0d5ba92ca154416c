-- requests: one row per request attempted
-- needs: _requests
-- key: request_id
CREATE OR REPLACE VIEW requests AS
SELECT *,
    make_timestamp(scheduled_at_ns // 1000) AS scheduled_at,
    make_timestamp(started_at_ns // 1000) AS started_at
FROM _requests;

COMMENT ON VIEW requests IS 'one row per request attempted, as recorded';
COMMENT ON COLUMN requests.scheduled_at IS 'when an open-loop schedule wanted the start, UTC';
COMMENT ON COLUMN requests.started_at IS 'start of the request, UTC';

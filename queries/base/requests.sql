-- requests: one row per request attempted
-- tells: every request as it was sent and ended, before anything is derived
-- example: SELECT request_id, provider, model, phase, http_status, end_reason, bytes_received FROM requests ORDER BY request_id LIMIT 5
-- needs: _requests
-- key: request_id
CREATE OR REPLACE VIEW requests AS
SELECT * RENAME ("window" AS window_name),
    make_timestamp(scheduled_at_ns // 1000) AS scheduled_at,
    make_timestamp(started_at_ns // 1000) AS started_at
FROM _requests;

COMMENT ON VIEW requests IS 'one row per request attempted, as recorded';
COMMENT ON COLUMN requests.window_name IS 'the round of the plan, the calendar hour of live rows, or the run of an import: the unit of independence';
COMMENT ON COLUMN requests.scheduled_at IS 'when an open-loop schedule wanted the start, UTC';
COMMENT ON COLUMN requests.started_at IS 'start of the request, UTC';

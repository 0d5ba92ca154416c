-- availability_hours: one row per cell × hour
-- tells: the same hour by hour
-- example: SELECT provider, model, hour, attempts, answered, share FROM availability_hours WHERE answered < attempts ORDER BY hour, provider, model LIMIT 12
-- needs: results, _suspects, _statistics
-- key: provider, model, scenario, concurrency, vantage, params, hour
CREATE OR REPLACE VIEW availability_hours AS
WITH counts AS (
    SELECT
        r.cell_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params,
        date_trunc('hour', r.started_at) AS hour,
        count(*) FILTER (r.attempted) AS attempts,
        count(*) FILTER (r.attempted AND r.answered) AS answered,
        count(*) FILTER (r.attempted AND r.outcome = 'rate_limited') AS rate_limited,
        count(*) FILTER (r.attempted AND r.outcome = 'rejected') AS rejected,
        count(*) FILTER (r.attempted AND r.outcome IN ('connect_error', 'timeout')) AS unreached,
        count(*) FILTER (r.attempted AND r.outcome = 'server_error') AS server_errors,
        count(*) FILTER (r.attempted AND r.outcome IN ('stream_error', 'cut', 'stalled')) AS broken,
        count(*) FILTER (r.attempted AND r.outcome = 'reported_error') AS reported_errors,
        count(*) FILTER (NOT r.attempted) AS left_out,
        count(s.request_id) AS suspect_local
    FROM results r
    LEFT JOIN _suspects s ON s.request_id = r.request_id
    WHERE r.measured AND r.started_at IS NOT NULL
    GROUP BY ALL
)
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params,
    hour, hour(hour)::INTEGER AS hour_of_day,
    attempts, answered,
    answered / nullif(attempts, 0) AS share,
    _wilson_lo(answered, attempts) AS share_lo,
    _wilson_hi(answered, attempts) AS share_hi,
    answered / nullif(attempts - rate_limited, 0) AS share_unlimited,
    rate_limited, rejected, unreached, server_errors, broken, reported_errors,
    left_out, suspect_local
FROM counts;

COMMENT ON VIEW availability_hours IS 'one row per cell × calendar hour: what became of the attempts of that hour. An hour without requests has no row: it is a gap, neither up nor down';
COMMENT ON COLUMN availability_hours.hour IS 'start of the hour, UTC';
COMMENT ON COLUMN availability_hours.hour_of_day IS 'hour of the day, 0 to 23, UTC';
COMMENT ON COLUMN availability_hours.attempts IS 'requests that tell of the provider; see availability';
COMMENT ON COLUMN availability_hours.answered IS 'attempts that ended properly, whatever they ended with';
COMMENT ON COLUMN availability_hours.share IS 'answered ÷ attempts, 0 to 1, higher is better';
COMMENT ON COLUMN availability_hours.share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability_hours.share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability_hours.share_unlimited IS 'answered ÷ attempts without those that were rate limited, 0 to 1';
COMMENT ON COLUMN availability_hours.rate_limited IS 'attempts refused by a rate limit';
COMMENT ON COLUMN availability_hours.rejected IS 'attempts rejected, but not by every provider';
COMMENT ON COLUMN availability_hours.unreached IS 'attempts without an answer of HTTP, or without its first byte in time: connect_error and timeout';
COMMENT ON COLUMN availability_hours.server_errors IS 'attempts that ended in status 5xx';
COMMENT ON COLUMN availability_hours.broken IS 'streams that began and did not end properly: stream_error, cut and stalled';
COMMENT ON COLUMN availability_hours.reported_errors IS 'rows of imported sources that state a failure and not which';
COMMENT ON COLUMN availability_hours.left_out IS 'measured requests that are no attempts';
COMMENT ON COLUMN availability_hours.suspect_local IS 'failures that half of the providers share within a minute';

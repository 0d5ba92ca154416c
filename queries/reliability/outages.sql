-- outages: one row per cell × outage
-- tells: when nothing was answered, and for how long at least and at most
-- example: SELECT provider, model, failures, first_at, last_at, min_ms, max_ms FROM outages ORDER BY max_ms DESC NULLS FIRST, provider, model LIMIT 12
-- needs: _outages
-- key: provider, model, scenario, concurrency, vantage, params, outage
CREATE OR REPLACE VIEW outages AS
SELECT * EXCLUDE (scope) FROM _outages WHERE scope = 'cell';

COMMENT ON VIEW outages IS 'one row per cell × outage: three attempts or more that failed in a row, by start, rate limits left aside. How long it lasted is known within bounds only; a time without requests is a gap, neither up nor down';
COMMENT ON COLUMN outages.outage IS 'number within the cell, from 1, by time';
COMMENT ON COLUMN outages.failures IS 'attempts that failed in a row';
COMMENT ON COLUMN outages.n_windows IS 'windows that they lie in; nobody looked between windows';
COMMENT ON COLUMN outages.first_at IS 'start of the first of them, UTC';
COMMENT ON COLUMN outages.last_at IS 'start of the last of them, UTC';
COMMENT ON COLUMN outages.answered_before IS 'start of the last attempt before it that was answered, UTC; NULL where the recording begins with the outage';
COMMENT ON COLUMN outages.answered_after IS 'start of the first attempt after it that was answered, UTC; NULL where the recording ends with the outage';
COMMENT ON COLUMN outages.min_ms IS 'ms that it lasted at least: first to last failure of one window; 0 where no window has two of them';
COMMENT ON COLUMN outages.max_ms IS 'ms that it lasted at most: answer to answer; NULL where it is open at an end of the recording';
COMMENT ON COLUMN outages.outcomes IS 'how the attempts ended';
COMMENT ON COLUMN outages.suspect_local IS 'failures that half of the providers share within a minute: the client''s own line may explain them';
COMMENT ON COLUMN outages.unseen_ms IS 'ms: the longest time within max_ms in which nobody looked: between one attempt and the next';

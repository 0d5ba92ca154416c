-- provider_outages: one row per provider × outage
-- tells: when a provider answered on no model, and for how long at least and at most
-- example: SELECT provider, failures, first_at, last_at, min_ms, max_ms FROM provider_outages ORDER BY max_ms DESC NULLS FIRST, provider LIMIT 12
-- needs: _outages
-- key: provider, outage
CREATE OR REPLACE VIEW provider_outages AS
SELECT provider, outage, failures, n_windows, first_at, last_at, answered_before, answered_after, min_ms, max_ms, unseen_ms, outcomes, suspect_local FROM _outages WHERE scope = 'provider';

COMMENT ON VIEW provider_outages IS 'one row per provider × outage: three attempts or more over all its cells that failed in a row, by start, rate limits left aside. How long it lasted is known within bounds only; a time without requests is a gap, neither up nor down';
COMMENT ON COLUMN provider_outages.outage IS 'number within the provider, from 1, by time';
COMMENT ON COLUMN provider_outages.failures IS 'attempts that failed in a row';
COMMENT ON COLUMN provider_outages.n_windows IS 'windows that they lie in; nobody looked between windows';
COMMENT ON COLUMN provider_outages.first_at IS 'start of the first of them, UTC';
COMMENT ON COLUMN provider_outages.last_at IS 'start of the last of them, UTC';
COMMENT ON COLUMN provider_outages.answered_before IS 'start of the last attempt before it that was answered, UTC; NULL where the recording begins with the outage';
COMMENT ON COLUMN provider_outages.answered_after IS 'start of the first attempt after it that was answered, UTC; NULL where the recording ends with the outage';
COMMENT ON COLUMN provider_outages.min_ms IS 'ms that it lasted at least: first to last failure of one window; 0 where no window has two of them';
COMMENT ON COLUMN provider_outages.max_ms IS 'ms that it lasted at most: answer to answer; NULL where it is open at an end of the recording';
COMMENT ON COLUMN provider_outages.outcomes IS 'how the attempts ended';
COMMENT ON COLUMN provider_outages.suspect_local IS 'failures that half of the providers share within a minute: the client''s own line may explain them';
COMMENT ON COLUMN provider_outages.unseen_ms IS 'ms: the longest time within max_ms in which nobody looked: between one attempt and the next';

-- outages: one row per cell × outage
-- tells: when nothing was answered, and for how long at least and at most
-- example: SELECT provider, model, failures, first_at, last_at, min_ms, max_ms FROM outages ORDER BY max_ms DESC NULLS FIRST, provider, model LIMIT 12
-- needs: results, _suspects
-- key: provider, model, scenario, concurrency, vantage, params, outage
--
-- Attempts are looked at in the order of their start. What happened between two
-- of them nobody saw: an outage lasted at least from the first to the last of its
-- failures within one window, and at most from the answer before it to the
-- answer after it.
CREATE OR REPLACE VIEW outages AS
WITH attempts AS (
    SELECT
        r.cell_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params, r.window_key,
        r.request_id, r.started_at, r.outcome, NOT r.answered AS failed, s.request_id IS NOT NULL AS suspect
    FROM results r
    LEFT JOIN _suspects s ON s.request_id = r.request_id
    WHERE r.measured AND r.attempted AND r.started_at IS NOT NULL
),
placed AS (
    SELECT *,
        sum((NOT failed)::INTEGER) OVER earlier AS block, -- count with FILTER takes quadratic time here
        max(started_at) FILTER (NOT failed) OVER earlier AS answered_before,
        min(started_at) FILTER (NOT failed) OVER later AS answered_after
    FROM attempts
    WINDOW
        earlier AS (PARTITION BY cell_id ORDER BY started_at, request_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        later AS (PARTITION BY cell_id ORDER BY started_at, request_id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
),
stretches AS ( -- an outage within one window
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, block, window_key,
        count(*) AS failures,
        count(*) FILTER (suspect) AS suspect_local,
        min(started_at) AS first_at,
        max(started_at) AS last_at,
        any_value(answered_before) AS answered_before,
        any_value(answered_after) AS answered_after,
        list(DISTINCT outcome) AS outcomes
    FROM placed
    WHERE failed
    GROUP BY ALL
),
whole AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params,
        sum(failures)::BIGINT AS failures,
        sum(suspect_local)::BIGINT AS suspect_local,
        count(*) AS n_windows,
        min(first_at) AS first_at,
        max(last_at) AS last_at,
        min(answered_before) AS answered_before,
        max(answered_after) AS answered_after,
        max(epoch_ms(last_at) - epoch_ms(first_at)) AS least,
        list_sort(list_distinct(flatten(list(outcomes)))) AS outcomes
    FROM stretches
    GROUP BY cell_id, provider, model, scenario, concurrency, vantage, params, block
)
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params,
    row_number() OVER (PARTITION BY cell_id ORDER BY first_at) AS outage,
    failures, n_windows, first_at, last_at, answered_before, answered_after,
    least::DOUBLE AS min_ms,
    (epoch_ms(answered_after) - epoch_ms(answered_before))::DOUBLE AS max_ms,
    array_to_string(outcomes, ', ') AS outcomes,
    suspect_local
FROM whole;

COMMENT ON VIEW outages IS 'one row per cell × outage: attempts that failed in a row, one or more, by start. How long it lasted is known within bounds only';
COMMENT ON COLUMN outages.outage IS 'number within the cell, from 1, by time';
COMMENT ON COLUMN outages.failures IS 'attempts that failed in a row';
COMMENT ON COLUMN outages.n_windows IS 'windows that they lie in; nobody looked between windows';
COMMENT ON COLUMN outages.first_at IS 'start of the first of them, UTC';
COMMENT ON COLUMN outages.last_at IS 'start of the last of them, UTC';
COMMENT ON COLUMN outages.answered_before IS 'start of the last attempt before it that was answered, UTC; NULL where the recording begins with the outage';
COMMENT ON COLUMN outages.answered_after IS 'start of the first attempt after it that was answered, UTC; NULL where the recording ends with the outage';
COMMENT ON COLUMN outages.min_ms IS 'ms that it lasted at least: first to last failure of one window; 0 for a single failure';
COMMENT ON COLUMN outages.max_ms IS 'ms that it lasted at most: answer to answer; NULL where it is open at an end of the recording';
COMMENT ON COLUMN outages.outcomes IS 'how the attempts ended';
COMMENT ON COLUMN outages.suspect_local IS 'failures that half of the providers share within a minute: the client''s own line may explain them';

-- _outages: one row per scope × cell or provider × outage
-- needs: results, _suspects
-- key: scope, provider, model, scenario, concurrency, vantage, params, outage
-- stored: no
--
-- An outage is three attempts or more in a row that failed: of a cell, and of a
-- provider over all its cells. Attempts that met a rate limit are left aside, since
-- they tell of the caller's share, and not of whether the service is there. Attempts
-- are looked at in the order of their start. What happened between two of them
-- nobody saw: an outage lasted at least from the first to the last of its failures
-- within one window, and at most from the answer before it to the answer after it.
CREATE OR REPLACE VIEW _outages AS
WITH looked AS (
    SELECT
        r.cell_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params, r.window_key,
        r.request_id, r.started_at, r.outcome, NOT r.answered AS failed, s.request_id IS NOT NULL AS suspect
    FROM results r
    LEFT JOIN _suspects s ON s.request_id = r.request_id
    WHERE r.measured AND r.attempted AND r.started_at IS NOT NULL AND r.outcome <> 'rate_limited'
),
attempts AS (
    SELECT 'cell' AS scope, * FROM looked
    UNION ALL
    SELECT 'provider', * REPLACE (NULL AS cell_id, NULL AS model, NULL AS scenario, NULL AS concurrency, NULL AS vantage, NULL AS params)
    FROM looked
),
placed AS (
    SELECT *,
        sum((NOT failed)::INTEGER) OVER earlier AS block, -- count with FILTER takes quadratic time here
        max(started_at) FILTER (NOT failed) OVER earlier AS answered_before,
        min(started_at) FILTER (NOT failed) OVER later AS answered_after,
        lag(started_at) OVER earlier AS looked_before
    FROM attempts
    WINDOW
        earlier AS (PARTITION BY scope, provider, cell_id ORDER BY started_at, request_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        later AS (PARTITION BY scope, provider, cell_id ORDER BY started_at, request_id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
),
stretches AS ( -- an outage within one window
    SELECT
        scope, cell_id, provider, model, scenario, concurrency, vantage, params, block, window_key,
        count(*) AS failures,
        count(*) FILTER (suspect) AS suspect_local,
        min(started_at) AS first_at,
        max(started_at) AS last_at,
        any_value(answered_before) AS answered_before,
        any_value(answered_after) AS answered_after,
        max(epoch_ms(started_at) - epoch_ms(looked_before)) AS unseen,
        list(DISTINCT outcome) AS outcomes
    FROM placed
    WHERE failed
    GROUP BY ALL
),
whole AS (
    SELECT
        scope, cell_id, provider, model, scenario, concurrency, vantage, params,
        sum(failures)::BIGINT AS failures,
        sum(suspect_local)::BIGINT AS suspect_local,
        count(*) AS n_windows,
        min(first_at) AS first_at,
        max(last_at) AS last_at,
        min(answered_before) AS answered_before,
        max(answered_after) AS answered_after,
        max(epoch_ms(last_at) - epoch_ms(first_at)) AS least,
        max(unseen) AS unseen,
        list_sort(list_distinct(flatten(list(outcomes)))) AS outcomes
    FROM stretches
    GROUP BY scope, cell_id, provider, model, scenario, concurrency, vantage, params, block
    HAVING sum(failures) >= 3
)
SELECT
    scope, cell_id, provider, model, scenario, concurrency, vantage, params,
    row_number() OVER (PARTITION BY scope, provider, cell_id ORDER BY first_at) AS outage,
    failures, n_windows, first_at, last_at, answered_before, answered_after,
    least::DOUBLE AS min_ms,
    (epoch_ms(answered_after) - epoch_ms(answered_before))::DOUBLE AS max_ms,
    greatest(unseen, epoch_ms(answered_after) - epoch_ms(last_at))::DOUBLE AS unseen_ms,
    array_to_string(outcomes, ', ') AS outcomes,
    suspect_local
FROM whole;

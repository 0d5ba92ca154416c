-- _windows: one row per metric × cell × window: what everything that is compared is made of
-- needs: results, _values, metrics, _cell_costs
-- key: metric, model, scenario, concurrency, vantage, provider, params, window_key
--
-- Requests of one window share its weather, so windows are the unit of every
-- comparison. A window of a metric with values keeps them all; one of a ratio
-- of sums keeps both sums, as whole numbers; one of a speed keeps both.
CREATE OR REPLACE VIEW _windows AS
WITH lists AS (
    SELECT
        metric, cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key,
        min(started_at) AS started_at,
        list_sort(list(value)) AS ascending
    FROM _values
    WHERE counted AND metric NOT IN (SELECT unnest(_flows('metric')))
    GROUP BY ALL
),
-- Speeds: all complete answers with two reads, with the sums of what they brought
-- and of the time that it took. A floor would choose by what is measured.
streamed AS (
    SELECT
        cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        unnest(_flows('metric')) AS metric, unnest(nums) AS num, unnest(dens) AS den, unnest(_flows('per'))::DOUBLE AS per
    FROM query('SELECT *, [' || array_to_string(_flows('num'), ', ') || ']::BIGINT[] AS nums, ['
        || array_to_string(_flows('den'), ', ') || ']::BIGINT[] AS dens FROM results WHERE measured AND complete')
),
flows AS (
    SELECT
        metric, cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key,
        min(started_at) AS started_at,
        list_sort(list(num / den / per)) AS ascending, sum(num)::BIGINT AS num, sum(den)::BIGINT AS den, any_value(per) AS per
    FROM streamed
    WHERE num > 0 AND den > 0
    GROUP BY ALL
),
counts AS (
    SELECT
        cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key,
        min(started_at) AS started_at,
        count(*) FILTER (attempted) AS attempts,
        count(*) FILTER (attempted AND answered) AS answered,
        count(*) FILTER (attempted AND useful) AS useful,
        count(*) FILTER (attempted AND useful IS NOT NULL) AS judged,
        count(*) FILTER (attempted AND useful IS NULL) AS unjudged,
        count(*) FILTER (attempted AND as_planned AND useful IS NOT NULL) AS judged_answers
    FROM results
    WHERE measured
    GROUP BY ALL
),
-- What cannot be judged is neither useful nor useless. Where that is every answer
-- only failures are left to judge, and the cell has no share.
judged AS (
    FROM counts
    WINDOW cell AS (PARTITION BY cell_id)
    QUALIFY sum(unjudged) OVER cell = 0 OR sum(judged_answers) OVER cell > 0
),
-- A cell with an unknown price has no cost, rather than a low one.
priced AS (
    FROM _cell_costs
    WINDOW cell AS (PARTITION BY of)
    QUALIFY sum(unpriced) OVER cell = 0 AND sum(charged) OVER cell > 0
        AND (sum(useful) OVER cell > 0 OR sum(unjudged) OVER cell = 0)
),
sums AS (
    SELECT 'answered_share' AS metric, cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        answered AS num, attempts AS den, 1.0::DOUBLE AS per
    FROM counts WHERE attempts > 0
    UNION ALL
    SELECT 'useful_share', cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        useful, judged, 1
    FROM judged WHERE judged > 0
    UNION ALL
    SELECT 'cost_per_useful_usd', cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        high, useful, 1e9
    FROM priced
)
SELECT
    metric, cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
    len(ascending)::BIGINT AS n, ascending, NULL::BIGINT AS num, NULL::BIGINT AS den, NULL::DOUBLE AS per
FROM lists
UNION ALL
SELECT
    metric, cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
    len(ascending)::BIGINT, ascending, num, den, per
FROM flows
UNION ALL
SELECT
    metric, cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
    den, NULL, num, den, per
FROM sums;

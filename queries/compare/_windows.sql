-- _windows: one row per metric × cell × window: what everything that is compared is made of
-- needs: results, _values, _cell_costs, _limits, _workload_of, metrics
-- key: metric, model, scenario, concurrency, vantage, provider, params, window_key
-- stored: metrics
--
-- Requests of one window share its conditions, so windows are the unit of every
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
        count(*) FILTER (evidence IS DISTINCT FROM 'reported' OR finish_reason IS NOT NULL OR http_status IS NOT NULL OR NOT answered) AS stated, -- as availability has it
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
ended AS (
    FROM counts
    WINDOW cell AS (PARTITION BY cell_id)
    QUALIFY sum(stated) OVER cell > 0
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
-- A first token is in time by the limit that its workload sets on each, else by
-- the widest that decides. What came whole has no first token to be late.
limits AS (
    SELECT
        l.workload, l.metric,
        max(l.at_most) AS at_most
    FROM _limits l
    JOIN metrics m ON m.metric = l.metric AND m.family = 'start'
    WHERE l.at_most IS NOT NULL
    GROUP BY l.workload, l.metric
    QUALIFY row_number() OVER (PARTITION BY l.workload ORDER BY bool_or(l.kind = 'each') DESC, min(m.place)) = 1
),
due AS (
    SELECT r.request_id, r.cell_id, r.contest_id, r.model, r.scenario, r.concurrency, r.vantage, r.provider, r.params, r.window_key, r.started_at, l.metric, l.at_most
    FROM results r
    JOIN _workload_of w ON w.scenario = r.scenario AND w.declared IS NOT DISTINCT FROM r.workload
    JOIN limits l ON l.workload = w.workload
    WHERE r.measured AND r.attempted AND (r.ttft_ms IS NOT NULL OR NOT r.complete)
),
punctual AS (
    SELECT d.cell_id, d.contest_id, d.model, d.scenario, d.concurrency, d.vantage, d.provider, d.params, d.window_key,
        min(d.started_at) AS started_at,
        count(*) AS due,
        count(*) FILTER (v.value <= d.at_most) AS in_time
    FROM due d
    LEFT JOIN _values v ON v.request_id = d.request_id AND v.metric = d.metric
    GROUP BY ALL
),
sums AS (
    SELECT 'ttft_within_share' AS metric, cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        in_time AS num, due AS den, 1.0::DOUBLE AS per
    FROM punctual
    UNION ALL
    SELECT 'answered_share', cell_id, contest_id, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        answered, attempts, 1
    FROM ended WHERE attempts > 0
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

-- workload_fit: one row per workload × target × deciding metric × cell that tells of it
-- tells: who meets the limits of a workload
-- example: SELECT workload, provider, model, metric, value, lo, hi, claim, verdict FROM workload_fit ORDER BY workload, model, provider, place LIMIT 15
-- needs: results, _workload_of, _limits, fit_metrics, _fit, _fit_windows, _fit_estimates
-- key: workload, provider, model, vantage, metric, statistic, scenario, concurrency, params
--
-- Each metric that decides for a workload is judged by itself: the limit is met
-- where the whole interval keeps it, missed where none of it does, and tends to be
-- met where no value breaks it and they are too few to prove it. They are never
-- weighed against each other.
CREATE OR REPLACE VIEW workload_fit AS
WITH cells AS (
    SELECT w.workload, r.provider, r.model, r.vantage, r.scenario,
        bool_or(r.check_failures IS NOT NULL OR r.score IS NOT NULL) AS checked
    FROM results r
    JOIN _workload_of w ON w.scenario = r.scenario AND w.declared IS NOT DISTINCT FROM r.workload
    WHERE r.measured OR r.phase IN ('cold', 'burst') AND r.excluded IS NULL
    GROUP BY ALL
),
scenarios AS ( -- a sweep is stated under the name that its lengths share
    SELECT workload, provider, model, vantage, scenario, checked FROM cells
    UNION ALL
    SELECT workload, provider, model, vantage, base, bool_or(checked)
    FROM (SELECT *, regexp_replace(scenario, '@[0-9]+$', '') AS base FROM cells)
    WHERE base <> scenario
    GROUP BY ALL
),
stated AS (
    SELECT metric, statistic, provider, model, scenario, concurrency, vantage, params, value, lo, hi, n, n_windows FROM _fit
    UNION ALL
    SELECT metric, NULL, provider, model, scenario, concurrency, vantage, params, value, lo, hi, n, n_windows FROM _fit_estimates
),
asked AS (
    SELECT DISTINCT c.workload, c.provider, c.model, c.vantage, l.place, l.metric, l.statistic, l.at_most, l.at_least, l.why
    FROM cells c
    JOIN _limits l ON l.workload = c.workload AND l.kind = 'decides'
),
told AS (
    SELECT a.*, s.scenario, c.checked, s.concurrency, s.params, s.value, s.lo, s.hi, s.n, s.n_windows
    FROM asked a
    JOIN scenarios c ON c.workload = a.workload AND c.provider = a.provider AND c.model = a.model AND c.vantage IS NOT DISTINCT FROM a.vantage
    JOIN stated s ON s.metric = a.metric AND s.statistic IS NOT DISTINCT FROM a.statistic
        AND s.provider = c.provider AND s.model = c.model AND s.scenario = c.scenario AND s.vantage IS NOT DISTINCT FROM c.vantage
),
-- What was seen at all: the values nearest to a limit, and the cases of a share.
seen AS (
    SELECT metric, provider, model, scenario, concurrency, vantage, params,
        max(list_max(ascending)) AS largest, min(list_min(ascending)) AS smallest, sum(k)::BIGINT AS k, sum(n)::BIGINT AS cases
    FROM _fit_windows
    GROUP BY ALL
),
every AS (
    SELECT * FROM told
    UNION ALL BY NAME
    SELECT * FROM asked a
    WHERE NOT EXISTS (SELECT 1 FROM told t WHERE t.workload = a.workload AND t.provider = a.provider AND t.model = a.model
        AND t.vantage IS NOT DISTINCT FROM a.vantage AND t.metric = a.metric AND t.statistic IS NOT DISTINCT FROM a.statistic)
),
weighed AS (
    SELECT
        e.*,
        CASE
            WHEN e.at_most IS NULL AND e.at_least IS NULL THEN NULL
            WHEN e.hi <= e.at_most OR e.lo >= e.at_least OR e.lo > e.at_most OR e.hi < e.at_least THEN 'supported'
            WHEN s.largest <= e.at_most OR s.smallest >= e.at_least OR s.cases > 0 AND (s.k = s.cases AND e.at_least <= 1 OR s.k = 0 AND e.at_most >= 0) THEN 'tendency'
            ELSE 'undecided'
        END AS verdict,
        e.lo > e.at_most OR e.hi < e.at_least AS misses,
        -- So many without a miss would come up in one of forty tries, were the limit missed.
        ceil(ln(0.025) / ln(CASE
            WHEN e.statistic IS NOT NULL AND e.at_most IS NOT NULL THEN substr(e.statistic, 2)::INTEGER / 100
            WHEN e.statistic IS NOT NULL THEN 1 - substr(e.statistic, 2)::INTEGER / 100
            WHEN e.at_least < 1 AND e.at_least > 0 THEN e.at_least
            WHEN e.at_most < 1 AND e.at_most > 0 THEN 1 - e.at_most END))::BIGINT AS proof
    FROM every e
    LEFT JOIN seen s ON s.metric = e.metric AND s.provider = e.provider AND s.model = e.model AND s.scenario = e.scenario
        AND s.concurrency IS NOT DISTINCT FROM e.concurrency AND s.vantage IS NOT DISTINCT FROM e.vantage AND s.params IS NOT DISTINCT FROM e.params
)
SELECT
    e.workload, e.provider, e.model, e.vantage, e.place, e.metric, e.statistic, e.scenario, e.concurrency, e.params,
    m.title, m.unit, m.better, e.at_most, e.at_least,
    e.value, e.lo, e.hi, e.n, e.n_windows,
    CASE WHEN e.verdict IN ('supported', 'tendency') THEN CASE WHEN e.misses THEN 'missed' ELSE 'met' END END AS claim,
    e.verdict,
    CASE
        WHEN e.verdict = 'supported' THEN NULL
        WHEN e.verdict IS NULL THEN 'no limit set: shown, not judged'
        WHEN e.value IS NULL THEN 'not measured'
        WHEN e.verdict = 'tendency' THEN 'no miss seen in ' || e.n || CASE WHEN e.n < e.proof THEN '; ' || e.proof || ' without one would prove it' ELSE '' END
        WHEN e.at_most IS NOT NULL AND e.hi IS NULL OR e.at_least IS NOT NULL AND e.lo IS NULL THEN 'the sample cannot bound it on the side of the limit'
        ELSE 'the limit lies within the interval'
    END AS why_not,
    CASE WHEN e.n_windows >= 6 THEN 'windows' WHEN e.n_windows > 0 THEN 'within' ELSE 'none' END AS evidence,
    e.why,
    nullif(concat_ws('; ',
        CASE WHEN e.n_windows < 6 THEN 'fewer than six windows: speaks of these alone' END,
        CASE WHEN e.metric = 'useful_share' AND NOT e.checked THEN 'no checks: complete as planned counts as useful' END), '') AS warning
FROM weighed e
JOIN fit_metrics m ON m.metric = e.metric;

COMMENT ON VIEW workload_fit IS 'one row per workload × target (provider, model, vantage) × deciding metric × cell that tells of it: each metric judged by its own interval at 95 %, never one composite score. Limits are those of the workloads file';
COMMENT ON COLUMN workload_fit.workload IS 'kind of use: what the workloads file assigns the scenario to, else what the plan declares';
COMMENT ON COLUMN workload_fit.provider IS 'who serves the model';
COMMENT ON COLUMN workload_fit.model IS 'canonical model';
COMMENT ON COLUMN workload_fit.vantage IS 'where the client stood';
COMMENT ON COLUMN workload_fit.place IS 'place of the metric in the workloads file, from 1: an order of listing, no weight';
COMMENT ON COLUMN workload_fit.metric IS 'metric that decides; see fit_metrics';
COMMENT ON COLUMN workload_fit.statistic IS 'percentile that must keep the limit; NULL where the metric is no value of single requests';
COMMENT ON COLUMN workload_fit.scenario IS 'scenario of the cell; NULL where no cell of the target tells of the metric';
COMMENT ON COLUMN workload_fit.concurrency IS 'streams kept open; size of the burst';
COMMENT ON COLUMN workload_fit.params IS 'parameters that the plan declares (JSON)';
COMMENT ON COLUMN workload_fit.title IS 'the metric in words';
COMMENT ON COLUMN workload_fit.unit IS 'unit of value, interval and limit';
COMMENT ON COLUMN workload_fit.better IS 'lower or higher';
COMMENT ON COLUMN workload_fit.at_most IS 'limit where lower is better';
COMMENT ON COLUMN workload_fit.at_least IS 'limit where higher is better';
COMMENT ON COLUMN workload_fit.value IS 'estimate';
COMMENT ON COLUMN workload_fit.lo IS 'lower end of its interval; from six windows on it counts that requests of a window share its conditions';
COMMENT ON COLUMN workload_fit.hi IS 'upper end of its interval; NULL where the sample cannot bound it';
COMMENT ON COLUMN workload_fit.n IS 'values, requests, starts or useful results that it is made of';
COMMENT ON COLUMN workload_fit.n_windows IS 'windows that they come from';
COMMENT ON COLUMN workload_fit.claim IS 'what the verdict is about: the limit is met, or missed; NULL where undecided or where no limit is set';
COMMENT ON COLUMN workload_fit.verdict IS 'supported: all of the interval keeps the limit (met), or none of it does (missed); tendency: every single value or case keeps it, and they are too few to prove it; else undecided; NULL where no limit is set';
COMMENT ON COLUMN workload_fit.why_not IS 'why it is not supported; NULL where it is';
COMMENT ON COLUMN workload_fit.evidence IS 'windows: six or more; within: fewer, and the interval speaks of these alone; none: not measured';
COMMENT ON COLUMN workload_fit.why IS 'what the limit is for, by the workloads file';
COMMENT ON COLUMN workload_fit.warning IS 'what to mind; NULL where nothing';

-- _samples: one row per cell × metric: its values in ascending order
-- needs: results, _values, metrics
-- key: provider, model, scenario, concurrency, vantage, params, metric
-- stored: metrics
--
-- The values that every percentile of the metric is made of: those over complete
-- results, of a first-token metric those over all that got a token. A metric that
-- is a tail (p95) adds no values to those of its median.
CREATE OR REPLACE VIEW _samples AS
WITH cells AS (
    SELECT cell_id, count(*) FILTER (attempted AND NOT complete) AS incomplete,
        count(*) FILTER (complete) AS answers, count(*) FILTER (complete OR ttft_ms IS NOT NULL) AS starts
    FROM results
    WHERE measured
    GROUP BY ALL
),
lists AS (
    SELECT
        v.cell_id, v.contest_id, v.provider, v.model, v.scenario, v.concurrency, v.vantage, v.params, v.metric,
        count(*) AS n,
        count(DISTINCT v.window_key) AS n_windows,
        count(*) FILTER (v.attempted AND NOT v.complete) AS n_incomplete,
        any_value(m.population) AS population,
        list_sort(list(v.value)) AS ascending
    FROM _values v
    JOIN metrics m ON m.metric = v.metric
    WHERE v.counted AND m.statistic IN ('p50', 'flow')
    GROUP BY ALL
)
SELECT
    l.* EXCLUDE (n_incomplete, population, ascending),
    c.incomplete - l.n_incomplete AS n_failed,
    1 - l.n / CASE l.population WHEN 'first_token' THEN c.starts ELSE c.answers END AS unstated,
    l.ascending
FROM lists l
JOIN cells c ON c.cell_id = l.cell_id;
